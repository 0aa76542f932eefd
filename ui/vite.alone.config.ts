// The app that needs no server: the program runs in workers of the browser, and all addresses are relative to the page's.
// `packaging/web-app` makes the program before, and one with threads where it can.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defaultClientConditions, defineConfig, mergeConfig } from "vite";
import base from "./vite.config";

const program = resolve(import.meta.dirname, "../target/web-app/program");
const threads = resolve(import.meta.dirname, "../target/web-app/threads");
const conditions = ["browser-alone", ...(existsSync(threads) ? ["browser-threads"] : [])];

export default mergeConfig(
  base,
  defineConfig({
    base: "./",
    resolve: {
      alias: { "papamu-wasm": program, "papamu-threads": threads },
      conditions: [...conditions, ...defaultClientConditions],
    },
    ssr: { resolve: { conditions: [...conditions, "module", "node"] } },
    worker: { format: "es" },
    build: { outDir: "../target/web-app/app", emptyOutDir: true },
  }),
);
