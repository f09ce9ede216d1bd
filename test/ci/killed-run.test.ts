import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** `npm test` ends at once; `npm run check:static` does not. */
const HANGING_CHECKS = `#!/bin/sh
[ "$1" = test ] && exit
echo $$ > checks.pid
exec tail -f /dev/null
`;
/** One test passes, one fails, one is being written down, and the step does not end. */
const HANGING_TESTS = `#!/bin/sh
echo '{"state":"passed","file":"src/a.test.ts","name":"fine"}' >> "$MOKUROKU_TEST_PROGRESS"
echo '{"state":"failed","file":"src/a.test.ts","name":"broken"}' >> "$MOKUROKU_TEST_PROGRESS"
printf '{"state":"pas' >> "$MOKUROKU_TEST_PROGRESS"
until [ -s checks.pid ]; do :; done
echo 'all tests have begun'
exec tail -f /dev/null
`;

/** The unit suite at another instant passes: the progress file is named as its report. */
const SHIFTED_TESTS = `#!/bin/sh
echo '{"success":true,"numTotalTests":2,"numPassedTests":2,"testResults":[]}' > "\${MOKUROKU_TEST_PROGRESS%l}"
`;

/** The checks in a folder of their own: the step that installs packages does nothing. */
function copyChecks(): string {
  const folder = temporaryFolder();
  for (const file of ['.ci/run', '.ci/nightly', 'scripts/sum-reports.mjs']) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
  mkdirSync(path.join(folder, 'bin'));
  for (const [name, text] of [
    ['bash', '#!/bin/sh\n'],
    ['npm', HANGING_CHECKS],
    ['npx', HANGING_TESTS],
    ['faketime', SHIFTED_TESTS],
  ] as const) {
    writeFileSync(path.join(folder, 'bin', name), text);
    chmodSync(path.join(folder, 'bin', name), 0o755);
  }
  return folder;
}

/** Starts a script of the checks. `ended` resolves to its exit code. */
function startChecks(script: string, folder: string) {
  const run = spawn('/bin/bash', [script], {
    cwd: folder,
    env: { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { run, ended: new Promise<number | null>((resolve) => run.once('close', resolve)) };
}

it.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
  'a run ended by %s names its step and each failed test, and ends the checks beside it',
  async (signal) => {
    const folder = copyChecks();
    const { run, ended } = startChecks('.ci/run', folder);
    let printed = '';
    await new Promise<void>((resolve) => {
      run.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (printed.includes('all tests have begun')) resolve();
      });
    });
    run.kill(signal);
    expect(await ended).toBe(1);
    expect(printed).toMatch(
      /^passed packages .*\npassed tests .*\npassed check, four-years: .*\nFAILED system tests /m,
    );
    expect(printed).toContain('failed: system: src/a.test.ts: broken\n');
    expect(printed).toContain('failed: check: no report was written\n');
    expect(printed.trimEnd().split('\n').at(-1)).toBe('3 passed, 4 failed');
    const checks = Number(readFileSync(path.join(folder, 'checks.pid'), 'utf8'));
    expect(() => process.kill(checks, 0)).toThrow('ESRCH');
  },
);

it.concurrent(
  'the nightly checks run the nightly tests, the unit suite at five instants and the pages at two, draw the picture, and sum up their reports',
  async () => {
    const folder = copyChecks();
    const npx = `#!/bin/sh
[ "$MOKUROKU_NIGHTLY_TESTS" = 1 ] || exit 1
echo '{"success":true,"numTotalTests":3,"numPassedTests":3,"testResults":[]}' > .cache/ci/nightly.json
`;
    writeFileSync(path.join(folder, 'bin/npx'), npx);
    writeFileSync(path.join(folder, 'bin/npm'), '#!/bin/sh\n[ "$*" = "run readme-pictures" ]\n');
    const { run, ended } = startChecks('.ci/nightly', folder);
    const [printed, code] = await Promise.all([text(run.stdout), ended]);
    expect(printed.trimEnd().split('\n').at(-1)).toBe('17 passed, 0 failed');
    expect(printed).not.toContain('system tests');
    expect(code).toBe(0);
  },
);
