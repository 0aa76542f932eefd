// The app that needs no server: the program runs in workers of the browser, and all addresses are relative to the page's.
// `packaging/web-app` makes the program before.

import { resolve } from "node:path";
import { defaultClientConditions, defineConfig, mergeConfig } from "vite";
import base from "./vite.config";

const program = resolve(import.meta.dirname, "../target/web-app/program");

export default mergeConfig(
  base,
  defineConfig({
    base: "./",
    resolve: {
      alias: { "papamu-wasm": program },
      conditions: ["browser-alone", ...defaultClientConditions],
    },
    ssr: { resolve: { conditions: ["browser-alone", "module", "node"] } },
    worker: { format: "es" },
    build: { outDir: "../target/web-app/app", emptyOutDir: true },
  }),
);
