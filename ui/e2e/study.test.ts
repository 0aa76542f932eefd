// What somebody learns of a game: reviews and analyses are right, are kept, and answer bad input with a reason.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { context, page, server, visit } from "./app";
import { accessible, cell } from "./papamu";
import { begin, button, byTheRules, saved, stateAt, status, tab } from "./play";

const review = () => page.getByRole("region", { name: "The review" });
/** White has three stones of a bridge on an edge, as Black has, and makes another move: Black wins. */
const MISSED = ["a1", "g4", "a2", "g5", "a3", "g6", "d4", "g7"];

test("a review calls a missed win so, lets somebody find it, and is still there after a visit elsewhere", async () => {
  await visit("review");
  await page.getByLabel("A file or a list of moves").fill(`havannah 4\n${MISSED.join(" ")}`);
  await button(page, "Read").click();
  await page.getByLabel("Simulations per position").fill("1000");
  await button(page, "Review").click();
  await page.getByText("8 of 8 moves").waitFor();
  await expect.poll(() => review().textContent()).toContain("missed win");
  await page.getByLabel("Learn from white's mistakes").click();
  await page.getByText("Find a better move on the board").waitFor();
  const missed = async () => (await page.getByText(/played .*, a missed win/).count()) > 0;
  for (let tried = 0; tried < 5 && !(await missed()); tried++) await page.getByLabel("Learn from white's mistakes").click();
  // a4 wins at once, if the mistake is that one; whatever is tried is judged.
  if ((await cell(page, "a3").getAttribute("aria-label"))?.includes("white")) {
    await cell(page, "a4").click();
    await page.getByText("a4 is as good as anything").waitFor();
  }
  await accessible(page);

  await page.getByRole("region", { name: "The game" }).getByRole("link", { name: "Analyse" }).click();
  await page.getByRole("region", { name: "Analysis" }).waitFor();
  await page.goBack();
  await page.getByText("8 of 8 moves").waitFor();
  await expect.poll(() => review().textContent()).toContain("missed win");
  await page.reload();
  await page.getByText("8 of 8 moves").waitFor();
  // A saved game has its review with it, in another browser too.
  await tab(page, "Share");
  await page.getByLabel("Title").fill("Reviewed");
  await button(page, "Save").click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await context.close();
  await visit("saved");
  await button(page, "Reviewed").click();
  await page.getByRole("region", { name: "Analysis" }).waitFor();
  await page.goto(page.url().replace("#/analyse", "#/review"));
  await page.getByText("8 of 8 moves").waitFor();
});

test("what the engine itself plays on a large board with more effort is hardly ever a mistake", async () => {
  // By the default player with 3,000 simulations. Reviewed with 1,000, none of the 176 moves of seven such games looked
  // like a mistake; chance may make one look like an inaccuracy.
  const moves = "n14 h14 m13 n15 m14 m15 l14 l15 o15 k14 k13 j13 k12 l12 k11 i13 k10 m12 l10 n12 m8 h13 o8 n8 o9 n9";
  await visit(`review?game=havannah&size=8&moves=${moves.replaceAll(" ", ".")}`);
  await page.getByLabel("Simulations per position").fill("1000");
  await button(page, "Review").click();
  await page.getByText("26 of 26 moves", { exact: true }).waitFor();
  const mistakes = page.getByRole("table", { name: "Mistakes" }).locator("tbody");
  await expect.poll(() => mistakes.innerText()).toMatch(/^(none so far|[^\n]*\tinaccuracy\t[^\n]*)$/);
});

test("a graph outlives a visit elsewhere, and another order of the variations", async () => {
  await visit("analyse?game=havannah&size=4&moves=a1.b2.(b3).c3&at=1");
  await button(page, "Analyse").click();
  await tab(page, "Moves");
  const graph = page.getByRole("img", { name: /Chances of White/ });
  for (let move = 0; move < 2; move++) {
    await page.locator("tbody tr").first().waitFor({ state: "attached" });
    await page.getByLabel("One move on").click();
  }
  await graph.waitFor();
  await button(page, "Stop").click();
  const moves = page.getByRole("list", { name: "Moves" });
  const current = () => moves.locator("[aria-current]").textContent();
  await moves.getByRole("button", { name: /b3/ }).click();
  await expect.poll(current).toContain("b3");
  await button(page, "Make main line").click();
  await moves.getByRole("button", { name: /b2/ }).click();
  // The graph of the line before is there until the move is shown.
  await expect.poll(current).toContain("b2");
  await graph.waitFor();
  await page.getByRole("link", { name: "Saved games" }).click();
  await page.goBack();
  await tab(page, "Moves");
  await graph.waitFor();
});

test("labels of jumps are those of the stone that is chosen", async () => {
  // After the opening in a corner, a3 and c1 of Black jump to a1.
  await visit("analyse?game=konane&rows=6&cols=6&moves=c3.c4");
  await button(page, "Analyse").click();
  const rows = page.locator("tbody tr");
  await rows.first().waitFor();
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  await button(page, "Stop").click();
  // Each stone that can jump shows the values of its own jumps.
  const found = await rows.evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll("td")].map((one) => one.textContent?.trim() ?? "")),
  );
  for (const [move = "", value = "", , proven = ""] of found) {
    const [from = "", to = ""] = move.split("-");
    await cell(page, from).click();
    const expected = proven ? /[WLD]$/ : new RegExp(`, ${Math.round(Number.parseFloat(value))}$`);
    await expect.poll(() => cell(page, to).getAttribute("aria-label")).toMatch(expected);
    await cell(page, from).click();
  }
});

test("a ring that wins at once is at distance 1", async () => {
  const moves = "a1.f6.a2.a5.b1.d8.c2.e3.b3.c3.c6.c7.b6.c5.d3.e6.c4.d4.e4.d1.d5.d6";
  await visit(`analyse?game=havannah&size=5&swap=1&moves=${moves}`);
  await tab(page, "Board");
  await page.getByRole("combobox", { name: "Show", exact: true }).selectOption("white");
  await expect.poll(() => cell(page, "e5").getAttribute("aria-label")).toMatch(/^e5, empty, .*1$/);
});

test("candidates have parts of what was searched, in both games", async () => {
  for (const state of ["game=havannah&size=6&moves=d4.e5", "game=konane&rows=8&cols=8&moves=d4.c4"]) {
    await visit(`analyse?${state}`);
    await button(page, "Analyse").click();
    const rows = page.locator("tbody tr");
    await rows.first().waitFor();
    const searched = page.locator(".sum", { hasText: "searched" });
    const number = (text: string) => Number.parseFloat(text) * ({ k: 1e3, M: 1e6 }[/[kM]$/.exec(text)?.[0] ?? ""] ?? 1);
    await expect.poll(async () => number(/([\d.]+(?: [kM])?) searched/.exec((await searched.textContent()) ?? "")?.[1] ?? "")).toBeGreaterThan(300);
    await button(page, "Stop").click();
    const all = number(/([\d.]+(?: [kM])?) searched/.exec((await searched.textContent()) ?? "")?.[1] ?? "");
    const parts = (await rows.locator("td:nth-child(3)").allTextContents()).map((text) => number(text.trim()));
    const sum = parts.reduce((sum, part) => sum + part, 0);
    // Each number is rounded, and the list has ten moves at most.
    expect(sum, state).toBeLessThanOrEqual(1.05 * all + 10);
    if (parts.length < 10) expect(sum, state).toBeGreaterThanOrEqual(0.95 * all - 10);
    else expect(sum, state).toBeGreaterThan(0);
  }
});

test("what was found of a position is there at once when somebody comes back, and nothing is asked for", async () => {
  await visit("analyse?game=havannah&size=5&moves=c3.d4&at=1");
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/api/") && asked.push(request.url()));
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => asked.push(String(payload))));
  await button(page, "Analyse").click();
  const first = page.locator("tbody tr").first();
  const found = () => page.getByRole("region", { name: "Analysis" }).locator("tbody").innerText();
  const said = () => page.getByText(/searched ·/).textContent();
  await first.waitFor();
  await page.getByLabel("One move on").click();
  await expect.poll(() => cell(page, "d4").getAttribute("aria-label")).toContain("last move");
  await page.locator(".heat").first().waitFor();
  await button(page, "Stop").click();
  const later = [await said(), await found()];
  await expect.poll(() => asked.at(-1)).toContain("stop");
  asked.length = 0;
  await page.getByLabel("One move back").click();
  await expect.poll(() => cell(page, "c3").getAttribute("aria-label")).toContain("last move");
  await expect.poll(async () => [await said(), await found()]).not.toEqual(later);
  expect(await page.locator(".heat").count()).toBeGreaterThan(0);
  await page.getByLabel("One move on").click();
  await expect.poll(async () => [await said(), await found()]).toEqual(later);
  expect(await page.locator(".heat").count()).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

test("mistakes are listed as in the game or the costliest first, and how long a review takes is known on the way", async () => {
  await visit("saved");
  let tell: ((told: object) => void) | undefined;
  await page.routeWebSocket("**/api/live", (socket) =>
    socket.onMessage((message) => {
      const { id, type } = JSON.parse(String(message)) as { id: number; type: string };
      if (type === "review") tell = (told) => socket.send(JSON.stringify({ id, ...told }));
    }),
  );
  await page.clock.install();
  const moves = ["d4", "f6", "c5", "g5"];
  await page.goto(`${server.address}#/review?game=havannah&size=5&moves=${moves.join(".")}`);
  await page.reload();
  await button(page, "Review").click();
  const asked = page.getByText("0 of 4 moves");
  await asked.waitFor();
  const review = (place: number, loss: number) => {
    const mark = loss > 0 ? "?" : "";
    const [before, value] = [0.6, 0.6 - loss];
    const side = place % 2 === 0 ? "white" : "black";
    const move = moves[place];
    tell?.({ type: "reviewed", reviewed: { ply: place + 1, side, move, before, value, loss, margin: 0.02, mark, mistake: mark && "mistake", best: "e5", line: ["e5"], reply: ["f5"] } });
  };
  await expect.poll(() => tell != null).toBe(true);
  // Ten hours a move, of which three are left: what the machine takes besides is nothing to that.
  await page.clock.fastForward("10:00:00");
  review(0, 0.11);
  await expect.poll(() => page.getByText(/1 of 4 moves/).textContent()).toMatch(/1 of 4 moves, 30\.\d h left/);
  review(1, 0.31);
  review(2, 0);
  review(3, 0.21);
  tell?.({ type: "finished" });
  await page.getByText("4 of 4 moves", { exact: true }).waitFor();
  const listed = () => page.getByRole("table", { name: "Mistakes" }).locator("tbody tr td:first-child").allInnerTexts();
  expect(await listed()).toEqual(["1 d4?", "2 f6?", "4 g5?"]);
  await page.getByLabel("Order").selectOption("the costliest first");
  expect(await listed()).toEqual(["2 f6?", "4 g5?", "1 d4?"]);
});

test("simulations that are no number, and a file that is too large, are refused at once and with the reason", async () => {
  await visit("review?game=havannah&size=4&moves=a1.b2");
  let sockets = 0;
  page.on("websocket", () => sockets++);
  for (const wrong of ["12.5", "-5", "0", ""]) {
    await page.getByLabel("Simulations per position").fill(wrong);
    await page.getByText("A review takes from 1 to 1,000,000 simulations").waitFor();
    expect(await button(page, "Review").isEnabled()).toBe(false);
  }
  expect(sockets).toBe(0);
  await page.getByLabel("Simulations per position").fill("50");
  await button(page, "Review").click();
  await page.getByText("2 of 2 moves").waitFor();
  await button(page, "Another game").click();
  const large = join(server.folder, "large.sgf");
  writeFileSync(large, Buffer.alloc(60 * 2 ** 20, " "));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByLabel("A game file").setInputFiles(large);
  await page.getByText("The file has 60 MiB; the limit is 4 MiB").waitFor();
  expect(asked.filter((url) => url.includes("/api/files"))).toEqual([]);
});

test("a recorded result that contradicts the moves is reported", async () => {
  await visit("review");
  const file = "(;GM[havannah]SZ[4]RE[B+R];W[a1];B[g4];W[a2];B[g5];W[a3];B[g6];W[a4])";
  await page.getByLabel("A file or a list of moves").fill(file);
  await button(page, "Read").click();
  await page.getByText("the file says that black won, but by its moves white won").waitFor();
});

test("a game that was played is a file with names, result and date", async () => {
  await visit("play");
  await begin(page, { size: "3", white: "beginner", black: "beginner" });
  await expect.poll(() => status(page)).toMatch(/won|wins|drawn/i);
  await tab(page, "Share");
  const path = await saved(page, "SGF", join(server.folder, "played.sgf"));
  const file = readFileSync(path, "utf8");
  const today = new Date().toISOString().slice(0, 4);
  for (const property of [/PW\[Papamu \(beginner\)\]/, /PB\[Papamu \(beginner\)\]/, /RE\[(W\+|B\+|0)/, new RegExp(`DT\\[${today}-`)]) expect(file).toMatch(property);
});

const puzzle = () => page.getByRole("region", { name: "The puzzle" });
const said = async () => (await puzzle().getByRole("status").textContent()) ?? "";

test("a puzzle is solved, and what does not win is answered", async () => {
  await visit("puzzles/havannah/7");
  await expect.poll(said).toMatch(/to play and win/);
  await button(page, "Show the move").click();
  const star = page.locator("svg.board .cell[aria-label$='★']");
  const best = (await star.getAttribute("aria-label"))?.split(",")[0] ?? "";
  const wrong = await page.locator("svg.board .cell[aria-disabled=false]:not([aria-label$='★'])").first().getAttribute("aria-label");
  await cell(page, wrong?.split(",")[0] ?? "").click();
  await expect.poll(said).toMatch(/does not win/);
  await button(page, "Try again").click();
  await expect.poll(said).toMatch(/to play and win/);
  await cell(page, best).click();
  await expect.poll(said).toMatch(/Right|Solved/);
  await accessible(page);
});

test("a puzzle of jumps is solved to its end: every other first move is refuted", async () => {
  await visit("puzzles/konane/7");
  await expect.poll(said).toMatch(/to play and win/);
  await button(page, "Show the move").click();
  const stars = page.locator("svg.board .cell[aria-label$='★']");
  const shown = new Set(await stars.evaluateAll((cells) => cells.map(({ id }) => id.replace("cell-", ""))));
  /** The moves that the rules allow, as the cells that somebody chooses for each. */
  const legal = async () => {
    const address = (await puzzle().getByRole("link", { name: "Analyse" }).getAttribute("href")) ?? "";
    const played = new URLSearchParams(address.split("?")[1]).get("moves")?.split(".") ?? [];
    return (await byTheRules(server, stateAt(address), played)).legal.map(({ cells }) => cells);
  };
  /** What the solver says of a move, once it has judged it. */
  const judged = async (cells: string[]) => {
    for (const name of cells) await cell(page, name).click();
    await expect.poll(said).toMatch(/does not win|Right|Solved/);
    return said();
  };
  const first = await legal();
  const best = first.filter((cells) => cells.every((name) => shown.has(name)));
  expect(best).toHaveLength(1);
  for (const cells of first) {
    if (best.includes(cells)) continue;
    expect(await judged(cells), cells.join("-")).toContain("does not win");
    await button(page, "Try again").click();
    await expect.poll(said).toMatch(/to play and win/);
  }
  let verdict = await judged(best[0] ?? []);
  while (!verdict.includes("Solved")) {
    for (const cells of await legal()) {
      verdict = await judged(cells);
      if (!verdict.includes("does not win")) break;
      await button(page, "Try again").click();
      await expect.poll(said).toBe("Right. Go on.");
    }
    expect(verdict).not.toContain("does not win");
  }
  await accessible(page);
});
