// Searches with workers that share the memory of the program, in Node.js: `node crates/wasm/tests/threads.mjs`, after
// `packaging/web-app threads`. With numbers of threads behind it, it measures: `node crates/wasm/tests/threads.mjs 1 2`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const program = new URL("../../../target/web-app/threads/", import.meta.url);
const { default: init, help, search_with, stop_address } = await import(new URL("papamu_threads.js", program));
const at = (game, size, ...moves) => ({ game, board: { size, swap: false }, moves });

if (isMainThread) {
  const counts = process.argv.slice(2).map(Number);
  await (counts.length > 0 ? measure(counts) : test());
  process.exit();
} else if (workerData.memory) {
  const { module, memory } = workerData;
  await init({ module_or_path: module, memory, thread_stack_size: 2 ** 23 });
  help();
} else {
  const { memory } = await init({ module_or_path: workerData.module });
  parentPort.postMessage({ memory, stop: stop_address() });
  parentPort.on("message", ({ ask, threads }) => {
    search_with(JSON.stringify(ask), { tell: (message) => parentPort.postMessage(JSON.parse(message)), keep: () => 1 }, threads);
    parentPort.postMessage({ type: "done" });
  });
}

/** Workers that share one memory, and what searches are asked and tell. */
async function team(threads) {
  const module = await WebAssembly.compile(readFileSync(new URL("papamu_threads_bg.wasm", program)));
  const start = (workerData) => {
    const worker = new Worker(new URL(import.meta.url), { workerData });
    worker.on("error", (why) => {
      throw why;
    });
    return worker;
  };
  const first = start({ module });
  const { memory, stop } = await new Promise((done) => first.once("message", done));
  const all = [first, ...Array.from({ length: threads - 1 }, () => start({ module, memory }))];
  const byte = new Uint8Array(memory.buffer, stop, 1);
  return {
    memory: () => memory.buffer.byteLength,
    /** Searches until it has ended; `hear` says whether it is to stop. */
    search(ask, hear = () => false) {
      Atomics.store(byte, 0, 0);
      const told = [];
      return new Promise((done) => {
        const listen = (message) => {
          if (message.type === "done") return void first.off("message", listen), done(told);
          told.push(message);
          if (hear(message)) Atomics.store(byte, 0, 1);
        };
        first.on("message", listen);
        first.postMessage({ ask: { id: 1, ...ask }, threads });
      });
    },
    end: () => Promise.all(all.map((worker) => worker.terminate())),
  };
}

async function test() {
  const three = await team(3);
  // Each of them stops when it is told to, and is followed by another one in the same memory.
  for (const state of [at("havannah", "5"), at("hex", "7"), at("konane", "8"), at("havannah", "4", "d4")]) {
    let told = 0;
    const all = await three.search({ type: "analyse", state }, ({ type }) => type === "analysis" && (told += 1) >= 3);
    assert.ok(all.length >= 3, JSON.stringify(all));
    assert.ok(all.at(-1).found.work > all[0].found.work);
  }
  const moved = await three.search({ type: "move", state: at("havannah", "5"), seconds: 0.3 });
  assert.deepEqual(moved.map(({ type }) => type), ["moved", "finished"]);
  // A proof that several threads have found, and its certificate.
  const solved = await three.search({ type: "solve", state: at("havannah", "3"), certificate: true });
  assert.equal(solved.find(({ type }) => type === "solved")?.solved.outcome, "white");
  const alone = await three.search({ type: "solve", state: at("konane", "5") });
  assert.ok(alone.some(({ type }) => type === "solved"), JSON.stringify(alone));
  await three.end();
  console.log("Workers that share a memory search, stop and prove.");
}

/** Simulations in a second of an analysis of 10 seconds, and in one of the processor's: a busy machine has fewer of the former. */
async function measure(counts) {
  for (const size of ["5", "8"]) {
    for (const threads of counts) {
      const some = await team(threads);
      const analyse = (seconds) => {
        const begun = Date.now();
        return some.search({ type: "analyse", state: at("havannah", size) }, () => Date.now() - begun > 1_000 * seconds);
      };
      // Meanwhile the engine compiles, and compiles again what is called often.
      await analyse(3);
      const before = process.cpuUsage();
      const { work, rate } = (await analyse(10)).findLast(({ type }) => type === "analysis").found;
      const { user, system } = process.cpuUsage(before);
      const each = Math.round((1e6 * work) / (user + system));
      console.log(`size ${size}, ${threads} threads: ${Math.round(rate)} a second, ${each} a second of the processor, ${some.memory() / 2 ** 20} MiB`);
      await some.end();
    }
  }
}
