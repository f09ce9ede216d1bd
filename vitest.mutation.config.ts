import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const packages = path.resolve(import.meta.dirname, 'packages');

/**
 * The doors of the packages in this folder. Stryker runs a copy whose node_modules is that of the repository: without
 * these, a test that imports another package by its name would load the sources without the fault.
 */
const doors = readdirSync(packages).flatMap((folder) => {
  const manifest = JSON.parse(readFileSync(path.join(packages, folder, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, unknown>;
  };
  return Object.entries(manifest.exports).flatMap(([subpath, file]) =>
    typeof file === 'string' && file.startsWith('./src/')
      ? [
          {
            find: new RegExp(`^${path.posix.join(manifest.name, subpath)}$`),
            replacement: path.join(packages, folder, file),
          },
        ]
      : [],
  );
});

// What Stryker runs: the tests of the areas that it mutates (stryker.config.mjs says which).
export default defineConfig({
  resolve: { alias: doors },
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
