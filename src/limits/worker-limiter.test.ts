import { describe, expect, it } from 'vitest';
import { createSlidingWindow } from './rate-limiter.ts';
import { answerTake, createWorkerLimiter } from './worker-limiter.ts';

/** Workers of one primary, whose messages are copied as between processes. */
function startPrimary() {
  const clock = { now: () => 0, monotonic: () => 0 };
  const window = createSlidingWindow({ clock, limit: 60, windowSeconds: 60, maxClients: 100 });
  const windows = new Map([['catalogue', window]]);
  const count = { messages: 0 };
  function startWorker(name = 'catalogue') {
    const listeners: ((message: unknown) => void)[] = [];
    return createWorkerLimiter({
      name,
      limit: 60,
      windowSeconds: 60,
      primary: {
        send: (message) => {
          count.messages++;
          const answer = structuredClone(answerTake(windows, structuredClone(message)));
          setImmediate(() => {
            for (const listener of listeners) listener(answer);
          });
        },
        listen: (listener) => {
          listeners.push(listener);
        },
      },
    });
  }
  return { startWorker, count, windows };
}

describe('the limiter of several workers', () => {
  it('counts for all of them together, and answers everybody in order, with one message a turn', async () => {
    const { startWorker, count } = startPrimary();
    const workers = Array.from({ length: 4 }, () => startWorker());
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, i) => workers[i % 4]!.take(i % 2 === 0 ? 'a' : 'b')),
    );
    const allowed = (parity: number) => decisions.filter((d, i) => i % 2 === parity && d.allowed).length;
    expect([allowed(0), allowed(1)]).toEqual([60, 60]);
    expect(count.messages).toBe(4);
    expect(decisions[0]).toEqual({ allowed: true, remaining: 59, resetSeconds: 60 });
  });

  it('takes back what did not go ahead', async () => {
    const { startWorker } = startPrimary();
    const [one, two] = [startWorker(), startWorker()];
    for (let i = 0; i < 60; i++) await one.take('a');
    expect((await two.take('a')).allowed).toBe(false);
    two.giveBack('a');
    expect((await two.take('a')).allowed).toBe(true);
    expect((await one.take('a')).allowed).toBe(false);
  });

  it('leaves messages alone that are meant for others', () => {
    const { windows } = startPrimary();
    for (const other of [null, 'text', { kind: 'mokuroku:listening' }]) {
      expect(answerTake(windows, other)).toBeUndefined();
    }
  });
});
