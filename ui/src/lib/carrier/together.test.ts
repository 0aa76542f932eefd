import { expect, test } from "vitest";
import type { Ask, Candidate, Found, PositionView } from "../api";
import { type Moved, agreed, shares, together, usesThreads } from "./together";

const state = (game: "havannah" | "konane" | "hex") => ({ game, board: { swap: false }, moves: [] });
const candidate = (move: string, visits: number, value: number, proven: string | null = null, line = [move]): Candidate => ({
  move, visits, value, proven, line,
});
const found = (moves: Candidate[], more: Partial<Found> = {}): Found => ({
  side: "white", value: 0.5, proven: null, work: 100, rate: 10, depth: 3, line: moves[0]?.line ?? [], moves, ...more,
});
const moved = (move: string, of: Found): Moved => ({
  type: "moved", id: 1, move, position: { name: move } as PositionView, found: of,
});
const order = ({ moves }: Found) => moves.map(({ move }) => move);

test("Monte Carlo searches without a fixed end are shared, and no others", () => {
  const shared = (ask: Partial<Ask>) => shares({ id: 7, ...ask } as Ask, 4).length;
  expect(shared({ type: "analyse", state: state("havannah") })).toBe(4);
  expect(shared({ type: "analyse", state: state("hex"), player: "uct" })).toBe(4);
  expect(shared({ type: "move", state: state("havannah"), level: "full" })).toBe(4);
  expect(shared({ type: "move", state: state("havannah"), player: "uct", seconds: 1 })).toBe(4);
  // So many simulations are the same move everywhere.
  expect(shared({ type: "move", state: state("havannah"), level: "strong" })).toBe(1);
  expect(shared({ type: "move", state: state("havannah"), player: "random" })).toBe(1);
  // Alpha-beta finds the same with any seed.
  expect(shared({ type: "analyse", state: state("konane") })).toBe(1);
  expect(shared({ type: "move", state: state("konane"), level: "full" })).toBe(1);
  expect(shared({ type: "solve", state: state("havannah") })).toBe(1);
  expect(shared({ type: "review", state: state("havannah") })).toBe(1);
});

test("threads are for searches that no number of simulations ends", () => {
  const uses = (ask: Partial<Ask>) => usesThreads({ id: 7, ...ask } as Ask);
  expect(uses({ type: "analyse", state: state("konane") })).toBe(true);
  expect(uses({ type: "move", state: state("konane"), level: "full" })).toBe(true);
  expect(uses({ type: "move", state: state("hex"), player: "uct", seconds: 1 })).toBe(true);
  expect(uses({ type: "solve", state: state("havannah") })).toBe(true);
  expect(uses({ type: "move", state: state("havannah"), level: "strong" })).toBe(false);
  expect(uses({ type: "review", state: state("havannah") })).toBe(false);
});

test("each worker has a seed of its own, and the first one what was asked", () => {
  const ask: Ask = { type: "move", id: 7, state: state("havannah"), level: "full", seed: 2 ** 32 - 1 };
  const asked = shares(ask, 3);
  expect(asked[0]).toBe(ask);
  expect(asked.map((one) => (one as { seed?: number }).seed)).toEqual([2 ** 32 - 1, 0, 1]);
  expect(shares(ask, 1)).toEqual([ask]);
});

test("visits add up, and values are means of them", () => {
  const all = together([
    found([candidate("a1", 60, 0.5), candidate("b1", 40, 0.25)], { value: 0.4 }),
    found([candidate("b1", 90, 0.5), candidate("a1", 10, 1), candidate("c1", 0, 0.5, null, [])], { value: 0.7, work: 200 }),
  ]);
  expect(all.moves.map(({ move, visits }) => [move, visits])).toEqual([["b1", 130], ["a1", 70], ["c1", 0]]);
  expect(all.moves[0]?.value).toBeCloseTo((40 * 0.25 + 90 * 0.5) / 130);
  expect(all.value).toBeCloseTo(0.6);
  expect([all.work, all.rate, all.line]).toEqual([300, 20, ["b1"]]);
});

test("a proof of any search holds, and nothing else is one", () => {
  const won = found([candidate("b1", 5, 1, "win"), candidate("a1", 1, 0.5)], { value: 1, proven: "win", work: 6 });
  const open = found([candidate("a1", 900, 0.9), candidate("b1", 3, 0.1)], { work: 903 });
  expect(together([open, won])).toMatchObject({ proven: "win", value: 1, work: 909, line: ["b1"] });
  expect(order(together([open, won]))[0]).toBe("b1");
  const lost = found([candidate("b1", 10, 0.4), candidate("a1", 500, 0, "loss")]);
  const both = together([open, lost]);
  expect(both.proven).toBeNull();
  expect(order(both)).toEqual(["b1", "a1"]);
  expect(both.moves[1]).toMatchObject({ visits: 1400, value: 0, proven: "loss" });
});

test("a proven draw is better than what looks worse", () => {
  const drawn = found([candidate("a1", 10, 0.5, "draw"), candidate("b1", 90, 0.4), candidate("c1", 5, 0.6)]);
  expect(order(together([drawn, drawn]))).toEqual(["a1", "c1", "b1"]);
});

test("the move is one that a worker chose, with the position after it", () => {
  const one = moved("a1", found([candidate("a1", 60, 0.5), candidate("b1", 55, 0.5), candidate("c1", 0, 0.5)]));
  const other = moved("c1", found([candidate("c1", 61, 0.5), candidate("b1", 60, 0.5), candidate("a1", 0, 0.5)]));
  // All like b1 well, but nobody knows the position after it.
  const all = agreed([one, other]);
  expect([all.move, all.position.name, all.found.moves[0]?.visits]).toEqual(["c1", "c1", 115]);
  const proof = moved("d1", found([candidate("d1", 2, 1, "win")], { proven: "win", value: 1 }));
  expect(agreed([one, other, proof])).toMatchObject({ move: "d1", found: { proven: "win" } });
  expect(agreed([one])).toEqual(one);
});
