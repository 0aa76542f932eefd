import { expect, test } from "vitest";
import { read, write } from "./address";
import type { GameTree } from "./api";

const swap = false;
const trees: GameTree[] = [
  {
    state: { game: "havannah", board: { size: "4x4x5", swap: true }, dialect: "row", moves: [] },
    white: "Ann & Bob",
    result: "W+R",
    properties: [
      { name: "EV", values: ["Cup & more"] },
      { name: "XY", values: ["1", "2 3"] },
    ],
    nodes: [
      { comment: "A game\nwith = and & and ünïcode" },
      { parent: 0, move: "c3" },
      { parent: 1, move: "swap", comment: "taken" },
      { parent: 2, move: "d4", resigned: "black", properties: [{ name: "TR", values: ["d4", ""] }] },
    ],
  },
  { state: { game: "konane", board: { rows: 6, cols: 8, setup: "d4,e4", swap }, moves: [] }, nodes: [{}] },
  {
    state: { game: "havannah", board: { size: "4", swap, stones: "white a1 b2 black c3", turn: "black" }, moves: [] },
    nodes: [{}, { parent: 0, move: "d4" }],
  },
  {
    state: { game: "havannah", board: { size: "5", swap }, moves: [] },
    nodes: [
      {},
      { parent: 0, move: "a1" },
      { parent: 0, move: "b1" },
      { parent: 2, move: "b2" },
      { parent: 2, move: "b3" },
      { parent: 4, move: "b4" },
      { parent: 1, move: "a2" },
      { parent: 6, move: "a3" },
    ],
  },
];

test("an address that is written is read back, with the node that is looked at", () => {
  for (const tree of trees) {
    for (let at = 0; at < tree.nodes.length; at++) {
      const place = read(write("analyse", tree, at));
      expect(place.page).toBe("analyse");
      expect(JSON.parse(JSON.stringify(place.tree))).toEqual(tree);
      expect(place.at).toBe(at);
    }
  }
});

test("variations stand in brackets after the move that they replace", () => {
  expect(write("play", trees[3])).toBe("#/play?game=havannah&size=5&moves=a1.%28b1.b2.%28b3.b4%29%29.a2.a3");
});

test("what is no game is left out", () => {
  expect(read("")).toMatchObject({ page: "", at: 0 });
  expect(read("#/play")).toMatchObject({ page: "play", at: 0 });
  expect(read("#/play?game=chess&moves=e4").tree).toBeUndefined();
  expect(read("#/play?game=konane&moves=)((a1.(").tree?.nodes.length).toBe(2);
});
