import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { standingClock } from '../../../narou/test/upstream-under-test.ts';
import { FolderInUse, lockFolder, withFolderLock } from './lock-folder.ts';

const clock = standingClock(1_900_000_000_000);
let folder = '';

beforeEach(() => {
  folder = temporaryFolder();
});

/** Creates the lock of another process, last seen so many seconds ago. */
function leaveLock({ host = os.hostname(), pid = process.pid, startedAt = 1, age = 0 } = {}): void {
  leaveText(`${host} ${pid} ${startedAt}`, age);
}

function leaveText(text: string, age: number): void {
  const file = path.join(folder, 'lock');
  const seenAt = clock.now() / 1_000 - age;
  fs.writeFileSync(file, text);
  fs.utimesSync(file, seenAt, seenAt);
}

const gonePid = () => spawnSync(process.execPath, ['-e', '']).pid;

describe('the lock of a harvest folder', () => {
  it('is available again at once after a disk was too full to name its holder', () => {
    vi.spyOn(fs, 'writeFileSync').mockImplementationOnce(() => {
      leaveText('', 0);
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    });
    expect(() => lockFolder(folder, clock)).toThrow('no space left');
    lockFolder(folder, clock).release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['this process', { startedAt: Math.round(performance.timeOrigin) }],
    ['another living process of this machine', { pid: process.ppid }],
    ['a process of which the system states nothing', { pid: 2 ** 40 }],
    ['a process of another machine that was seen 120 s ago', { host: 'other', age: 120 }],
  ])('is not available while it belongs to %s', (_name, holder) => {
    leaveLock(holder);
    const before = fs.readFileSync(path.join(folder, 'lock'), 'utf8');
    expect(() => lockFolder(folder, clock)).toThrow(FolderInUse);
    expect(fs.readFileSync(path.join(folder, 'lock'), 'utf8')).toBe(before);
    expect(fs.readdirSync(folder)).toEqual(['lock']);
  });

  it.each([
    ['a process that is gone', () => ({ pid: gonePid() })],
    ['one before us with our id, as in a container that is started anew', () => ({})],
    [
      'a process that has not been seen since: another has its id now',
      () => ({ pid: process.ppid, age: 121 }),
    ],
    ['another machine that has not been seen since', () => ({ host: 'other', age: 121 })],
    [
      'another machine, seen in the future: a clock must have been corrected',
      () => ({ host: 'other', age: -121 }),
    ],
  ])('is taken over from %s', (_name, holder) => {
    leaveLock(holder());
    const lock = lockFolder(folder, clock);
    lock.renew();
    lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it.each(['', '\0\0', 'null', '{"token":1}'])(
    'with damaged content is not available until it was written too long ago: %j',
    (text) => {
      leaveText(text, 120);
      expect(() => lockFolder(folder, clock)).toThrow(/is in use by another harvest: .*free after 2 minutes/);
      leaveText(text, 121);
      lockFolder(folder, clock).release();
      expect(fs.readdirSync(folder)).toEqual([]);
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
    const moving = standingClock(clock.now());
    await withFolderLock({ dir: folder, clock: moving, signal: new AbortController().signal }, () => {
      moving.set(moving.now() + 15_000);
      vi.advanceTimersByTime(15_000);
      expect(fs.statSync(file).mtimeMs).toBe(moving.now());
      return Promise.resolve();
    });
    vi.advanceTimersByTime(60_000);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('is available if its holder releases it while it is read', () => {
    vi.spyOn(fs, 'writeFileSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    });
    lockFolder(folder, clock).release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('of a lost process that another one takes over at the same moment belongs to that one', () => {
    leaveLock({ pid: gonePid() });
    const rename = fs.renameSync;
    vi.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      leaveLock({ host: 'other' });
      rename(from, to);
    });
    expect(() => lockFolder(folder, clock)).toThrow(/in use by another harvest: process \d+ on other/);
    expect(fs.readdirSync(folder)).toEqual(['lock']);
  });

  it('that is taken over during a task ends the task', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const signal = await withFolderLock(
      { dir: folder, clock, signal: new AbortController().signal },
      (lost) => {
        fs.writeFileSync(path.join(folder, 'harvest', 'lock'), 'other 1 1');
        vi.advanceTimersByTime(15_000);
        return Promise.resolve(lost);
      },
    );
    expect(signal.reason).toBeInstanceOf(FolderInUse);
  });

  it('that is deleted by hand ends the task with a message that says so', () => {
    const lock = lockFolder(folder, clock);
    fs.rmSync(path.join(folder, 'lock'));
    expect(() => {
      lock.renew();
    }).toThrow(/lock was deleted during this harvest, by hand or by a later harvest\. Run it again/);
    lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it.each(['other 1 1', ''])(
    'reports to its owner that it was taken over, and does not remove the new lock: %j',
    (text) => {
      const lock = lockFolder(folder, clock);
      leaveText(text, 0);
      expect(() => {
        lock.renew();
      }).toThrow(FolderInUse);
      lock.release();
      expect(fs.readdirSync(folder)).toEqual(['lock']);
    },
  );
});
