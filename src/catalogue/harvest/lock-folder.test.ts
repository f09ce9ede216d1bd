import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { standingClock } from '../../../test/catalogue/upstream-under-test.ts';
import { FolderInUse, lockFolder, withFolderLock } from './lock-folder.ts';

const clock = standingClock(1_900_000_000_000);
let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'));
  onTestFinished(() => {
    fs.rmSync(folder, { recursive: true });
  });
});

/** Creates the lock of another process. */
function leaveLock(of: object): void {
  const host = os.hostname();
  const ours = { host, pid: process.pid, startedAt: Math.round(performance.timeOrigin) };
  const lock = { token: 'theirs', ...ours, seenAt: clock.now(), ...of };
  fs.writeFileSync(path.join(folder, 'lock'), JSON.stringify(lock));
}

const gonePid = () => spawnSync(process.execPath, ['-e', '']).pid;

describe('the lock of a harvest folder', () => {
  it.each([
    ['a living process', {}],
    ['another living process of this machine', { pid: process.ppid, startedAt: 1 }],
    ['a process of which the system states nothing', { pid: 2 ** 40 }],
    [
      'a process of another machine that was seen 120 s ago',
      { host: 'other', seenAt: clock.now() - 120_000 },
    ],
    [
      'a process of another machine whose clock is an hour ahead',
      { host: 'other', seenAt: clock.now() + 3_600_000 },
    ],
  ])('is not available while it belongs to %s', (_name, holder) => {
    leaveLock(holder);
    expect(() => lockFolder(folder, clock)).toThrow(FolderInUse);
    expect(JSON.parse(fs.readFileSync(path.join(folder, 'lock'), 'utf8'))).toMatchObject({ token: 'theirs' });
  });

  it.each([
    ['a process that is gone', () => ({ pid: gonePid() })],
    ['one before us with our id, as in a container that is started anew', () => ({ startedAt: 1 })],
    [
      'another machine that has not been seen since',
      () => ({ host: 'other', seenAt: clock.now() - 120_001 }),
    ],
    [
      'another machine, seen so far in the future that a clock must have been put right since',
      () => ({ host: 'other', seenAt: clock.now() + 3_600_001 }),
    ],
  ])('is taken over from %s', (_name, holder) => {
    leaveLock(holder());
    const lock = lockFolder(folder, clock);
    lock.renew();
    lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  describe.each(['', '\0\0', 'null', '"x"', '{"seenAt":1e300}', '{"seenAt":1,"token":"theirs"}'])(
    'whose content is damaged: %j',
    (text) => {
      const leaveDamaged = (age: number) => {
        const file = path.join(folder, 'lock');
        fs.writeFileSync(file, text);
        fs.utimesSync(file, clock.now() / 1_000, clock.now() / 1_000 - age);
      };

      it('is not available until it was written too long ago', () => {
        leaveDamaged(120);
        expect(() => lockFolder(folder, clock)).toThrow(FolderInUse);
        leaveDamaged(121);
        lockFolder(folder, clock).release();
        expect(fs.readdirSync(folder)).toEqual([]);
      });

      it('is no longer ours', () => {
        const lock = lockFolder(folder, clock);
        leaveDamaged(0);
        expect(() => {
          lock.renew();
        }).toThrow(FolderInUse);
        lock.release();
        expect(fs.readdirSync(folder)).toEqual(['lock']);
      });
    },
  );

  it('that the system cannot read is not taken over', () => {
    const file = path.join(folder, 'lock');
    fs.symlinkSync(file, file);
    expect(() => lockFolder(folder, clock)).toThrow('ELOOP');
    expect(fs.readdirSync(folder)).toEqual(['lock']);
  });

  it('is renewed during a task only, and then gone', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = path.join(folder, 'harvest', 'lock');
    const seenAt = () => (JSON.parse(fs.readFileSync(file, 'utf8')) as { seenAt: number }).seenAt;
    const moving = standingClock(clock.now());
    await withFolderLock({ dir: folder, clock: moving, signal: new AbortController().signal }, () => {
      moving.set(moving.now() + 15_000);
      vi.advanceTimersByTime(15_000);
      expect(seenAt()).toBe(moving.now());
      return Promise.resolve();
    });
    vi.advanceTimersByTime(60_000);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('reports to its owner that it was taken over, and does not remove the new lock', () => {
    const lock = lockFolder(folder, clock);
    leaveLock({});
    expect(() => {
      lock.renew();
    }).toThrow(FolderInUse);
    lock.release();
    expect(fs.readdirSync(folder)).toEqual(['lock']);
  });
});
