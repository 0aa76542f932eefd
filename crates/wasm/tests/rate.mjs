// The processor time of searches in WebAssembly, each run twice: the first time the engine still compiles. The example `rate`
// tells that of the same ones natively.

import { readFileSync } from "node:fs";

const program = new URL("../../../target/web-app/program/", import.meta.url);
const { default: init, analyse } = await import(new URL("papamu_wasm.js", program));
await init({ module_or_path: readFileSync(new URL("papamu_wasm_bg.wasm", program)) });

for (const query of JSON.parse(readFileSync(new URL("rate.json", import.meta.url)))) {
  const text = JSON.stringify(query);
  analyse(text);
  const before = process.cpuUsage();
  analyse(text);
  const { user, system } = process.cpuUsage(before);
  console.log(`${((user + system) / 1e6).toFixed(3)} s  ${text}`);
}
