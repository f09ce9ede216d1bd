import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';

// Most code of a test runs briefly: V8 would spend a tenth of all processor time on optimizing it, in other threads.
setFlagsFromString('--interrupt-budget=1000000');

// Three suites. `npm test` needs no system package; test/system/ meets real servers (redis-server, chromium, whois ...)
// and is run by .ci/run, which installs them; test/nightly/ takes longer, and is run by .ci/nightly.
const nightly = process.env['MOKUROKU_NIGHTLY_TESTS'] === '1';
const system = nightly || process.env['MOKUROKU_SYSTEM_TESTS'] === '1';

const UNIT = ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'];
const SYSTEM = ['test/system/**/*.test.ts'];
// The views of the page have more looks at night.
const NIGHTLY = ['test/nightly/**/*.test.ts', 'test/system/explorer-views.test.ts'];

export default defineConfig({
  test: {
    include: nightly ? NIGHTLY : system ? SYSTEM : UNIT,
    globalSetup: ['test/temporary-folder.ts', ...(system ? ['test/system/build-once.ts'] : [])],
    exclude: system ? [] : ['test/system/**', 'test/nightly/**'],
    pool: 'threads',
    isolate: false,
    // Each further worker loads the same modules again. System tests wait for timers, disks and other processes.
    maxWorkers: system ? 3 : 2,
    testTimeout: system ? 120_000 : 60_000,
    hookTimeout: system ? 120_000 : 60_000,
    // What is waited for comes at once, but for a machine that has other things to do. Real servers limit requests.
    expect: { poll: { timeout: 20_000, interval: system ? 50 : 5 } },
    // Real servers on a busy machine: a failure counts when it comes three times.
    retry: system ? 2 : 0,
    passWithNoTests: false,
  },
});
