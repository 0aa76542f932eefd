// Asks the program in WebAssembly for the moves in moves.json, which the native one has found: `node crates/wasm/tests/moves.mjs`,
// and with `threads` the one with threads, of which such searches have one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [folder, name] = process.argv[2] === "threads" ? ["threads", "papamu_threads"] : ["program", "papamu_wasm"];
const program = new URL(`../../../target/web-app/${folder}/`, import.meta.url);
const { default: init, analyse } = await import(new URL(`${name}.js`, program));
await init({ module_or_path: readFileSync(new URL(`${name}_bg.wasm`, program)) });

let moves = 0;
for (const { query, results } of JSON.parse(readFileSync(new URL("moves.json", import.meta.url)))) {
  const answers = JSON.parse(analyse(JSON.stringify(query)));
  assert.equal(answers.length, results.length, JSON.stringify(answers));
  for (const [place, result] of results.entries()) {
    const found = Object.fromEntries(Object.keys(result).map((name) => [name, answers[place][name]]));
    assert.deepEqual(found, result, JSON.stringify(query));
    moves += 1;
  }
}
console.log(`${moves} searches find the same as the native program.`);
