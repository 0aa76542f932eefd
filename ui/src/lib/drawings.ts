// Marks and arrows that somebody draws on a position. They are properties of SGF, and are kept as such with the game.

import type { FileProperty } from "./api";

export const SHAPES = ["circle", "triangle", "square", "cross"] as const;
export type Shape = (typeof SHAPES)[number];
export type Tool = Shape | "arrow" | "label";

const PROPERTIES: Record<Tool, string> = { circle: "CR", triangle: "TR", square: "SQ", cross: "MA", arrow: "AR", label: "LB" };

export interface Arrow {
  from: string;
  to: string;
}

export interface Drawing {
  shapes: Map<string, Shape>;
  labels: Map<string, string>;
  arrows: Arrow[];
}

/** The values of a property, as they stand between the brackets. */
const valuesOf = (properties: readonly FileProperty[], tool: Tool): string[] =>
  properties.filter(({ name }) => name === PROPERTIES[tool]).flatMap(({ values }) => values);

/** The two parts of a value such as `d4:A`. */
function parts(value: string): [string, string] {
  const colon = value.indexOf(":");
  return [value.slice(0, Math.max(colon, 0)), value.slice(colon + 1)];
}

/** What the properties of a position draw. */
export function read(properties: readonly FileProperty[] = []): Drawing {
  const shapes = new Map(SHAPES.flatMap((shape) => valuesOf(properties, shape).map((cell) => [cell.trim(), shape] as const)));
  const texts = valuesOf(properties, "label").map(parts);
  const labels = new Map(texts.map(([cell, text]) => [cell, text.replace(/\\(.)/gs, "$1")]));
  const arrows = valuesOf(properties, "arrow").map(parts).map(([from, to]) => ({ from, to }));
  return { shapes, labels, arrows };
}

/** The properties without a value, or with it, all others as they are. */
function changed(properties: readonly FileProperty[], tool: Tool, change: (values: string[]) => string[]): FileProperty[] {
  const values = change(valuesOf(properties, tool));
  const others = properties.filter(({ name }) => name !== PROPERTIES[tool]);
  return values.length > 0 ? [...others, { name: PROPERTIES[tool], values }] : others;
}

/** Draws something, or takes it away where it is drawn already. A cell has one shape. */
export function drawn(properties: readonly FileProperty[] = [], tool: Tool, cell: string, to?: string): FileProperty[] {
  if (tool === "arrow") {
    const value = `${cell}:${to ?? cell}`;
    return changed(properties, tool, (all) => (all.includes(value) ? all.filter((one) => one !== value) : [...all, value]));
  }
  if (tool === "label") {
    const { labels } = read(properties);
    if (labels.has(cell)) return changed(properties, tool, (all) => all.filter((one) => parts(one)[0] !== cell));
    const used = new Set(labels.values());
    const free = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !used.has(letter)) ?? "?";
    return changed(properties, tool, (all) => [...all, `${cell}:${free}`]);
  }
  const before = read(properties).shapes.get(cell);
  const cleared = SHAPES.reduce<FileProperty[]>(
    (rest, shape) => changed(rest, shape, (all) => all.filter((one) => one.trim() !== cell)),
    [...properties],
  );
  return before === tool ? cleared : changed(cleared, tool, (all) => [...all, cell]);
}

/** The properties without anything drawn. */
export const cleared = (properties: readonly FileProperty[] = []): FileProperty[] =>
  properties.filter(({ name }) => !Object.values(PROPERTIES).includes(name));
