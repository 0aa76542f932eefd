import { expect, test } from "vitest";
import type { FileProperty } from "./api";
import { cleared, drawn, read, type Tool } from "./drawings";

const draw = (...steps: [Tool, string, string?][]) =>
  steps.reduce<FileProperty[]>((properties, [tool, cell, to]) => drawn(properties, tool, cell, to), []);

test("a cell has one shape, and the same one again takes it away", () => {
  expect(draw(["circle", "d4"], ["square", "d4"], ["circle", "e5"])).toEqual([
    { name: "SQ", values: ["d4"] },
    { name: "CR", values: ["e5"] },
  ]);
  expect(draw(["cross", "d4"], ["cross", "d4"])).toEqual([]);
});

test("arrows and labels come and go", () => {
  const all = draw(["arrow", "a1", "c3"], ["arrow", "c3", "a1"], ["label", "d4"], ["label", "e5"], ["label", "d4"], ["label", "f6"]);
  expect(all).toEqual([
    { name: "AR", values: ["a1:c3", "c3:a1"] },
    { name: "LB", values: ["e5:B", "f6:A"] },
  ]);
  expect(read(drawn(all, "arrow", "a1", "c3")).arrows).toEqual([{ from: "c3", to: "a1" }]);
});

test("what else a file says stays as it is", () => {
  const file = [{ name: "EV", values: ["Cup"] }, { name: "LB", values: ["d4:a \\] b"] }];
  expect(read(file).labels.get("d4")).toBe("a ] b");
  expect(drawn(file, "triangle", "d4")).toEqual([...file, { name: "TR", values: ["d4"] }]);
  expect(cleared(drawn(file, "triangle", "d4"))).toEqual([file[0]]);
});
