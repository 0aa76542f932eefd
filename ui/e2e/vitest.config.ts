import { defineConfig } from "vitest/config";

// The real program in a real browser: one file after the other, since both take a core.
export default defineConfig({
  root: import.meta.dirname,
  test: { fileParallelism: false, testTimeout: 60_000, hookTimeout: 60_000 },
});
