import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { reportFile, writeReport } from './write-report.ts';

let run: Parameters<typeof writeReport>[0];
let file: string;
const filesBeside = () => fs.readdirSync(path.dirname(file));
const read = () => JSON.parse(fs.readFileSync(file, 'utf8')) as unknown;

beforeEach(() => {
  const dir = temporaryFolder();
  run = { dir };
  file = reportFile(dir);
  fs.mkdirSync(path.dirname(file));
});

it('a report has the last results of each site', () => {
  const pending = { title: 3 };
  writeReport(run, 'novels', { had: 1, counted: 2 });
  writeReport(run, 'novels', { pending });
  writeReport(run, 'adult', { had: 3 });
  writeReport(run, 'novels', { had: 4 });
  expect(read()).toEqual({ novels: { had: 4, counted: 2, pending }, adult: { had: 3 } });
  expect(filesBeside()).toEqual(['report.json']);
});

it.each(['', '{"novels":{"had"', 'null', '[1]'])('a damaged report is replaced by the next: %j', (text) => {
  fs.writeFileSync(file, text);
  writeReport(run, 'novels', { had: 1 });
  expect(read()).toEqual({ novels: { had: 1 } });
});

it('a report that the system cannot read is not replaced', () => {
  fs.symlinkSync(file, file);
  expect(() => {
    writeReport(run, 'novels', { had: 1 });
  }).toThrow('ELOOP');
  expect(filesBeside()).toEqual(['report.json']);
});
