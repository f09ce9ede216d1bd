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
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openFiles } from '../../../../test/open-files.ts';
import { disksUnderTest } from '../../test/cache/disk-under-test.ts';

const { time, directory, logged, open, readEntry, storeEntry, rootOf, fileOf } = disksUnderTest();

describe('a damaged file on disk', () => {
  const damages: [string, (path: string) => void][] = [
    ['cut off', (path) => truncateSync(path, statSync(path).size - 1)],
    ['cut off after its mark', (path) => truncateSync(path, 5)],
    [
      'without JSON',
      (path) => {
        const bytes = readFileSync(path);
        bytes.write('no JSON', 12);
        bytes.writeUInt32BE(crc32(bytes.subarray(12)), 8);
        writeFileSync(path, bytes);
      },
    ],
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
    await storeEntry(tier, 'a', 'whole');
    const path = fileOf('damage');
    damage(path);
    expect(await readEntry(tier, 'a')).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    expect(logged.map(({ msg }) => msg)).toEqual([expect.stringContaining('damaged')]);
    await storeEntry(tier, 'a', 'anew');
    expect(await readEntry(tier, 'a')).toBe('anew');
    expect(openFiles(directory)).toEqual([]);
  });

  it('is logged once', async () => {
    const tier = await open('damage');
    for (let i = 0; i < 5; i++) {
      await storeEntry(tier, `k${i}`, i);
      truncateSync(fileOf('damage'), 3);
      expect(await readEntry(tier, `k${i}`)).toBeUndefined();
    }
    expect(logged).toHaveLength(1);
  });

  it('is not removed unless its name is one of ours', async () => {
    const tier = await open('foreign');
    await storeEntry(tier, 'a', 1);
    const path = fileOf('foreign');
    const name = basename(path);
    const names = ['notes.txt', `x${name}`, `${name}x`, `${name}.tmp.x`, name.slice(1)];
    const foreign = [
      join(directory, 'foreign-1', 'data.mdb'),
      join(rootOf('foreign'), 'notes.txt'),
      ...names.map((each) => join(dirname(path), each)),
    ];
    mkdirSync(join(directory, 'foreign-1'));
    for (const each of foreign) {
      writeFileSync(each, 'mine');
      utimesSync(each, 0, 0);
    }
    await tier.sweep();
    for (const each of foreign) expect(existsSync(each)).toBe(true);
    expect(tier.stats.entries).toBe(1);
  });

  it('left by a process killed while writing is removed after a minute', async () => {
    const tier = await open('killed');
    await storeEntry(tier, 'a', 'whole');
    const path = `${fileOf('killed')}.0123456789ab.tmp`;
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
