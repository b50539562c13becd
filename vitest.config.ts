import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    restoreMocks: true,
    // nothing here mocks modules or leaves state behind: one import of each module a worker is enough
    isolate: false,
    // by default one core is left free, which on two is half of them
    maxWorkers: '100%',
  },
});
