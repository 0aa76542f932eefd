import { expect, test } from "vitest";
import type { PositionView } from "../api";
import { change } from "./change";

/** A row of cells a, b, c …: `w` and `b` are stones, a dot is none. */
function view(stones: string, last: string[] = [], name = "a row"): PositionView {
  const cells = [...stones].map((stone, place) => ({
    name: String.fromCharCode(97 + place),
    x: 40 * place,
    y: 0,
    stone: { w: "white", b: "black" }[stone] ?? null,
    tone: "plain",
  }));
  return { name, cells, last } as unknown as PositionView;
}

const names = (cells: { name: string }[] | undefined) => cells?.map(({ name }) => name).join("");

test("a stone is placed, taken back, or changes sides", () => {
  expect(names(change(view("..."), view(".w.", ["b"]))?.come)).toBe("b");
  expect(names(change(view(".w.", ["b"]), view("..."))?.gone)).toBe("b");
  expect(names(change(view(".w."), view(".b."))?.turned)).toBe("b");
});

test("a jump moves one stone, and those that it captures are gone", () => {
  const found = change(view("bw.w."), view("....b", ["a", "e"]));
  expect([found?.moved?.from.name, found?.moved?.to.name, names(found?.gone), names(found?.come)]).toEqual(["a", "e", "bd", ""]);
});

test("a jump taken back moves the stone back, and those captured come again", () => {
  const found = change(view("....b", ["a", "e"]), view("bw.w."));
  expect([found?.moved?.from.name, found?.moved?.to.name, names(found?.gone), names(found?.come)]).toEqual(["e", "a", "", "bd"]);
});

test("another board, or a leap over several moves, is no single change", () => {
  expect(change(view("..."), view("...."))).toBeUndefined();
  expect(change(view("..."), view(".w.", [], "another row"))).toBeUndefined();
  expect(change(view("..."), view("wb.", ["b"]))).toBeUndefined();
  expect(change(view("..."), view("..."))).toBeUndefined();
});
