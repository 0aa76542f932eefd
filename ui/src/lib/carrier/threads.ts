// The program for workers that share one memory. `#threads`, of package.json, is this where it was built.

import module from "papamu-threads/papamu_threads_bg.wasm?url";
import type { Program } from "./program";

export const threads: Program | undefined = {
  module,
  start: () => new Worker(new URL("./threads.worker.ts", import.meta.url), { type: "module" }),
};
