import { defineConfig } from 'vitest/config';

/** Every test here spawns the built command: few at a time, so that two cores are enough. */
export default defineConfig({
  test: {
    include: ['integration-tests/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
