import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    restoreMocks: true,
    // nothing here mocks modules or leaves state behind: one import of each module a worker is enough
    isolate: false,
  },
});
