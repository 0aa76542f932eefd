// The processor time of the program in WebAssembly: until the first move of a level, and of searches, compared with a native
// program. `node crates/wasm/tests/rate.mjs target/release/papamu`

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const seconds = ({ user, system }) => (user + system) / 1e6;
const begun = process.cpuUsage();

const program = new URL("../../../target/web-app/program/", import.meta.url);
const { default: init, analyse, answer, search } = await import(new URL("papamu_wasm.js", program));
await init({ module_or_path: readFileSync(new URL("papamu_wasm_bg.wasm", program)) });
const state = { game: "havannah", board: { size: "5", swap: true }, moves: ["c3"] };
answer("/api/position", new TextEncoder().encode(JSON.stringify(state))).free();
search(JSON.stringify({ type: "move", id: 1, state, level: "easy" }), { tell() {} });
console.log(`${seconds(process.cpuUsage(begun)).toFixed(2)} s until the first move`);

const native = process.argv[2];

/** What so many times the same query takes natively. */
function natively(query, times) {
  const lines = Array.from({ length: times }, (_, run) => `${JSON.stringify({ ...query, id: `${run}` })}\n`);
  const script = `TIMEFORMAT='%U %S'; time "$0" analyse --json --threads 1 >/dev/null`;
  const { stderr } = spawnSync("bash", ["-c", script, native], { input: lines.join(""), encoding: "utf8" });
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return user + system;
}

for (const query of JSON.parse(readFileSync(new URL("rate.json", import.meta.url)))) {
  const text = JSON.stringify(query);
  // Meanwhile the engine compiles, and compiles again what is called often.
  for (let run = 0; run < 3; run++) analyse(text);
  const before = process.cpuUsage();
  for (let run = 0; run < 2; run++) analyse(text);
  const own = seconds(process.cpuUsage(before)) / 2;
  // What it takes to start the program does not count.
  const other = native && (natively(query, 3) - natively(query, 1)) / 2;
  const share = native ? `${((100 * other) / own).toFixed(0)} % of ${other.toFixed(2)} s native` : "";
  console.log(`${own.toFixed(2)} s ${share} ${text}`);
}
