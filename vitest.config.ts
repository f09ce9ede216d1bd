import { defineConfig } from 'vitest/config';

// Two suites. `npm test` needs no system package; the suite under test/system/ meets real servers
// (redis-server, chromium, whois ...) and is run by .ci/run, which installs them.
const system = process.env['MOKUROKU_SYSTEM_TESTS'] === '1';

export default defineConfig({
  test: {
    include: system ? ['test/system/**/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/temporary-folder.ts', ...(system ? ['test/system/build-once.ts'] : [])],
    exclude: system ? [] : ['test/system/**', 'test/live/**'],
    pool: 'threads',
    isolate: false,
    // On two processors: one more than these, since tests also wait for timers, disks and other processes.
    maxWorkers: 3,
    testTimeout: system ? 120_000 : 60_000,
    hookTimeout: system ? 120_000 : 60_000,
    // What is waited for comes at once, but for a machine that has other things to do.
    expect: { poll: { timeout: 20_000 } },
    // Real servers on a busy machine: a failure counts when it comes three times.
    retry: system ? 2 : 0,
    passWithNoTests: false,
  },
});
