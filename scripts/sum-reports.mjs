// node scripts/sum-reports.mjs <failed steps> <report.json ...>: sums up Vitest's JSON reports. Prints the failures,
// the tests that passed only when retried and, as the last line, `N passed, N failed`. A missing, empty or broken
// report counts as one failure, beside those that progress-reporter.mjs wrote into NAME.jsonl.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [steps = '0', ...files] = process.argv.slice(2);
let passed = 0;
const failures = [];

/** Each test of a run, also of one that was killed before its report. The last line may be truncated. */
function progressOf(report) {
  const file = report.replace(/\.json$/, '.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

for (const file of files) {
  const name = path.basename(file, '.json');
  const progress = progressOf(file);
  for (const test of progress) {
    if (test.state === 'passed' && test.retries > 0)
      console.log(`retried (${test.retries}): ${test.file}: ${test.name}`);
  }
  let report;
  try {
    report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    report = undefined;
  }
  if (!report || report.numTotalTests === 0) {
    failures.push(`${name}: ${report ? 'no test ran' : 'no report was written'}`);
    for (const test of progress) {
      if (test.state === 'passed') passed += 1;
      if (test.state === 'failed') failures.push(`${name}: ${test.file}: ${test.name}`);
    }
    continue;
  }
  passed += report.numPassedTests;
  for (const suite of report.testResults) {
    const where = path.relative(process.cwd(), suite.name);
    const bad = suite.assertionResults.filter((test) => test.status === 'failed');
    failures.push(...bad.map((test) => `${name}: ${where}: ${test.fullName}`));
    // A file that failed to load, or whose set-up failed, has no failed test of its own.
    if (suite.status === 'failed' && bad.length === 0) failures.push(`${name}: ${where}: did not run`);
  }
  if (!report.success && !failures.some((failure) => failure.startsWith(`${name}: `))) {
    failures.push(`${name}: not successful, though every test passed (an error outside of the tests)`);
  }
}

// A failed step without a failed test (format, lint, types ...) must not be hidden by passing tests.
if (Number(steps) > 0 && failures.length === 0) failures.push(`${steps} step(s) failed outside of the tests`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
