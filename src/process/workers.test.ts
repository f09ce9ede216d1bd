import cluster from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from './logger.ts';
import { startWorkers } from './workers.ts';

/** A worker that says that it is there, dies when it is told to, and does not hear SIGTERM. */
const WORKER = `
process.on('SIGTERM', () => process.send('deaf'));
process.on('message', () => process.exit(3));
process.send('up');
`;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-workers-'));
  writeFileSync(join(folder, 'worker.cjs'), WORKER);
  cluster.setupPrimary({ exec: join(folder, 'worker.cjs'), args: [], execArgv: [], silent: true });
  return () => {
    rmSync(folder, { recursive: true });
  };
});

/** Waits without moving the time, as `expect.poll` would. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Workers whose time stands still: their messages, and how the last of them is made to die. */
function workersOf(count: number) {
  const time = { ms: 0 };
  const heard: unknown[] = [];
  let kill: () => void = () => undefined;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const group = startWorkers({
    count,
    clock: { now: () => time.ms, monotonic: () => time.ms },
    logger: silentLogger(),
    onMessage: (message, answer) => {
      heard.push(message);
      kill = () => {
        answer({ die: true });
      };
    },
  });
  const ids = () => Object.keys(cluster.workers ?? {}).map(Number);
  onTestFinished(async () => {
    const closing = group.close();
    await vi.advanceTimersByTimeAsync(20_000);
    await closing;
  });
  return {
    ...{ time, heard, group, ids },
    kill: () => {
      kill();
    },
  };
}

describe('a worker', () => {
  it('that dies within five seconds is replaced after one, and a later one at once', async () => {
    const { time, heard, kill } = workersOf(1);
    await until(() => heard.length === 1);
    time.ms += 4_999;
    kill();
    await until(() => vi.getTimerCount() === 1);
    await vi.advanceTimersByTimeAsync(999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
    await until(() => heard.length === 2);
    time.ms += 5_000;
    kill();
    await until(() => vi.getTimerCount() === 1);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => heard.length === 3);
  });

  it('has nine and a half seconds to end, and is killed then; none is replaced any more', async () => {
    const { heard, group, ids } = workersOf(2);
    await until(() => heard.length === 2);
    const closed = group.close();
    await until(() => heard.length === 4);
    expect(heard.slice(2)).toEqual(['deaf', 'deaf']);
    await vi.advanceTimersByTimeAsync(9_499);
    expect(ids()).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    await until(() => ids().length === 0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
