import { expect, test } from "vitest";
import * as tree from "./tree";

/** The lines of play of a tree, from the start to each end, as texts. */
function lines(nodes: tree.Nodes): string[] {
  const ends = nodes.map((_, node) => node).filter((node) => tree.children(nodes, node).length === 0);
  return ends.map((end) => tree.movesTo(nodes, end).join(" ")).sort();
}

const built = (...all: string[]) => all.reduce<tree.Nodes>((nodes, line) => tree.withLine(nodes, 0, line.split(" ")).nodes, [{}]);

test("lines are added once, and found again", () => {
  const nodes = built("a b c", "a b d", "e", "a b c");
  expect(lines(nodes)).toEqual(["a b c", "a b d", "e"]);
  expect(tree.movesTo(nodes, tree.find(nodes, ["a", "b", "d"]) ?? 0)).toEqual(["a", "b", "d"]);
  expect(tree.find(nodes, ["a", "x"])).toBeUndefined();
});

test("a variation becomes the main line, and nothing is lost", () => {
  const nodes = built("a b c", "a b d", "e f");
  const node = tree.find(nodes, ["e"]) ?? 0;
  const now = tree.promoted(nodes, node);
  expect(lines(now.nodes)).toEqual(lines(nodes));
  expect(tree.movesTo(now.nodes, now.at)).toEqual(["e"]);
  expect(tree.movesTo(now.nodes, tree.lineThrough(now.nodes, 0).at(-1) ?? 0)).toEqual(["e", "f"]);
});

test("a node is removed with all that follows it, and nothing else", () => {
  const nodes = built("a b c", "a b d", "e f");
  const gone = tree.find(nodes, ["a", "b"]) ?? 0;
  expect(tree.size(nodes, gone)).toBe(3);
  const now = tree.without(nodes, gone);
  expect(lines(now.nodes)).toEqual(["a", "e f"]);
  expect(tree.movesTo(now.nodes, now.at)).toEqual(["a"]);
});
