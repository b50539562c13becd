import { defineConfig } from 'vitest/config';

/** Every test here spawns the built command: most of them wait for it, so three fit on two cores. */
export default defineConfig({
  test: {
    include: ['integration-tests/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    // CI shares its machine: a test that waits on real processes gets a second try there, and the report shows that it took one (`retry x1`)
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
