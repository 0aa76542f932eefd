import { defineConfig } from "vitest/config";

// The real program in a real browser: one file after the other, since both take a core. A busy machine is
// no fault, so nothing here depends on how long things take.
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite",
  test: {
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
  },
});
