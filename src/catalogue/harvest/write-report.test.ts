import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { reportFile, writeReport } from './write-report.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-report-'));
afterAll(() => {
  fs.rmSync(dir, { recursive: true });
});

it('a report has the last results of each site and its last rejected round', () => {
  fs.mkdirSync(path.dirname(reportFile(dir)));
  const lastDoubted = { at: '2026-11-20T00:00:00.000Z', doubts: ['a doubt'], discarded: 'figures' } as const;
  writeReport(dir, 'novels', { had: 1, counted: 2 });
  writeReport(dir, 'novels', { lastDoubted });
  writeReport(dir, 'adult', { had: 3 });
  writeReport(dir, 'novels', { had: 4 });
  expect(JSON.parse(fs.readFileSync(reportFile(dir), 'utf8'))).toEqual({
    novels: { had: 4, counted: 2, lastDoubted },
    adult: { had: 3 },
  });
  expect(fs.readdirSync(path.dirname(reportFile(dir)))).toEqual(['report.json']);
});
