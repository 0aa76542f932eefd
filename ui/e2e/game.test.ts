// A game is never lost or changed by accident: double clicks, reloads, other pages, a server that is killed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { context, page, server, visit } from "./app";
import { cell, open } from "./papamu";
import { agree, begin, button, choose, expectMoves, expectTrue, moves, press, saved, status, tab } from "./play";

const clocks = async () => (await page.locator("[role=timer]").allTextContents()).map((text) => text.trim());

test("a double click is one move, and two quick clicks on two cells are the first of them", async () => {
  await visit();
  await begin(page, { size: "5" });
  await cell(page, "e5").dblclick();
  await expectMoves(page, "e5");
  await page.evaluate(() => {
    for (const name of ["cell-c3", "cell-d4"]) document.getElementById(name)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  await expectMoves(page, "e5", "c3");
  await cell(page, "d4").click();
  await expectMoves(page, "e5", "c3", "d4");
  await expectTrue(server, page);
});

test("a reload, another page and back, and the way through the history keep players, clocks and the end", async () => {
  await visit();
  await begin(page, { white: "strong", black: "person", minutes: [60, 60], size: "4" });
  await expect.poll(async () => (await moves(page)).length).toBe(1);
  const played = await moves(page);
  const kept = async () => {
    await expectMoves(page, ...played);
    const shown = await clocks();
    expect([shown.length, shown.every((text) => /60:00|5\d:\d\d/.test(text))]).toEqual([2, true]);
    expect(await page.getByText("Strong", { exact: true }).first().isVisible()).toBe(true);
    await expect.poll(() => button(page, "Resign").isEnabled()).toBe(true);
  };
  await page.reload();
  await kept();
  await page.getByRole("link", { name: "Solve", exact: true }).click();
  await page.getByRole("region", { name: "The solver" }).waitFor();
  await page.goBack();
  await kept();
  await page.goForward();
  await page.getByRole("region", { name: "The solver" }).waitFor();
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await kept();
  // In another window too: the game that was played last.
  const another = await open(context, server, "play");
  await expectMoves(another, ...played);
  await another.close();

  await button(page, "Resign").click();
  await agree(page, "Resign");
  expect(await status(page)).toContain("White wins: black resigned");
  await page.reload();
  await expect.poll(() => status(page)).toContain("White wins: black resigned");
  expect(await button(page, "Resign").count()).toBe(0);
});

test("who looks back while the program thinks finds its move afterwards, and plays on", async () => {
  await visit();
  // What the program answers is held back until somebody looks at an earlier position.
  const held: (() => void)[] = [];
  let holds = true;
  await page.routeWebSocket("**/api/live", (socket) => {
    socket.connectToServer().onMessage((message) => {
      const pass = () => socket.send(message);
      if (holds) held.push(pass);
      else pass();
    });
  });
  await page.reload();
  await begin(page, { black: "player rave", seconds: 0.1, size: "4" });
  await cell(page, "d4").click();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  expect(await status(page)).toContain("Thinking");
  await page.getByLabel("One move back").click();
  await expect.poll(() => cell(page, "d4").getAttribute("aria-label")).toContain("empty");
  holds = false;
  for (const pass of held) pass();
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  // What is shown is still the start, and nothing can be played there.
  await expect.poll(() => cell(page, "d4").getAttribute("aria-label")).toContain("empty");
  await press(page, "c3");
  await page.getByLabel("To the end").click();
  await expect.poll(() => cell(page, "d4").getAttribute("aria-label")).toContain("white stone");
  const free = (await moves(page)).includes("c3") ? "c4" : "c3";
  await cell(page, free).click();
  await expect.poll(async () => (await moves(page)).length).toBe(4);
  await expectTrue(server, page);
});

test("a move that the server does not hear is not played until it does, and only once", async () => {
  await visit();
  await begin(page, { size: "4" });
  await cell(page, "a1").click();
  await expectMoves(page, "a1");
  await server.kill();
  await cell(page, "e5").click();
  await page.getByText("The server does not answer; trying again").waitFor();
  expect(page.url()).not.toContain("e5");
  await press(page, "e4");
  await server.start();
  await expectMoves(page, "a1", "e5");
  await expectTrue(server, page);
  // Somebody who does not want to wait takes it back.
  await server.kill();
  await cell(page, "d4").click();
  await page.getByText("The server does not answer; trying again").waitFor();
  await button(page, "Take back").click();
  await server.start();
  await cell(page, "c3").click();
  await expectMoves(page, "a1", "e5", "c3");
});

test("names are those of the people who play, on the board, in files, in a rematch and after a reload", async () => {
  await visit();
  await begin(page, { size: "3", names: ["Kaʻahumanu", "<b>O'Brien & \\]Co</b>"] });
  const shown = async (side: string) => page.getByRole("group", { name: side, exact: true }).locator(".name").textContent();
  const named = async (white: string, black: string) => {
    await expect.poll(() => shown("White")).toBe(white);
    await expect.poll(() => shown("Black")).toBe(black);
  };
  await named("Kaʻahumanu", "<b>O'Brien & \\]Co</b>");
  await cell(page, "a1").click();
  await expectMoves(page, "a1");
  await page.reload();
  await named("Kaʻahumanu", "<b>O'Brien & \\]Co</b>");
  await tab(page, "Share");
  const path = await saved(page, "SGF", join(server.folder, "named.sgf"));
  const file = readFileSync(path, "utf8");
  expect(file).toContain("PW[Kaʻahumanu]");
  expect(file).toContain("PB[<b>O'Brien & \\\\\\]Co</b>]");
  await tab(page, "Board");
  await button(page, "Change sides").click();
  await named("<b>O'Brien & \\]Co</b>", "Kaʻahumanu");
});

test("a reload while a move is on its way leaves a game that goes on", async () => {
  await visit();
  await begin(page, { black: "beginner", size: "4" });
  await press(page, "d4");
  await page.reload();
  await expect.poll(() => status(page)).toMatch(/White to move/);
  await expectTrue(server, page);
  expect([0, 2]).toContain((await moves(page)).length);
});

test("what is chosen for a new game does not touch the one that is played", async () => {
  await visit();
  await begin(page, { size: "4" });
  await cell(page, "d4").click();
  await expectMoves(page, "d4");
  await choose(page, { size: "5", white: "beginner", black: "beginner" });
  await page.keyboard.press("Escape");
  await cell(page, "c3").click();
  await cell(page, "c4").click();
  await expectMoves(page, "d4", "c3", "c4");
});

test("a new game, a resignation and a deletion ask first, and what can be undone is", async () => {
  await visit();
  await begin(page, { size: "4" });
  await cell(page, "d4").click();
  await expectMoves(page, "d4");
  await choose(page, { size: "5" });
  await page.getByRole("dialog", { name: "New game" }).getByRole("button", { name: "Start" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectMoves(page, "d4");
  await button(page, "Resign").click();
  await page.keyboard.press("Escape");
  expect(await status(page)).toContain("Black to move");
  await begin(page, { size: "5" });
  await expectMoves(page);
  await page.goBack();
  await expectMoves(page, "d4");

  await page.goto(`${server.address}#/analyse?game=havannah&size=4&moves=a1.b2.c3&at=2`);
  await expectMoves(page, "a1", "b2", "c3");
  await tab(page, "Moves");
  await button(page, "Delete from here").click();
  await agree(page, "Delete");
  await expectMoves(page, "a1");
  await button(page, "Undo").click();
  await expectMoves(page, "a1", "b2", "c3");
});

test("after a flag somebody takes back, and has time again", async () => {
  await visit();
  await page.clock.install();
  await page.reload();
  await begin(page, { size: "4", black: "beginner", minutes: [0.05, 5] });
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  /** Lets some time pass, since weak levels take a moment for their moves. */
  const played = async () => {
    await page.clock.runFor(100);
    return (await moves(page)).length;
  };
  await cell(page, "d4").click();
  await expect.poll(played).toBe(2);
  await page.clock.runFor(4_000);
  await expect.poll(() => status(page)).toContain("white ran out of time");
  await button(page, "Take back").click();
  await expect.poll(() => status(page)).toContain("White to move");
  // As much as was left is not enough to think.
  await page.clock.runFor(5_000);
  expect(await status(page)).toContain("White to move");
  await cell(page, "c3").click();
  await expect.poll(played).toBe(2);
  expect(await status(page)).not.toContain("ran out of time");
});

test("sides are changed in the game, and it is played again", async () => {
  await visit();
  await begin(page, { size: "3", black: "beginner" });
  await tab(page, "Board");
  await button(page, "Change sides").click();
  await expect.poll(async () => (await moves(page)).length).toBe(1);
  await expect.poll(() => status(page)).toContain("Black to move");
  await button(page, "Resign").click();
  await agree(page, "Resign");
  await button(page, "Rematch").click();
  await expect.poll(() => status(page)).toContain("White to move");
  await expectMoves(page);
});

test("a weak level takes a moment for its move, by the clock of the page", async () => {
  await visit();
  await page.clock.install();
  await page.reload();
  let answers = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      if (String(payload).includes('"moved"')) answers++;
    }),
  );
  await begin(page, { size: "4", black: "beginner" });
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await cell(page, "d4").click();
  await expect.poll(() => answers).toBe(1);
  // The move is known, and not made yet.
  expect(await moves(page)).toEqual(["d4"]);
  await page.clock.runFor(1_000);
  await expect.poll(async () => (await moves(page)).length).toBe(2);
});
