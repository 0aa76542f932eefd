// Each activity of the app, as somebody at the keyboard and the mouse meets it.

import { readFileSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { page, server, visit } from "./app";
import { EXPERIMENT } from "./experiment";
import { accessible, cell, data } from "./papamu";
import { agree, saved } from "./play";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const tab = (name: string) => page.getByRole("tab", { name, exact: true }).click();

/** Begins a game in the dialog, as somebody chooses it there. */
async function newGame(choose: (dialog: Locator) => Promise<void>): Promise<void> {
  await button("New game").click();
  const dialog = page.getByRole("dialog", { name: "New game" });
  await choose(dialog);
  await dialog.getByRole("button", { name: "Start" }).click();
  await agree(page, "Leave");
}

/** Chooses who plays a side. */
const plays = (dialog: Locator, side: string, who: string) =>
  dialog.getByRole("combobox", { name: side, exact: true }).selectOption(who);

const status = () => page.getByRole("region", { name: "The game" }).getByRole("status").first();

test("play: somebody follows the hints and beats the beginner", async () => {
  await visit("play?game=havannah&size=3");
  await newGame(async (dialog) => {
    await plays(dialog, "Black", "beginner");
    await dialog.getByLabel("Other size").fill("3");
    await dialog.getByLabel("swap rule").uncheck();
  });
  for (let move = 0; move < 10; move++) {
    await expect.poll(() => status().textContent()).toMatch(/White to (move|play)|won|wins/);
    if (/won|wins/.test((await status().textContent()) ?? "")) break;
    await button("Hint").click();
    const hint = page.locator("p", { hasText: "Engine suggests" }).locator("b");
    await cell(page, (await hint.textContent()) ?? "").click();
    await hint.waitFor({ state: "detached" });
  }
  expect(await status().textContent()).toMatch(/You won with a (ring|fork|bridge)/);
  expect(await page.locator(".structure").count()).toBeGreaterThan(0);
  await accessible(page);
});

test("play: Kōnane's opening is led through, and stones jump by keyboard", async () => {
  await visit("play?game=konane&rows=6&cols=6");
  await newGame(async (dialog) => {
    for (const side of ["White", "Black"]) await plays(dialog, side, "person");
  });
  await expect.poll(() => page.locator(".removable").count()).toBe(4);
  await cell(page, "a1").click();
  await expect.poll(() => page.locator(".removable").count()).toBe(2);
  await cell(page, "b1").click();
  await expect.poll(() => page.locator("p", { hasText: "Choose a stone that can jump" }).count()).toBe(1);
  // The black stone on a3 can jump to a1.
  await cell(page, "a3").hover();
  await expect.poll(() => page.locator(".cell.target").count()).toBe(1);
  await page.mouse.move(0, 0);
  await cell(page, "a3").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => cell(page, "a1").getAttribute("aria-label")).toContain("black stone, last move");
  await button("Take back").click();
  await expect.poll(() => cell(page, "a1").getAttribute("aria-label")).toContain("empty");
  await button("Resign").click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  expect(await status().textContent()).toContain("White wins: black resigned");
});

test("play: the swap rule, clocks, and two players of the program", async () => {
  await visit("play");
  await newGame(async (dialog) => {
    await dialog.getByText("4", { exact: true }).click();
    await plays(dialog, "Black", "person");
    await dialog.getByText("Names, clock and handicap").click();
    await dialog.getByLabel("Minutes for white").fill("50");
    await dialog.getByLabel("Minutes for black").fill("30");
  });
  await cell(page, "d4").click();
  await button("Swap").click();
  await expect.poll(() => cell(page, "d4").getAttribute("aria-label")).toContain("black stone");
  const clock = (side: string) => page.getByRole("group", { name: side, exact: true }).getByRole("timer").textContent();
  // Each side has its own, and they run.
  expect(await clock("White")).toMatch(/50:00|4\d:\d\d/);
  expect(await clock("Black")).toMatch(/30:00|2\d:\d\d/);
  await newGame(async (dialog) => {
    for (const side of ["White", "Black"]) await plays(dialog, side, "beginner");
    for (const side of ["white", "black"]) await dialog.getByLabel(`Minutes for ${side}`).fill("0");
    await dialog.getByLabel("Other size").fill("3");
  });
  await expect.poll(() => status().textContent()).toMatch(/won|wins|draw/);
});

test("play: a handicap of random opening moves against a named player", async () => {
  await visit("play");
  await newGame(async (dialog) => {
    await dialog.getByText("4", { exact: true }).click();
    await plays(dialog, "White", "player rave");
    await plays(dialog, "Black", "person");
    await dialog.getByLabel("Seconds per move of an engine").fill("0.1");
    await dialog.getByText("Names, clock and handicap").click();
    await dialog.getByLabel("Random opening moves of white").fill("2");
  });
  const moves = page.getByRole("list", { name: "Moves" }).locator(".move");
  for (const played of [1, 3, 5]) {
    await expect.poll(() => moves.count()).toBe(played);
    expect(await button("Swap").count()).toBe(0);
    await page.locator(".cell.open").first().click();
  }
  await expect.poll(() => page.url()).toContain("Handicap");
});

test("analyse: candidates stream, lines are shown, and the tree is edited", async () => {
  await visit("analyse?game=havannah&size=5&moves=c3.f7");
  await button("Analyse").click();
  const rows = page.getByRole("region", { name: "Analysis" }).locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(10);
  const visits = async () => (await rows.first().locator("td").nth(2).textContent()) ?? "";
  const before = await visits();
  await expect.poll(visits).not.toBe(before);
  await rows.first().hover();
  await expect.poll(() => page.locator(".ghost").count()).toBeGreaterThan(1);
  await page.mouse.move(0, 0);
  await expect.poll(() => page.locator("circle.heat").count()).toBeGreaterThan(0);
  await button("Stop").click();

  await tab("Moves");
  const moves = page.getByRole("list", { name: "Moves" });
  await cell(page, "d4").click();
  await page.keyboard.press("[");
  await expect.poll(() => moves.locator("[aria-current]").textContent()).toContain("f7");
  await cell(page, "e5").click();
  await expect.poll(() => moves.locator(".variations").count()).toBe(1);
  await expect.poll(() => moves.locator("[aria-current]").textContent()).toContain("e5");
  await button("Make main line").click();
  expect(await moves.locator(":scope > li > button").last().textContent()).toContain("e5");
  await page.getByLabel("Comment").fill("a fine move");
  await page.getByLabel("Comment").blur();
  await expect.poll(() => page.url()).toContain("note=");
  await button("Delete from here").click();
  await expect.poll(() => moves.locator(".variations").count()).toBe(0);

  await tab("Board");
  await page.getByRole("combobox", { name: "Show", exact: true }).selectOption("white");
  await expect.poll(() => cell(page, "c4").textContent()).toMatch(/\d/);
  await page.getByRole("combobox", { name: "Dialect" }).selectOption("row");
  await expect.poll(() => page.url()).toContain("dialect=row");
  await tab("Moves");
  expect(await moves.textContent()).toContain("f6");
  await tab("Board");
  await page.getByLabel("corner on top").check();
  await accessible(page);
});

test("analyse: what the network expects needs no search", async () => {
  await visit("analyse?game=havannah&size=4&moves=a1.b2");
  await tab("Board");
  await page.getByRole("combobox", { name: "Show", exact: true }).selectOption("network");
  await page.getByText("Before any search the network expects white to score").waitFor();
  // Each empty cell has the chance of its move; those below half a per cent have no number.
  const numbers = (await page.locator(`[id^="cell-"]`).allTextContents()).map((text) => Number.parseInt(text, 10) || 0);
  const sum = numbers.reduce((all, number) => all + number, 0);
  expect(sum).toBeGreaterThan(80);
  expect(sum).toBeLessThan(120);
  expect(await button("Analyse").count()).toBe(1);
  await accessible(page);
});

test("analyse: a table says what first stones are worth", async () => {
  const visitStones = async (size: string) => {
    await visit(`analyse?game=havannah&size=${size}`);
    await tab("Board");
    await page.getByRole("combobox", { name: "Show", exact: true }).selectOption("first-stones");
  };
  await visitStones("6");
  await expect.poll(() => cell(page, "a1").textContent()).toContain("86");
  expect(await cell(page, "f6").textContent()).toContain("35");
  await page.getByText("Under the swap rule a fair first stone is near 50").waitFor();
  await accessible(page);
  await visitStones("3x4x4");
  await page.getByText("Solved: W where White wins if it begins there").waitFor();
  expect(await cell(page, "a1").textContent()).toMatch(/[WB]/);
  await visitStones("4x4x5");
  await page.getByText("Nothing is known of first stones on this board.").waitFor();
});

test("analyse: the structures that the network expects", async () => {
  await visit("analyse?game=havannah&size=4&moves=a1.g6.a2.g5.a3.g4");
  await tab("Board");
  const show = page.getByRole("combobox", { name: "Show", exact: true });
  await show.selectOption("white-structures");
  await page.getByText("White wins 0 % with a fork, 100 % with a bridge, 0 % with a ring.").waitFor();
  expect(await page.locator("circle.heat").count()).toBe(1);
  await show.selectOption("black-structures");
  await page.getByText("Black wins 0 % with a fork, 0 % with a bridge, 0 % with a ring.").waitFor();
  expect(await page.locator("circle.heat").count()).toBe(0);
});

test("analyse: regions of Kōnane have values", async () => {
  await visit("analyse?game=konane&rows=4&cols=4&setup=corner&moves=a3-a1");
  await tab("Board");
  await page.getByRole("combobox", { name: "Show", exact: true }).selectOption("threats");
  await expect.poll(() => page.locator("p", { hasText: "Independent regions" }).textContent()).toMatch(/together .+:/);
});

const games = join(data, "littlegolem");
test.skipIf(!existsSync(games))("review: a real game of Little Golem", async () => {
  await visit("review");
  const name = existsSync(join(games, "1011194.hgf")) ? "1011194.hgf" : (readdirSync(games)[0] ?? "");
  await page.getByLabel("A game file").setInputFiles(join(games, name));
  const game = page.getByRole("region", { name: "The game" });
  await expect.poll(() => game.textContent()).toContain("written in the row dialect");
  await page.getByLabel("Simulations per position").fill("100");
  await button("Review").click();
  await expect.poll(() => button("Review").count()).toBe(1);
  await page.getByLabel("To the end").click();
  await expect.poll(() => page.getByRole("region", { name: "The review" }).textContent()).toMatch(/→/);
  await button("Write into the game").click();
  await tab("Share");
  const path = await saved(page, "SGF", join(server.folder, "reviewed.sgf"));
  expect(readFileSync(path, "utf8")).toMatch(/C\[.*→.*\]/);
  await accessible(page);
});

test("review: a list of moves is read, and a file with an illegal move is as far as it goes", async () => {
  await visit("review");
  await page.getByLabel("A file or a list of moves").fill("havannah 4\na1 b2 c3");
  await button("Read").click();
  await tab("Moves");
  await expect.poll(() => page.getByRole("list", { name: "Moves" }).locator("li").count()).toBe(3);
  await tab("Review");
  await button("Another game").click();
  await page.getByLabel("A file or a list of moves").fill("this is no game");
  await button("Read").click();
  await page.getByRole("alert").waitFor();
});

test("solve: the early position of size 4, with a certificate that is verified", async () => {
  await visit("solve?game=havannah&size=4&moves=b1.d2.a2.e4");
  await button("Solve").click();
  await expect.poll(() => page.locator(".answer").first().textContent()).toBe("White wins, proven.");
  const path = await saved(page, "Download the certificate", join(server.folder, "early.cert"));
  await button("Verify it").click();
  await expect.poll(() => page.locator(".answer").last().textContent()).toContain(
    "The certificate is valid: white wins",
  );
  // What was downloaded is the same proof, which can be walked through from anywhere, and damage is found.
  expect(server.run("verify", path)).toContain("valid: white wins");
  await visit("solve?game=konane&size=6");
  await page.getByLabel("Verify a certificate").setInputFiles(path);
  await button("Walk its proof").click();
  await page.getByText("White wins: White plays").waitFor();
  expect(page.url()).toContain("moves=b1.d2.a2.e4");
  await visit("solve?game=havannah&size=4");
  const bytes = readFileSync(path);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  await page.getByLabel("Verify a certificate").setInputFiles(path);
  await expect.poll(() => page.locator(".answer").last().textContent()).toContain("The certificate is not valid");
  await accessible(page);
});

test("solve: a solver rests and goes on", async () => {
  await visit("solve?game=havannah&size=5");
  await button("Solve").click();
  const progress = () => page.locator("dl").textContent();
  await expect.poll(progress).toMatch(/Positions/);
  await button("Pause").click();
  let rested = await progress();
  const goesOn = async () => {
    const before = rested;
    await page.waitForTimeout(500);
    rested = await progress();
    return rested !== before;
  };
  await expect.poll(goesOn).toBe(false);
  await button("Resume").click();
  await expect.poll(progress).not.toBe(rested);
  await button("Stop").click();
});

test("solve: a solver goes on after the server was killed", async () => {
  await visit("solve?game=havannah&size=6");
  await button("Solve").click();
  const folder = join(server.folder, "games.solving");
  const whole = () => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("havannah-6-") && name.endsWith(".checkpoint"));
  await expect.poll(whole).toBe(true);
  await server.kill();
  await server.start();
  await expect.poll(() => page.locator("dl").textContent()).toMatch(/after .* of an earlier search/);
  await button("Stop").click();
});

test("experiments: progress, a figure, and a game on the board", async () => {
  writeFileSync(join(server.folder, "small.toml"), EXPERIMENT);
  await visit("experiments");
  await page.getByText("No experiments yet").waitFor();
  // The page hears of it.
  server.run("arena", "run", "small.toml");
  await page.getByRole("link", { name: "small" }).click();
  await page.getByRole("heading", { name: "A small experiment" }).waitFor();
  const figure = page.getByRole("img", { name: /RAVE against UCT/ });
  await expect.poll(() => figure.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await accessible(page);
  // Nothing is asked for while nothing is new.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const askedNow = async () => {
    asked.length = 0;
    await page.waitForTimeout(5_000);
    return asked;
  };
  await expect.poll(askedNow).toEqual([]);
  await page.getByRole("region", { name: "Games" }).getByRole("button").first().click();
  await tab("Moves");
  await page.getByRole("list", { name: "Moves" }).locator("li").first().waitFor();
});

test("share: the whole game is in the address, and a saved one outlives the server", async () => {
  await visit("analyse?game=havannah&size=5&moves=c3.d4.(e5.f6).g7&note=2+here&at=2");
  const moves = page.getByRole("list", { name: "Moves" });
  await tab("Moves");
  await expect.poll(() => moves.locator(".move").count()).toBe(5);
  expect(await page.getByLabel("Comment").inputValue()).toBe("here");
  await tab("Share");
  for (const kind of ["SVG", "PNG"]) {
    const path = await saved(page, kind, join(server.folder, kind));
    expect(readFileSync(path).subarray(0, 4).toString("latin1")).toBe(kind === "SVG" ? "<svg" : "\x89PNG");
  }
  await page.getByLabel("Title").fill("My game");
  await button("Save").click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await server.kill();
  await server.start();
  await page.getByRole("link", { name: "Saved games" }).click();
  // Its card has the board after the last move of the main line.
  const card = page.getByRole("listitem").filter({ hasText: "My game" });
  await card.getByText("3 moves").waitFor();
  expect(await card.locator("ellipse.stone").count()).toBe(3);
  await page.getByRole("button", { name: "My game", exact: true }).click();
  await tab("Moves");
  await expect.poll(() => moves.locator(".move").count()).toBe(5);
  await page.getByRole("link", { name: "Saved games" }).click();
  await card.waitFor();
  await accessible(page);
  await page.getByRole("button", { name: "Delete My game" }).click();
  await agree(page, "Delete");
  await page.getByText("No saved games yet").waitFor();
});
