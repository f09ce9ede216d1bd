import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIB, disksUnderTest } from '../../test/cache/disk-under-test.ts';
import { createLogger } from '../process/logger.ts';
import { openDiskTier } from './disk-tier.ts';
import type { DiskTier } from './disk-tier.ts';

const { time, clock, directory, logged, open, readEntry, storeEntry, answerOf, rootOf, filesOf, fileOf } =
  disksUnderTest();

/** The bytes of a file beside the text that it has under a key of two letters. */
async function frameBytes(): Promise<number> {
  await storeEntry(await open('frame'), 'k0', '');
  return statSync(fileOf('frame')).size;
}

/** Whether somebody opens a pipe for reading, who then reads its end. */
function hasReader(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false;
    throw error;
  }
}

describe('the tier on disk', () => {
  it('still has everything after a restart, keys of any length included', async () => {
    const before = await open('restart');
    const long = `novels?ncode=${'n1234ab,'.repeat(500)}`;
    before.put('a', answerOf('short'));
    before.put(long, answerOf('long'));
    before.put('a', answerOf('written anew'));
    await before.close();
    const after = await open('restart');
    expect(await readEntry(after, 'a')).toBe('written anew');
    expect(await readEntry(after, long)).toBe('long');
    expect(await readEntry(after, 'b')).toBeUndefined();
    await after.sweep();
    expect(after.stats.entries).toBe(2);
  });

  it('separates the entries of different sources', async () => {
    const [sample, live] = [await open('catalogue:sample'), await open('catalogue:api.syosetu.com')];
    await storeEntry(sample, 'a', 'invented');
    expect(await readEntry(live, 'a')).toBeUndefined();
  });

  it('sweeps when a sixteenth of its bound has been written, and reports its contents', async () => {
    const tier = await open('stats');
    await tier.flushed();
    await storeEntry(tier, 'k1', 'x'.repeat(MIB - (await frameBytes())));
    expect(tier.stats).toEqual({ entries: 0, bytes: MIB });
    await storeEntry(tier, 'k2', 'x');
    expect(tier.stats).toEqual({ entries: 2, bytes: MIB + 4_096 });
  });

  it('stores nothing that has expired, and nothing once it is closed', async () => {
    const tier = await open('over');
    tier.put('over', { ...answerOf(1), staleIfErrorUntil: time.ms });
    await storeEntry(tier, 'a', 1);
    expect(filesOf('over')).toHaveLength(1);
    await tier.close();
    await storeEntry(tier, 'b', 1);
    expect(filesOf('over')).toHaveLength(1);
    expect(await tier.find('a')).toBeUndefined();
  });

  it('is closed after its running sweep', async () => {
    const tier = await open('sweeping');
    let isSwept = false;
    void tier.sweep().then(() => (isSwept = true));
    await tier.close();
    expect(isSwept).toBe(true);
  });

  it('removes what has expired', async () => {
    const tier = await open('expiry');
    tier.put('kept', answerOf(1));
    tier.put('brief', { ...answerOf(1), staleIfErrorUntil: time.ms + 60_000 });
    await tier.flushed();
    await tier.sweep();
    expect(tier.stats.entries).toBe(2);
    time.ms += 60_000;
    await tier.sweep();
    expect(tier.stats.entries).toBe(1);
    time.ms += 3_540_000;
    await tier.sweep();
    expect(tier.stats).toEqual({ entries: 0, bytes: 0 });
    expect(filesOf('expiry')).toEqual([]);
  });

  it('stays within its bound by removing first what expires first', async () => {
    const tier = await open('bound', { maxBytes: MIB });
    for (let i = 0; i < 150; i++) {
      time.ms += 1_000;
      await storeEntry(tier, `k${i}`, 'x'.repeat(500 + ((i * 7_919) % 30_000)));
      const bytes = filesOf('bound').reduce((sum, file) => sum + statSync(file).size, 0);
      expect(bytes).toBeLessThanOrEqual(MIB);
    }
    await tier.sweep();
    expect(tier.stats.bytes).toBeGreaterThan(0.6 * MIB);
    expect(tier.stats.bytes).toBeLessThanOrEqual(0.9 * MIB);
    expect(await tier.find('k149')).toBeDefined();
    expect(await tier.find('k0')).toBeUndefined();
  });

  describe('of twenty blocks', () => {
    const MINUTE = 60_000;
    const openSmall = async (scope: string) => {
      const tier = await open(scope, { maxBytes: 20 * 4_096 });
      /** Stores a small entry of each key, which expires then. */
      const store = async (from: number, to: number, untilOf: (index: number) => number) => {
        for (let index = from; index < to; index++) {
          tier.put(`k${index}`, { ...answerOf(index), staleIfErrorUntil: time.ms + untilOf(index) });
          await tier.flushed();
        }
      };
      const missing = async () => {
        const found = await Promise.all(Array.from({ length: 19 }, (_, index) => tier.find(`k${index}`)));
        return [...found.keys()].filter((index) => !found[index]);
      };
      return { tier, store, missing };
    };

    it('removes nothing up to nine tenths, and above that what expires first, down to eight tenths', async () => {
      const { tier, store, missing } = await openSmall('tenths');
      await store(0, 18, (index) => (18 - index) * MINUTE);
      await tier.sweep();
      expect([tier.stats, await missing()]).toEqual([{ entries: 18, bytes: 18 * 4_096 }, [18]]);
      await store(18, 19, () => 30 * MINUTE);
      await tier.sweep();
      expect([tier.stats, await missing()]).toEqual([{ entries: 16, bytes: 16 * 4_096 }, [15, 16, 17]]);
    });

    it('removes no more than necessary of what expires in the same minute', async () => {
      const { tier, store, missing } = await openSmall('minute');
      await store(0, 19, (index) => (index < 2 ? 1 : 3) * MINUTE + index);
      await tier.sweep();
      expect(tier.stats).toEqual({ entries: 16, bytes: 16 * 4_096 });
      expect(await missing()).toEqual([0, 1, expect.any(Number)]);
    });
  });

  it('removes nothing more once it is closed', async () => {
    const tier = await open('ended');
    await storeEntry(tier, 'a', 1);
    time.ms += 3_600_000;
    void tier.sweep();
    await tier.close();
    expect(filesOf('ended')).toHaveLength(1);
  });

  it('has entries up to 16 MiB', async () => {
    const tier = await open('largest', { maxBytes: 1_000 * MIB });
    const largest = 'x'.repeat(16 * MIB - (await frameBytes()));
    await storeEntry(tier, 'k1', largest);
    expect(statSync(fileOf('largest')).size).toBe(16 * MIB);
    expect((await readEntry(tier, 'k1')) === largest).toBe(true);
  });

  it('has no more than a sixteenth of its bound, and never more than 16 MiB, on the way to the disk', async () => {
    const size = (await frameBytes()) + MIB / 2;
    for (const [scope, maxBytes, most] of [
      ['small', 16 * MIB, MIB],
      ['large', 1_000 * MIB, 16 * MIB],
    ] as const) {
      const tier = await open(scope, { maxBytes });
      for (let i = 0; i < 40; i++) tier.put(`k${i}`, answerOf('x'.repeat(MIB / 2)));
      await tier.flushed();
      expect(filesOf(scope)).toHaveLength(Math.floor(most / size));
      await storeEntry(tier, 'later', 1);
      expect(await readEntry(tier, 'later')).toBe(1);
    }
  });
});

describe('a disk that fails', () => {
  it('is bypassed, logged once, and retried after a minute', async () => {
    const tier = await open('failing');
    await storeEntry(tier, 'a', 'before');
    rmSync(rootOf('failing'), { recursive: true });
    writeFileSync(rootOf('failing'), 'a file in place of the folder');
    for (let minute = 0; minute < 3; minute++) {
      for (let i = 0; i < 10; i++) await storeEntry(tier, 'a', i);
      expect(await readEntry(tier, 'a')).toBeUndefined();
      time.ms += 60_000;
    }
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'the disk cache failed: responses are cached in memory only, and the disk is retried later'],
    ]);
    rmSync(rootOf('failing'));
    time.ms -= 1;
    await storeEntry(tier, 'a', 'too early');
    expect(await readEntry(tier, 'a')).toBeUndefined();
    time.ms += 1;
    await storeEntry(tier, 'a', 'after');
    expect(await readEntry(tier, 'a')).toBe('after');
    await storeEntry(tier, 'a', 'later');
    expect(logged.at(-1)).toMatchObject({ level: 30, msg: 'the disk cache is in use again' });
    expect(logged).toHaveLength(2);
  });

  it('has no expired files after a failed write: it may be full', async () => {
    const tier = await open('full');
    await storeEntry(tier, 'new', 'before');
    // No file can be renamed to a folder.
    const path = fileOf('full');
    rmSync(path);
    mkdirSync(path);
    await storeEntry(tier, 'old', 'before');
    time.ms += 3_600_000;
    await storeEntry(tier, 'new', 'after');
    expect(logged).toMatchObject([{ level: 40, err: { code: 'EISDIR' } }]);
    expect(filesOf('full')).toEqual([]);
    logged.length = 0;
  });

  it('during a read or a sweep is logged with the reason', async () => {
    for (const use of [(tier: DiskTier) => tier.find('a'), (tier: DiskTier) => tier.sweep()]) {
      const tier = await open('unreadable');
      await tier.flushed();
      rmSync(rootOf('unreadable'), { recursive: true });
      writeFileSync(rootOf('unreadable'), 'a file in place of the folder');
      expect(await use(tier)).toBeUndefined();
      expect(logged).toMatchObject([{ level: 40, err: { code: 'ENOTDIR' } }]);
      rmSync(rootOf('unreadable'));
      logged.length = 0;
    }
  });

  it('for one file is a miss until it can be read, with its own words in the log; others are stored', async () => {
    const tier = await open('loop');
    await storeEntry(tier, 'a', 'before');
    const path = fileOf('loop');
    renameSync(path, `${path}.aside`);
    // ELOOP, which also concerns a test that runs as root.
    symlinkSync(path, path);
    for (let time = 0; time < 3; time++) expect(await readEntry(tier, 'a')).toBeUndefined();
    expect(logged.map(({ level, msg, err }) => [level, msg, err?.code])).toEqual([
      [40, expect.stringContaining('cannot be read at present'), 'ELOOP'],
    ]);
    await storeEntry(tier, 'b', 'other');
    expect(await readEntry(tier, 'b')).toBe('other');
    renameSync(`${path}.aside`, path);
    expect(await readEntry(tier, 'a')).toBe('before');
  });

  it('that does not respond is not waited for, and not read again until it does', async () => {
    let deadline = new AbortController();
    const tier = await open('hung', { readDeadline: () => deadline.signal });
    await storeEntry(tier, 'a', 'before');
    const path = fileOf('hung');
    await storeEntry(tier, 'b', 'other');
    rmSync(path);
    // Opening it for reading waits for a writer.
    execFileSync('mkfifo', [path]);
    try {
      const read = readEntry(tier, 'a');
      deadline.abort();
      expect(await read).toBeUndefined();
      deadline = new AbortController();
      expect(await readEntry(tier, 'b')).toBeUndefined();
    } finally {
      // A writer, as soon as there is a reader: else the process could not end.
      await expect.poll(() => hasReader(path)).toBe(true);
    }
    expect(logged.map(({ msg }) => msg)).toEqual([expect.stringContaining('cannot be read at present')]);
    await expect.poll(() => readEntry(tier, 'b')).toBe('other');
  });

  it('keeps working when its folder is removed under a running service', async () => {
    const tier = await open('removed');
    await storeEntry(tier, 'a', 'before');
    rmSync(directory, { recursive: true });
    expect(await readEntry(tier, 'a')).toBeUndefined();
    await storeEntry(tier, 'a', 'after');
    expect(await readEntry(tier, 'a')).toBe('after');
    expect(logged).toEqual([]);
  });
});

describe('CACHE_DIR', () => {
  // Nothing can be created below /proc, although the error is not EACCES.
  const belowProc = existsSync('/proc/self') ? ['/proc/mokuroku/cache'] : [];
  it.each(['a file', 'a file/folder', `/${'x'.repeat(300)}`, ...belowProc])(
    'that is no usable folder (%s) keeps the service from starting, with the reason',
    async (path) => {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'a file'), '');
      const opening = openDiskTier({
        directory: path.startsWith('/') ? path : join(directory, path),
        scope: 'x',
        maxBytes: MIB,
        clock,
        logger: createLogger('test', 'silent', { write: () => undefined }).logger,
      });
      await expect(opening).rejects.toThrow(/CACHE_DIR=".*": must be a writable folder \(E/);
    },
  );
});
