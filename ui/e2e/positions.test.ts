// Positions that somebody sets up, and proofs that somebody walks through.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { context, page, server, visit } from "./app";
import { accessible, cell, live } from "./papamu";
import { button, expectMoves, moves, saved, stones, tab } from "./play";

const radio = (name: string) => page.getByRole("radio", { name, exact: true }).check();
const said = () => page.getByRole("region", { name: "Set up" }).getByRole("status").textContent();

test("set up: stones by mouse and keyboard, refused with the reason, kept in the address, the file and the other pages", async () => {
  await visit("analyse?game=havannah&size=4&moves=d4.e5");
  await expectMoves(page, "d4", "e5");
  await button(page, "Set up").click();
  // It begins with what is on the board.
  await expect.poll(() => stones(page)).toEqual({ d4: "white", e5: "black" });
  await button(page, "Empty board").click();
  await radio("A white stone");
  for (const name of ["a1", "a2", "a3"]) await cell(page, name).click();
  await cell(page, "a3").press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect.poll(said).toContain("white has a bridge already, with the stone on a4");
  expect(await button(page, "Use this position").isDisabled()).toBe(true);
  await radio("No stone");
  await cell(page, "a4").click();
  // Two more, and White wins on both sides of a1 whatever Black does.
  await radio("A white stone");
  for (const name of ["b1", "c1"]) await cell(page, name).click();
  await radio("A black stone");
  for (const name of ["g4", "g5"]) await cell(page, name).click();
  await radio("Black moves");
  await expect.poll(said).toBe("Black to move.");
  await accessible(page);
  await button(page, "Use this position").click();
  const placed = { a1: "white", a2: "white", a3: "white", b1: "white", c1: "white", g4: "black", g5: "black" };
  await expect.poll(() => stones(page)).toEqual(placed);
  expect(new URLSearchParams(page.url().split("?")[1]).get("stones")).toBe("white a1 a2 a3 b1 c1 black g4 g5");
  await page.reload();
  await live(page);
  await expect.poll(() => stones(page)).toEqual(placed);
  await tab(page, "Share");
  const path = await saved(page, "SGF", join(server.folder, "set-up.sgf"));
  const file = readFileSync(path, "utf8");
  for (const property of ["AW[a1][a2][a3][b1][c1]", "AB[g4][g5]", "PL[B]"]) expect(file).toContain(property);
  // The file is the same position again.
  await page.getByRole("link", { name: "Review", exact: true }).click();
  await page.getByLabel("A game file").setInputFiles(path);
  await expect.poll(() => stones(page)).toEqual(placed);
  await page.goBack();
  await page.getByRole("region", { name: "Analysis" }).waitFor();
  await expect.poll(() => stones(page)).toEqual(placed);
  await page.getByRole("link", { name: "Solve", exact: true }).last().click();
  await expect.poll(() => stones(page)).toEqual(placed);
  await button(page, "Solve").click();
  await expect.poll(() => page.locator(".answer").first().textContent()).toBe("White wins, proven.");
  await button(page, "Verify it").click();
  await expect.poll(() => page.locator(".answer").last().textContent()).toContain("stones white a1 a2 a3 b1 c1 black g4 g5 turn black");
  await page.goBack();
  await page.getByRole("link", { name: "Play from here" }).click();
  // Black is the program's, and moves first.
  await expect.poll(async () => (await moves(page)).length).toBe(1);
  // The game before the position is one step back.
  await page.goBack();
  await page.getByRole("region", { name: "Analysis" }).waitFor();
  await page.goBack();
  await expectMoves(page, "d4", "e5");
});

test("set up: what is asked for before the board is there waits for it", async () => {
  await visit("solve?game=havannah&size=4");
  let answer = () => {};
  const wanted = new Promise<void>((done) => (answer = done));
  await page.route("**/api/position", async (route) => {
    await wanted;
    await route.continue();
  });
  await page.goto(`${server.address}#/analyse?game=havannah&size=6&moves=d4`);
  await button(page, "Set up").click();
  answer();
  await expect.poll(said).toBe("Black to move.");
  await expect.poll(() => stones(page)).toEqual({ d4: "white" });
});

test("set up: Kōnane and Hex, by touch, on a phone", async () => {
  await visit("analyse?game=konane&rows=6&cols=6", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await button(page, "Set up").click();
  await radio("No stone");
  for (const name of ["d4", "c4", "b4"]) await cell(page, name).tap();
  await expect.poll(async () => Object.keys(await stones(page)).length).toBe(33);
  await radio("A white stone");
  await cell(page, "d4").tap();
  await expect.poll(said).toContain("d4 is a cell of black");
  await cell(page, "d4").tap();
  await radio("White moves");
  await expect.poll(said).toBe("White to jump.");
  await button(page, "Use this position").click();
  // c6 is white, and jumps over c5 to c4.
  await expect.poll(() => cell(page, "c6").getAttribute("aria-label")).toContain("can jump");
  await context.close();

  await visit("analyse?game=hex&size=5", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await button(page, "Set up").click();
  await radio("A black stone");
  for (const name of ["c1", "c2", "c3", "c4", "c5"]) await cell(page, name).tap();
  await expect.poll(said).toContain("black has joined its edges already");
  await cell(page, "c5").tap();
  await button(page, "Use this position").click();
  await button(page, "Analyse").click();
  await expect.poll(() => page.locator("tbody tr").first().textContent()).toMatch(/(b5|c5).*win/);
});

test("solve: the proof answers every move of the loser, and says what lies below", async () => {
  await visit("solve?game=havannah&size=4&moves=b1.d2.a2.e4");
  await button(page, "Solve").click();
  await button(page, "Walk the proof").click();
  const proof = page.getByRole("tabpanel", { name: "Proof" });
  await expect.poll(() => proof.textContent()).toMatch(/White wins: White plays \S+\./);
  expect(await proof.textContent()).toMatch(/At most \d+ more plies; .+ positions of the proof below/);
  const first = await proof.locator(".verdict b").textContent();
  await button(page, `Play ${first}`).click();
  await expectMoves(page, "b1", "d2", "a2", "e4", first ?? "");
  await expect.poll(() => proof.textContent()).toContain("any move of Black has an answer");
  await accessible(page);
  // The longest resistance is the line that the program tells of the same certificate.
  await tab(page, "Solver");
  const path = await saved(page, "Download the certificate", join(server.folder, "walked.cert"));
  await tab(page, "Proof");
  const told = JSON.parse(server.run("explore", path, "--moves", first ?? "", "--json"));
  expect(await proof.textContent()).toContain(`Longest resistance: ${told.line.join(" ")}`);
  expect(await proof.locator("tbody tr").count()).toBe(Math.min(40, told.replies.length));
  // The part behind the move is a certificate of its own.
  const part = await saved(page, "Download this part", join(server.folder, "part.cert"));
  expect(server.run("verify", part)).toContain(`valid: white wins (havannah 4, after b1 d2 a2 e4 ${first})`);
  // A move of the loser on the board is answered at once.
  const [reply] = told.replies;
  await cell(page, reply.move).click();
  await expectMoves(page, "b1", "d2", "a2", "e4", first ?? "", reply.move, reply.answer);
  await expect.poll(() => proof.textContent()).toContain("any move of Black has an answer");
  // Another move of the winner is not in the proof.
  await page.getByLabel("One move back").click();
  const free = await page.locator("svg.board .cell[aria-label$=', empty']").evaluateAll((cells) => cells.map((one) => one.id.slice(5)));
  await cell(page, free.find((name) => name !== reply.answer) ?? "").click();
  await expect.poll(() => proof.textContent()).toMatch(/does not come to this position|settle the rest|has an answer/);
});
