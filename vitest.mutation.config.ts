import { defineConfig } from 'vitest/config';

// What Stryker runs: the tests of the areas that it mutates (stryker.config.mjs says which).
export default defineConfig({
  test: {
    include: JSON.parse(
      process.env['MUTATION_TESTS'] ?? '["packages/kit/src/cache/**/*.test.ts"]',
    ) as string[],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    // Stryker ends what hangs by a time of its own.
    testTimeout: 120_000,
  },
});
