// A reporter of Vitest that appends each test to a file as soon as it has ended, so that a run that is killed still says
// what was wrong (sum-reports.mjs reads it). MOKUROKU_TEST_PROGRESS names the file.
import { appendFileSync } from 'node:fs';

export default class ProgressReporter {
  onTestCaseResult(test) {
    const { state } = test.result();
    const line = { state, file: test.module.relativeModuleId, name: test.fullName };
    appendFileSync(process.env.MOKUROKU_TEST_PROGRESS, `${JSON.stringify(line)}\n`);
  }
}
