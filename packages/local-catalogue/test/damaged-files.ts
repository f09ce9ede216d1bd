import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { LogLine } from './recorded-log.ts';
import { newestGeneration } from '../src/engine/index-generations.ts';

/** Ways to damage a file. */
export const DAMAGES: readonly (readonly [what: string, damage: (file: string) => void])[] = [
  [
    'one bit of it is another',
    (file) => {
      const bytes = fs.readFileSync(file);
      const at = bytes.length >> 1;
      bytes[at] = (bytes[at] as number) ^ 1;
      fs.writeFileSync(file, bytes);
    },
  ],
  [
    'it is cut short',
    (file) => {
      fs.truncateSync(file, fs.statSync(file).size - 1);
    },
  ],
  [
    'it is empty',
    (file) => {
      fs.truncateSync(file);
    },
  ],
  [
    'it is gone',
    (file) => {
      fs.rmSync(file);
    },
  ],
];

/** The lines of a log about skipped generations. */
export const skippedIn = (log: readonly LogLine[]): LogLine[] =>
  log.filter(({ msg }) => /skipped a (?:damaged )?generation of the catalogue/.test(msg));

/** Files of earlier or later layouts, and nearly valid ones. */
export function asOfAnotherVersion(file: string): void {
  const { generation } = JSON.parse(fs.readFileSync(file, 'utf8')) as { generation: { version: number } };
  generation.version -= 1;
  const sha256 = createHash('sha256').update(JSON.stringify(generation)).digest('hex');
  fs.writeFileSync(file, JSON.stringify({ sha256, generation }));
}

/** Flips the first bit of the records of the segments, or of the one with the changes. */
export function spoilRecords(
  dir: string,
  isSpoiled: (segment: { isChange: boolean }) => boolean = () => true,
) {
  const spoiled = (newestGeneration(path.join(dir, 'novels'))?.segments ?? []).filter(isSpoiled);
  for (const { folder } of spoiled) {
    const file = path.join(dir, 'novels', folder, 'records');
    const bytes = fs.readFileSync(file);
    bytes[0] = (bytes[0] as number) ^ 1;
    fs.writeFileSync(file, bytes);
  }
  return spoiled.map(({ folder }) => folder);
}
