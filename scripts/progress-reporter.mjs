// A Vitest reporter that appends each test to a file as soon as it has ended: a killed run still reports its failures
// (sum-reports.mjs reads it). MOKUROKU_TEST_PROGRESS names the file.
import { appendFileSync } from 'node:fs';

export default class ProgressReporter {
  onTestCaseResult(test) {
    const { state } = test.result();
    const retries = test.diagnostic()?.retryCount ?? 0;
    const line = { state, file: test.module.relativeModuleId, name: test.fullName, retries };
    appendFileSync(process.env.MOKUROKU_TEST_PROGRESS, `${JSON.stringify(line)}\n`);
  }
}
