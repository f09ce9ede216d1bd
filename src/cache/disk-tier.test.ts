import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../process/logger.ts';
import { ServiceError } from '../errors.ts';
import { keepAbsence, keepAnswer } from './answer.ts';
import type { DiskTier } from './disk-tier.ts';
import { openDiskTier } from './disk-tier.ts';

const policy = { freshSeconds: 60, staleWhileRevalidateSeconds: 60, keepSeconds: 3_600, absentSeconds: 60 };
const MIB = 1024 * 1024;

const time = { ms: 1_000_000_000_000 };
const clock = { now: () => time.ms, monotonic: () => time.ms };

function answerOf(data: unknown, status = 200) {
  return status === 200
    ? keepAnswer({ data, meta: {} }, policy, time.ms)
    : keepAbsence(new ServiceError('not_found'), policy, time.ms);
}

const directory = mkdtempSync(join(tmpdir(), 'mokuroku-disk-'));
const opened: DiskTier[] = [];

async function open(scope: string, maxBytes = 16 * MIB): Promise<DiskTier> {
  const tier = await openDiskTier({ directory, scope, maxBytes, clock, logger: silentLogger() });
  opened.push(tier);
  return tier;
}

afterEach(async () => {
  for (const tier of opened.splice(0)) await tier.close();
  rmSync(directory, { recursive: true, force: true });
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
    expect((await after.find('a'))?.data.toString()).toBe('"written anew"');
    expect((await after.find(long))?.data.toString()).toBe('"long"');
    expect(await after.find('b')).toBeUndefined();
    expect(after.figures.entries).toBe(2);
  });

  it('keeps what belongs to different sources apart', async () => {
    const [sample, live] = [await open('catalogue-sample'), await open('catalogue-api.syosetu.com')];
    sample.put('a', answerOf('invented'));
    await sample.close();
    expect(await live.find('a')).toBeUndefined();
  });

  it('removes what has expired', async () => {
    const tier = await open('expiry');
    tier.put('kept', answerOf(1));
    tier.put('absent', answerOf({ error: {} }, 404));
    await tier.sweep();
    expect(tier.figures.entries).toBe(2);
    time.ms += 60_000;
    await tier.sweep();
    expect(tier.figures.entries).toBe(1);
    time.ms += 3_540_000;
    await tier.sweep();
    expect(tier.figures.entries).toBe(0);
  });

  it('stays within its bound, letting the oldest go first', async () => {
    const tier = await open('bound', 4 * MIB);
    for (let i = 0; i < 400; i++) {
      time.ms += 1_000;
      tier.put(`k${i}`, answerOf('x'.repeat(1_000 + ((i * 7_919) % 60_000))));
      if (i % 8 === 0) await tier.sweep();
    }
    await tier.sweep();
    expect(tier.figures.bytes).toBeLessThanOrEqual(3 * MIB);
    expect(statSync(join(directory, 'bound-1', 'data.mdb')).size).toBeLessThanOrEqual(4 * MIB);
    expect(await tier.find('k399')).toBeDefined();
    expect(await tier.find('k0')).toBeUndefined();
  });

  it('says what is wrong when the folder cannot be used', async () => {
    const file = join(tmpdir(), `mokuroku-file-${process.pid}`);
    writeFileSync(file, '');
    const opening = openDiskTier({
      ...{ directory: file, scope: 'x', maxBytes: MIB, clock },
      logger: silentLogger(),
    });
    await expect(opening).rejects.toThrow(/CACHE_DIR=".*": must be a folder that may be written/);
    rmSync(file);
  });
});
