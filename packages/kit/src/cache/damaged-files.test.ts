import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { disksUnderTest } from '../../test/cache/disk-under-test.ts';
import { filePathOf } from './disk-files.ts';

const { time, directory, logged, open, readEntry, storeEntry, rootOf, removeAll } = disksUnderTest();
afterEach(removeAll);

describe('a damaged file on disk', () => {
  const damages: [string, (path: string) => void][] = [
    ['cut off', (path) => truncateSync(path, statSync(path).size - 1)],
    ['empty', (path) => truncateSync(path, 0)],
    ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
    ['text', (path) => writeFileSync(path, 'a text of somebody else\n')],
    ['random', (path) => writeFileSync(path, randomBytes(10_000))],
    [
      'one bit other',
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 3]! ^= 1;
        writeFileSync(path, bytes);
      },
    ],
    [
      "another release's",
      (path) => {
        const bytes = readFileSync(path);
        bytes.write('mk9\n');
        writeFileSync(path, bytes);
      },
    ],
    ['20 GB long', (path) => truncateSync(path, 20_000_000_000)],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
        writeFileSync(join(path, 'inside'), '');
      },
    ],
  ];
  it.each(damages)('(%s) counts as a miss, is removed, and is written again', async (_name, damage) => {
    const tier = await open('damage');
    const path = filePathOf(rootOf('damage'), 'a');
    await storeEntry(tier, 'a', 'whole');
    damage(path);
    expect(await readEntry(tier, 'a')).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    expect(logged.map(({ msg }) => msg)).toEqual([expect.stringContaining('damaged')]);
    await storeEntry(tier, 'a', 'anew');
    expect(await readEntry(tier, 'a')).toBe('anew');
  });

  it('is logged once', async () => {
    const tier = await open('damage');
    for (let i = 0; i < 5; i++) {
      await storeEntry(tier, `k${i}`, i);
      truncateSync(filePathOf(rootOf('damage'), `k${i}`), 3);
      expect(await readEntry(tier, `k${i}`)).toBeUndefined();
    }
    expect(logged).toHaveLength(1);
  });

  it('is not removed unless its name is one of ours', async () => {
    const tier = await open('foreign');
    await storeEntry(tier, 'a', 1);
    const folder = dirname(filePathOf(rootOf('foreign'), 'a'));
    const foreign = [
      join(directory, 'foreign-1', 'data.mdb'),
      join(rootOf('foreign'), 'notes.txt'),
      join(folder, 'notes.txt'),
    ];
    mkdirSync(join(directory, 'foreign-1'));
    for (const path of foreign) writeFileSync(path, 'mine');
    await tier.sweep();
    for (const path of foreign) expect(existsSync(path)).toBe(true);
  });

  it('left by a process killed while writing is removed after a minute', async () => {
    const tier = await open('killed');
    await tier.flushed();
    const path = `${filePathOf(rootOf('killed'), 'a')}.0123456789ab.tmp`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'half an ans');
    utimesSync(path, time.ms / 1000, time.ms / 1000);
    time.ms += 59_999;
    await tier.sweep();
    expect(existsSync(path)).toBe(true);
    time.ms += 1;
    await tier.sweep();
    expect(existsSync(path)).toBe(false);
  });
});
