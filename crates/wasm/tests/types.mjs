// Writes a program in TypeScript with a query that has every field and answers that report everything, as the installed
// package gives them. It compiles if the types have the same fields: those of queries are the table of docs/analysis.md.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { analyse, load } from "papamu";

const page = readFileSync(new URL("../../../docs/analysis.md", import.meta.url), "utf8");
const [, table] = page.split("\n## Queries\n");
const rows = table.split("\n## ")[0].split("\n").filter((line) => line.startsWith("| `"));
const fields = rows.flatMap((row) => row.split("|")[1].match(/\w+/g));
// One query at a time is answered, which needs no order.
const known = fields.filter((field) => !["action", "priority"].includes(field));
assert(known.length > 15, rows.join("\n"));

await load();
const stones = { game: "hex", size: 5, swap: false, stones: "white a1", turn: "black", moves: ["c3"], simulations: 10 };
const jumps = { game: "konane", rows: 6, cols: 6, setup: "centre", depth: 1, nodes: 100 };
const removed = { game: "konane", opening: "any", depth: 1 };
const review = {
  id: "a", schema: 1, game: "havannah", size: 4, dialect: "grid", moves: "d4 c3", turns: "all",
  report: ["moves", "lines", "review", "statistics", "network"], most_moves: 2,
  player: "all", set: { memory: 16 }, seed: 2, simulations: 200, time: 60, every: 60,
};
const queries = { stones, jumps, removed, review };
const used = new Set(Object.values(queries).flatMap(Object.keys));
assert.deepEqual([...used].sort(), known.sort());
for (const query of [stones, jumps, removed]) analyse(query);
const whole = analyse(review).filter((answer) => answer.review);
assert(whole.length > 0);

const json = (value) => JSON.stringify(value, null, 2);
console.log(`import type { Analysis, Query } from "papamu";

/** A type with all that may be left out. */
type Whole<T> = T extends (infer Item)[] ? Whole<Item>[] : T extends object ? { [Key in keyof T]-?: Whole<T[Key]> } : T;

export const fields: Record<keyof Query, true> = ${json(Object.fromEntries(known.map((field) => [field, true])))};
export const answers: Whole<Analysis>[] = ${json(whole)};`);
for (const [name, query] of Object.entries(queries)) console.log(`export const ${name}: Query = ${json(query)};`);
