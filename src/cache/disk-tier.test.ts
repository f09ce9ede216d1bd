import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../process/logger.ts';
import { pathOf } from './disk-files.ts';
import { openDiskTier } from './disk-tier.ts';
import type { DiskTier } from './disk-tier.ts';
import { encodeEntry } from './entry-codec.ts';
import { ServiceError } from '../errors.ts';
import { keepAbsence, keepAnswer } from './answer.ts';

const policy = { freshSeconds: 60, staleWhileRevalidateSeconds: 60, keepSeconds: 3_600, absentSeconds: 60 };
const MIB = 1024 * 1024;

const time = { ms: 1_000_000_000_000 };
const clock = { now: () => time.ms, monotonic: () => time.ms };

function answerOf(data: unknown) {
  return keepAnswer({ data, meta: {} }, policy, time.ms);
}

const directory = mkdtempSync(join(tmpdir(), 'mokuroku-disk-'));
const opened: DiskTier[] = [];
let logged: { level: number; msg: string; err?: { code?: string } }[] = [];

async function open(scope: string, maxBytes = 16 * MIB): Promise<DiskTier> {
  const write = (line: string) => logged.push(JSON.parse(line) as (typeof logged)[number]);
  const { logger } = createLogger('test', 'info', { write });
  const tier = await openDiskTier({ directory, scope, maxBytes, clock, logger });
  opened.push(tier);
  return tier;
}

const rootOf = (scope: string) => join(directory, `${scope}-2`);

/** What a tier holds of a key, as it was put. */
async function held(tier: DiskTier, key: string): Promise<unknown> {
  const found = await tier.find(key);
  return found && JSON.parse(found.data.toString());
}

/** Puts it and waits until it is on disk. */
async function keep(tier: DiskTier, key: string, data: unknown): Promise<void> {
  tier.put(key, answerOf(data));
  await tier.settled();
}

function filesUnder(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

afterEach(async () => {
  for (const tier of opened.splice(0)) await tier.close();
  rmSync(directory, { recursive: true, force: true });
  logged = [];
});

describe('the tier on disk', () => {
  it('still has everything after a restart, keys of any length included', async () => {
    const before = await open('restart');
    const long = `novels?ncode=${'n1234ab,'.repeat(500)}`;
    before.put('a', answerOf('short'));
    before.put(long, answerOf('long'));
    before.put('a', answerOf('written anew'));
    await before.close();
    const after = await open('restart');
    expect(await held(after, 'a')).toBe('written anew');
    expect(await held(after, long)).toBe('long');
    expect(await held(after, 'b')).toBeUndefined();
    await after.sweep();
    expect(after.figures.entries).toBe(2);
  });

  it('keeps what belongs to different sources apart', async () => {
    const [sample, live] = [await open('catalogue:sample'), await open('catalogue:api.syosetu.com')];
    await keep(sample, 'a', 'invented');
    expect(await held(live, 'a')).toBeUndefined();
  });

  it('is swept by itself when a sixteenth of its bound has been written, and tells what it holds', async () => {
    const tier = await open('figures');
    await tier.settled();
    const room = MIB - encodeEntry(answerOf('')).length;
    await keep(tier, 'a', 'x'.repeat(room));
    expect(tier.figures).toEqual({ entries: 0, bytes: MIB });
    await keep(tier, 'b', 'x');
    expect(tier.figures).toEqual({ entries: 2, bytes: MIB + 4_096 });
  });

  it('takes nothing that is over, and nothing once it is closed', async () => {
    const tier = await open('over');
    tier.put('over', { ...answerOf(1), keepUntil: time.ms });
    await keep(tier, 'a', 1);
    expect(filesUnder(rootOf('over'))).toHaveLength(1);
    await tier.close();
    await keep(tier, 'b', 1);
    expect(filesUnder(rootOf('over'))).toHaveLength(1);
    expect(await tier.find('a')).toBeUndefined();
  });

  it('removes what has expired', async () => {
    const tier = await open('expiry');
    tier.put('kept', answerOf(1));
    tier.put('absent', keepAbsence(new ServiceError('not_found'), policy, time.ms));
    await tier.settled();
    await tier.sweep();
    expect(tier.figures.entries).toBe(2);
    time.ms += 60_000;
    await tier.sweep();
    expect(tier.figures.entries).toBe(1);
    time.ms += 3_540_000;
    await tier.sweep();
    expect(tier.figures).toEqual({ entries: 0, bytes: 0 });
    expect(filesUnder(rootOf('expiry'))).toEqual([]);
  });

  it('stays within its bound, letting what is nearest to its end go first', async () => {
    const tier = await open('bound', 4 * MIB);
    for (let i = 0; i < 400; i++) {
      time.ms += 1_000;
      await keep(tier, `k${i}`, 'x'.repeat(1_000 + ((i * 7_919) % 60_000)));
      const bytes = filesUnder(rootOf('bound')).reduce((sum, file) => sum + statSync(file).size, 0);
      expect(bytes).toBeLessThanOrEqual(4 * MIB);
    }
    await tier.sweep();
    expect(tier.figures.bytes).toBeGreaterThan(2.5 * MIB);
    expect(tier.figures.bytes).toBeLessThanOrEqual(3.6 * MIB);
    expect(await tier.find('k399')).toBeDefined();
    expect(await tier.find('k0')).toBeUndefined();
  });

  it('has no more than a sixteenth of its bound, and never more than 16 MiB, on the way to the disk', async () => {
    const size = encodeEntry(answerOf('x'.repeat(MIB / 2))).length;
    for (const [scope, maxBytes, most] of [
      ['small', 16 * MIB, MIB],
      ['large', 1_000 * MIB, 16 * MIB],
    ] as const) {
      const tier = await open(scope, maxBytes);
      for (let i = 0; i < 40; i++) tier.put(`k${i}`, answerOf('x'.repeat(MIB / 2)));
      await tier.settled();
      expect(filesUnder(rootOf(scope))).toHaveLength(Math.floor(most / size));
      await keep(tier, 'later', 1);
      expect(await held(tier, 'later')).toBe(1);
    }
  });
});

describe('a file on disk that is not as it was written', () => {
  const damages: [string, (path: string) => void][] = [
    [
      'cut off',
      (path) => {
        truncateSync(path, statSync(path).size - 1);
      },
    ],
    [
      'empty',
      (path) => {
        truncateSync(path, 0);
      },
    ],
    [
      'zeros',
      (path) => {
        writeFileSync(path, Buffer.alloc(statSync(path).size));
      },
    ],
    [
      'text',
      (path) => {
        writeFileSync(path, 'a text of somebody else\n');
      },
    ],
    [
      'random',
      (path) => {
        writeFileSync(path, randomBytes(10_000));
      },
    ],
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
    [
      '20 GB long',
      (path) => {
        truncateSync(path, 20_000_000_000);
      },
    ],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
        writeFileSync(join(path, 'inside'), '');
      },
    ],
  ];
  it.each(damages)('(%s) is nothing held, is removed, and is written anew', async (_name, damage) => {
    const tier = await open('damage');
    const path = pathOf(rootOf('damage'), 'a');
    await keep(tier, 'a', 'whole');
    damage(path);
    expect(await held(tier, 'a')).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    expect(logged.map(({ msg }) => msg)).toEqual([expect.stringContaining('damaged')]);
    await keep(tier, 'a', 'anew');
    expect(await held(tier, 'a')).toBe('anew');
  });

  it('is complained of once', async () => {
    const tier = await open('damage');
    for (let i = 0; i < 5; i++) {
      await keep(tier, `k${i}`, i);
      truncateSync(pathOf(rootOf('damage'), `k${i}`), 3);
      expect(await held(tier, `k${i}`)).toBeUndefined();
    }
    expect(logged).toHaveLength(1);
  });

  it('is left alone when it is not in a place of ours', async () => {
    const tier = await open('foreign');
    await keep(tier, 'a', 1);
    const folder = dirname(pathOf(rootOf('foreign'), 'a'));
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

  it('and was left by a process that was killed while writing goes after a minute', async () => {
    const tier = await open('killed');
    const path = `${pathOf(rootOf('killed'), 'a')}.0123456789ab.tmp`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'half an ans');
    utimesSync(path, time.ms / 1000, time.ms / 1000);
    await tier.sweep();
    expect(existsSync(path)).toBe(true);
    time.ms += 60_000;
    await tier.sweep();
    expect(existsSync(path)).toBe(false);
  });
});

describe('a disk that fails', () => {
  it('is gone on without, which is said once, and is tried again after a minute', async () => {
    const tier = await open('failing');
    await keep(tier, 'a', 'before');
    rmSync(rootOf('failing'), { recursive: true });
    writeFileSync(rootOf('failing'), 'a file in place of the folder');
    for (let minute = 0; minute < 3; minute++) {
      for (let i = 0; i < 10; i++) await keep(tier, 'a', i);
      expect(await held(tier, 'a')).toBeUndefined();
      time.ms += 60_000;
    }
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'the disk cache failed: answers are kept in memory, it is tried again later'],
    ]);
    rmSync(rootOf('failing'));
    time.ms -= 1;
    await keep(tier, 'a', 'too early');
    expect(await held(tier, 'a')).toBeUndefined();
    time.ms += 1;
    await keep(tier, 'a', 'after');
    expect(await held(tier, 'a')).toBe('after');
    expect(logged.at(-1)).toMatchObject({ level: 30, msg: 'the disk cache is in use again' });
    expect(logged).toHaveLength(2);
  });

  it('while something is looked for, or swept, is said to have failed, with the reason', async () => {
    for (const use of [(tier: DiskTier) => tier.find('a'), (tier: DiskTier) => tier.sweep()]) {
      const tier = await open('unreadable');
      await tier.settled();
      rmSync(rootOf('unreadable'), { recursive: true });
      writeFileSync(rootOf('unreadable'), 'a file in place of the folder');
      expect(await use(tier)).toBeUndefined();
      expect(logged).toMatchObject([{ level: 40, err: { code: 'ENOTDIR' } }]);
      rmSync(rootOf('unreadable'));
      logged = [];
    }
  });

  it('makes no difference when its folder is removed under a running service', async () => {
    const tier = await open('removed');
    await keep(tier, 'a', 'before');
    rmSync(directory, { recursive: true });
    expect(await held(tier, 'a')).toBeUndefined();
    await keep(tier, 'a', 'after');
    expect(await held(tier, 'a')).toBe('after');
    expect(logged).toEqual([]);
  });
});

describe('CACHE_DIR', () => {
  // Below /proc nothing can be made, though nobody says that it is forbidden.
  const belowProc = existsSync('/proc/self') ? ['/proc/mokuroku/cache'] : [];
  it.each(['a file', 'a file/folder', `/${'x'.repeat(300)}`, ...belowProc])(
    'that is no usable folder (%s) keeps the service from starting, with the reason',
    async (path) => {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'a file'), '');
      const opening = openDiskTier({
        ...{
          directory: path.startsWith('/') ? path : join(directory, path),
          scope: 'x',
          maxBytes: MIB,
          clock,
        },
        logger: createLogger('test', 'silent', { write: () => undefined }).logger,
      });
      await expect(opening).rejects.toThrow(/CACHE_DIR=".*": must be a folder that may be written \(E/);
    },
  );
});
