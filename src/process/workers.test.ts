import cluster from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from './logger.ts';
import { startWorkers } from './workers.ts';

/** A worker that reports its start, exits or disconnects on a message, and ignores SIGTERM. */
const WORKER = `
const { spawn } = require('node:child_process');
process.on('SIGTERM', () => process.send('deaf'));
process.on('message', ({ leavesChild, staysAtExit }) => {
  if (staysAtExit) {
    // As when the process joins a thread that waits for a pipe.
    process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    return process.disconnect();
  }
  // Its channel stays open as long as the child has it.
  if (leavesChild) process.send(spawn('sleep', ['60'], { stdio: [3, 3, 3] }).pid, () => process.exit(3));
  else process.exit(3);
});
process.send('up');
`;

const folder = mkdtempSync(join(tmpdir(), 'mokuroku-workers-'));

beforeAll(() => {
  writeFileSync(join(folder, 'worker.cjs'), WORKER);
  cluster.setupPrimary({ exec: join(folder, 'worker.cjs'), args: [], execArgv: [], silent: true });
  return () => {
    rmSync(folder, { recursive: true });
  };
});

interface Wait {
  milliseconds: number;
  signal: AbortSignal;
  end: () => void;
}

/** Returns the first, second ... message, waiting for later ones. */
function inbox<T>() {
  const received: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    add: (item: T) => {
      const next = waiting.shift();
      if (next) next(item);
      else received.push(item);
    },
    next: () =>
      new Promise<T>((resolve) => {
        const [item] = received.splice(0, 1);
        if (item === undefined) waiting.push(resolve);
        else resolve(item);
      }),
    get unread() {
      return received.length;
    },
  };
}

/** Workers on a manual clock: their messages, and the pauses. */
function workersOf(count: number) {
  const time = { ms: 0 };
  const messages = inbox<{ message: unknown; answer: (message: object) => void }>();
  const waits = inbox<Wait>();
  const group = startWorkers({
    count,
    clock: { now: () => time.ms, monotonic: () => time.ms },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('no sleep any more'));
        });
        waits.add({ milliseconds, signal, end: resolve });
      }),
    logger: silentLogger(),
    onMessage: (message, answer) => {
      messages.add({ message, answer });
    },
  });
  onTestFinished(() => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  });
  return { time, messages, waits, group };
}

describe('a worker', () => {
  it('that exits within five seconds is replaced after one, a later one at once', async () => {
    const { time, messages, waits, group } = workersOf(1);
    const first = await messages.next();
    expect(first.message).toBe('up');
    group.fill();
    time.ms += 4_999;
    first.answer({ die: true });
    const early = await waits.next();
    expect(early.milliseconds).toBe(1_000);
    expect(Object.values(cluster.workers ?? {}).filter((worker) => !worker?.isDead())).toHaveLength(0);
    early.end();
    const second = await messages.next();
    expect(second.message).toBe('up');
    time.ms += 5_000;
    second.answer({ leavesChild: true });
    const { message: child } = await messages.next();
    onTestFinished(() => void process.kill(Number(child)));
    const late = await waits.next();
    expect(late.milliseconds).toBe(0);
    // No further worker is started, and the dead one is not awaited.
    await group.close();
    expect(late.signal.aborted).toBe(true);
    expect(messages.unread).toBe(0);
  });

  it('has nine and a half seconds to exit, and is then killed', async () => {
    const { messages, waits, group } = workersOf(2);
    await messages.next();
    group.fill();
    await messages.next();
    let isClosed = false;
    const closed = group.close().then(() => (isClosed = true));
    const deaf = await Promise.all([messages.next(), messages.next()]);
    expect(deaf.map(({ message }) => message)).toEqual(['deaf', 'deaf']);
    const graces = await Promise.all([waits.next(), waits.next()]);
    expect(graces.map(({ milliseconds }) => milliseconds)).toEqual([9_500, 9_500]);
    expect(isClosed).toBe(false);
    for (const grace of graces) grace.end();
    await closed;
  });

  it('that has disconnected while closing is killed if it has not exited half a second later', async () => {
    const { messages, waits, group } = workersOf(1);
    await messages.next();
    group.fill();
    const closed = group.close();
    const { answer } = await messages.next();
    expect((await waits.next()).milliseconds).toBe(9_500);
    answer({ staysAtExit: true });
    const grace = await waits.next();
    expect(grace.milliseconds).toBe(500);
    grace.end();
    await closed;
  });

  it('that cannot be started is retried after a second, and the others continue', async () => {
    onTestFinished(() => {
      cluster.setupPrimary({ cwd: folder });
    });
    const { messages, waits, group } = workersOf(2);
    const first = await messages.next();
    cluster.setupPrimary({ cwd: join(folder, 'not-there') });
    group.fill();
    const failed = await waits.next();
    expect(failed.milliseconds).toBe(1_000);
    cluster.setupPrimary({ cwd: folder });
    failed.end();
    const second = await messages.next();
    expect(second.message).toBe('up');
    for (const { answer } of [first, second]) answer({ die: true });
    await Promise.all([waits.next(), waits.next()]);
    await group.close();
  });

  it('that exits before the others are started fails the start: it is not replaced', async () => {
    const { messages, waits, group } = workersOf(2);
    const first = await messages.next();
    first.answer({ die: true });
    expect(await group.failed).toBe(3);
    expect(waits.unread).toBe(0);
    await group.close();
    expect(messages.unread).toBe(0);
  });

  it('fails the start if not even the first one can be started', async () => {
    onTestFinished(() => {
      cluster.setupPrimary({ cwd: folder });
    });
    cluster.setupPrimary({ cwd: join(folder, 'not-there') });
    const { group } = workersOf(2);
    expect(await group.failed).toBe(1);
    await group.close();
  });
});
