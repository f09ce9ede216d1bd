import { describe, expect, it } from 'vitest';
import { SlidingWindowLimiter } from './rate-limiter.ts';
import { SharedLimiter, answerTake } from './shared-limiter.ts';

describe('the limiter of several workers', () => {
  it('counts for all of them together, and answers everybody in order', async () => {
    const clock = { now: () => 0, monotonic: () => 0 };
    const counting = new SlidingWindowLimiter({ clock, limit: 60, windowSeconds: 60, maxClients: 100 });
    const limiters = new Map([['catalogue', counting]]);
    let messages = 0;
    const workers = Array.from({ length: 4 }, () => {
      const worker: SharedLimiter = new SharedLimiter({
        name: 'catalogue',
        limit: 60,
        windowSeconds: 60,
        send: (message) => {
          messages++;
          const answer = structuredClone(answerTake(limiters, structuredClone(message)));
          setImmediate(() => {
            worker.receive(answer);
          });
        },
      });
      return worker;
    });
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, i) => workers[i % 4]!.take(i % 2 === 0 ? 'a' : 'b')),
    );
    const allowed = (parity: number) => decisions.filter((d, i) => i % 2 === parity && d.allowed).length;
    expect([allowed(0), allowed(1)]).toEqual([60, 60]);
    expect(messages).toBe(4);
    expect(decisions[0]).toEqual({ allowed: true, remaining: 59, resetSeconds: 60 });
  });
});
