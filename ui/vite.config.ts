import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  // The server forbids inline scripts and styles, and data: addresses in most places.
  // What is drawn before the scripts run needs all its styles.
  build: { assetsInlineLimit: 0, cssCodeSplit: false, modulePreload: { polyfill: false } },
  server: { proxy: { "/api": { target: "http://127.0.0.1:7878", ws: true } } },
  test: { include: ["src/**/*.test.ts"], testTimeout: 120_000 },
});
