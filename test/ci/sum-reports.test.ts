import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const script = path.resolve(import.meta.dirname, '../../scripts/sum-reports.mjs');
const folder = temporaryFolder();

interface Suite {
  status: 'passed' | 'failed';
  assertionResults: { status: 'passed' | 'failed'; fullName: string }[];
}

const suite = (passed: number, failed: number, status: Suite['status']): Suite => ({
  status,
  assertionResults: [
    ...Array.from({ length: passed }, () => ({ status: 'passed' as const, fullName: 'fine' })),
    ...Array.from({ length: failed }, () => ({ status: 'failed' as const, fullName: 'broken' })),
  ],
});

/** The used part of a Vitest report. */
function report(name: string, ...suites: Suite[]): string {
  const results = suites.flatMap(({ assertionResults }) => assertionResults);
  const file = path.join(folder, `${name}.json`);
  const text = JSON.stringify({
    numTotalTests: results.length,
    numPassedTests: results.filter(({ status }) => status === 'passed').length,
    success: suites.every(({ status }) => status === 'passed') && results.length > 0,
    testResults: suites.map((each, i) => ({ ...each, name: `${folder}/${name}-${i}.test.ts` })),
  });
  writeFileSync(file, text);
  return file;
}

function sum(...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1) };
}

describe('the last line of the checks', () => {
  it('adds up all suites; the exit code is 0 if all passed', () => {
    const files = [
      report('a', suite(3, 0, 'passed'), suite(2, 0, 'passed')),
      report('b', suite(4, 0, 'passed')),
    ];
    expect(sum('0', ...files)).toEqual({ status: 0, last: '9 passed, 0 failed' });
  });

  it('counts failed tests and files that could not be run', () => {
    const files = [report('c', suite(3, 2, 'failed'), suite(0, 0, 'failed'))];
    expect(sum('1', ...files)).toEqual({ status: 1, last: '3 passed, 3 failed' });
  });

  it('reports a failure if a suite left no report or ran no test', () => {
    expect(sum('0', report('d', suite(1, 0, 'passed')), path.join(folder, 'none.json'))).toEqual({
      status: 1,
      last: '1 passed, 1 failed',
    });
    expect(sum('0', report('e'))).toEqual({ status: 1, last: '0 passed, 1 failed' });
    writeFileSync(path.join(folder, 'half.json'), '{"numTotal');
    expect(sum('0', path.join(folder, 'half.json')).last).toBe('0 passed, 1 failed');
  });

  it('reports a failure if a step other than the tests failed', () => {
    expect(sum('2', report('f', suite(1, 0, 'passed')))).toEqual({ status: 1, last: '1 passed, 1 failed' });
  });
});

it('lists the tests that passed only when retried', () => {
  const file = report('patient', suite(2, 0, 'passed'));
  const line = (name: string, retries: number) =>
    `${JSON.stringify({ state: 'passed', file: 'src/a.test.ts', name, retries })}\n`;
  writeFileSync(path.join(folder, 'patient.jsonl'), line('slow', 1) + line('fine', 0));
  const { stdout } = spawnSync(process.execPath, [script, '0', file], { encoding: 'utf8' });
  expect(stdout).toBe('retried (1): src/a.test.ts: slow\n2 passed, 0 failed\n');
});
