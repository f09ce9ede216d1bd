import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { openLocalCatalogue } from './index.ts';

afterEach(() => {
  vi.useRealTimers();
});

const clock = { now: () => Date.now(), monotonic: () => Date.now() };
const open = (dir: string, { logger } = recordedLog()) =>
  openLocalCatalogue({ dir, upstream: undefined, clock, logger });

/** Not readable even for root. */
const makeUnreadable = (file: string) => fs.symlinkSync(path.basename(file), file);

describe('opening the folder of a catalogue', () => {
  it.each(['novels', 'adult', 'rankings'])('reports that its %s is a file, or cannot be read', (part) => {
    const dir = temporaryFolder();
    fs.writeFileSync(path.join(dir, part), '');
    expect(() => open(dir)).toThrow(`CATALOGUE_DIR="${dir}": ${part} in it must be a folder`);
    fs.rmSync(path.join(dir, part));
    makeUnreadable(path.join(dir, part));
    expect(() => open(dir)).toThrow(`CATALOGUE_DIR="${dir}": ${part} in it cannot be read (ELOOP)`);
  });

  it.each(['novels', 'rankings'])(
    'does not wait for a named pipe among the generations of %s',
    async (part) => {
      const dir = temporaryFolder();
      fs.mkdirSync(path.join(dir, part));
      execFileSync('mkfifo', [path.join(dir, part, 'generation-000001.json')]);
      await open(dir).close();
    },
  );
});

it('an open folder is read every two seconds until it is closed; failures are logged every ten minutes', async () => {
  vi.useFakeTimers();
  const dir = temporaryFolder();
  const log = recordedLog();
  const catalogue = open(dir, log);
  makeUnreadable(path.join(dir, 'novels'));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(log.lines).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(log.lines).toHaveLength(2);
  await catalogue.close();
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(log.lines).toHaveLength(2);
});
