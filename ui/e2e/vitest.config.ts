import { defineConfig } from "vitest/config";

// The real program in a real browser: one file after the other, since both take a core. A busy machine is
// no fault, so nothing here depends on how long things take.
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite",
  test: {
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
