import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlidingWindow, createRefusal } from './rate-limiter.ts';

function limiterAt(start: number, limit = 60, maxClients = 100) {
  let now = start;
  const clock = { now: () => now, monotonic: () => now };
  const limiter = createSlidingWindow({ clock, limit, windowSeconds: 60, maxClients });
  return {
    limiter,
    advance: (ms: number) => void (now += ms),
  };
}

describe('the sliding window', () => {
  it('never admits more than the limit in any 60 s, whatever the arrival pattern', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 400 }), (gaps) => {
        const { limiter, advance } = limiterAt(0, 10);
        const admitted: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          advance(gap);
          now += gap;
          if (limiter.admit('a').isAllowed) admitted.push(now);
        }
        for (const [i, start] of admitted.entries()) {
          const inSpan = admitted.slice(i).filter((at) => at - start <= 60_000);
          expect(inSpan.length).toBeLessThanOrEqual(10);
        }
      }),
    );
  });

  it('admits a client that waits exactly for Retry-After', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 3_000, noNaN: true }), { minLength: 80, maxLength: 200 }),
        (gaps) => {
          const { limiter, advance } = limiterAt(0.25);
          for (const gap of gaps) {
            advance(gap);
            const decision = limiter.admit('a');
            if (decision.isAllowed) continue;
            advance(decision.resetSeconds * 1000);
            expect(limiter.admit('a').isAllowed).toBe(true);
          }
        },
      ),
    );
  });

  it('never rejects one request a second', () => {
    const { limiter, advance } = limiterAt(0);
    for (let i = 0; i < 600; i++) {
      expect(limiter.admit('a').isAllowed).toBe(true);
      advance(1_001);
    }
  });

  it('states the remaining requests of each client separately', () => {
    const { limiter } = limiterAt(0);
    expect(limiter.admit('a')).toEqual({ isAllowed: true, remaining: 59, resetSeconds: 60 });
    expect(limiter.admit('b').remaining).toBe(59);
    for (let i = 0; i < 59; i++) limiter.admit('a');
    expect(limiter.admit('a')).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 61, waitMs: 60_000 });
  });

  it('states on the first request that one more is free after exactly the window', () => {
    for (let i = 0; i < 1_000; i++) {
      expect(limiterAt(i * 1_234.567_891).limiter.admit('a').resetSeconds).toBe(60);
    }
  });

  it('counts an admission up to and including the last moment of its window, and no longer', () => {
    const { limiter, advance } = limiterAt(0, 1);
    limiter.admit('a');
    advance(60_000);
    expect(limiter.admit('a')).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 1, waitMs: 0 });
    advance(0.001);
    expect(limiter.admit('a').isAllowed).toBe(true);
  });

  it('drops an admission that is returned', () => {
    const { limiter } = limiterAt(0, 2);
    limiter.admit('a');
    limiter.admit('a');
    limiter.cancelAdmission('a');
    limiter.cancelAdmission('unknown');
    expect(limiter.admit('a')).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(limiter.admit('a').isAllowed).toBe(false);
  });

  it('returns no more admissions than still count', () => {
    const { limiter, advance } = limiterAt(0, 6);
    limiter.admit('a');
    advance(59_000);
    for (let i = 0; i < 5; i++) limiter.admit('a');
    advance(1_001);
    expect(limiter.admit('a')).toMatchObject({ isAllowed: true, remaining: 0 });
    for (let i = 0; i < 10; i++) limiter.cancelAdmission('a');
    const allowed = Array.from({ length: 8 }, () => limiter.admit('a').isAllowed);
    expect(allowed.filter(Boolean)).toHaveLength(6);
  });

  it('agrees with a list of all admissions, also in the wait, for any sequence of calls', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant('take' as const) },
      { weight: 1, arbitrary: fc.constant('give back' as const) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 70_000 }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { limiter, advance } = limiterAt(0, 5);
        let now = 0;
        let counted: number[] = [];
        for (const each of steps) {
          if (each === 'give back') {
            limiter.cancelAdmission('a');
            counted.pop();
          } else if (each === 'take') {
            counted = counted.filter((at) => now - at <= 60_000);
            const allowed = counted.length < 5;
            if (allowed) counted.push(now);
            const waitMs = 60_000 - (now - (counted[0] ?? now));
            const wait = allowed ? { resetSeconds: Math.ceil(waitMs / 1000) } : { waitMs };
            expect(limiter.admit('a')).toMatchObject({
              isAllowed: allowed,
              remaining: 5 - counted.length,
              ...wait,
            });
          } else {
            advance(each);
            now += each;
          }
        }
      }),
    );
  });

  it('remembers a bounded number of clients and drops the least recent first', () => {
    const { limiter } = limiterAt(0, 1, 1_000);
    for (let i = 0; i < 999; i++) limiter.admit(`old ${i}`);
    limiter.admit('watched');
    for (let i = 0; i < 100_000; i++) {
      limiter.admit(`client ${i}`);
      if (i % 500 === 0) expect(limiter.admit('watched').isAllowed).toBe(false);
    }
    expect(limiter.clients).toBe(1_000);
  });
});

it('a rejection states whole seconds, past the end of the window despite rounding', () => {
  const seconds = [59_999.5, 59_999.9999, 60_000].map((waitMs) => createRefusal(waitMs).resetSeconds);
  expect(seconds).toEqual([60, 61, 61]);
});

describe('an IPv6 /48', () => {
  const client = (index: number) => `2001:db8:7:${index.toString(16)}::/64`;

  it('has twenty times the limit of a client, however many clients it has', () => {
    const { limiter, advance } = limiterAt(0);
    let admitted = 0;
    for (let index = 0; index < 40; index++)
      for (let time = 0; time < 60; time++) if (limiter.admit(client(index)).isAllowed) admitted++;
    expect(admitted).toBe(1_200);
    const refused = limiter.admit(client(50));
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 1 });
    expect(limiter.admit('2001:db8:8:1::/64').isAllowed).toBe(true);
    advance(1_000);
    expect(limiter.admit(client(50))).toMatchObject({ isAllowed: true, remaining: 19 });
  });

  it('gets a cancelled admission back, and an IPv4 /24 has no limit beside those of its clients', () => {
    const { limiter } = limiterAt(0, 1, 1_000);
    for (let index = 0; index < 20; index++) limiter.admit(client(index));
    expect(limiter.admit(client(20)).isAllowed).toBe(false);
    limiter.cancelAdmission(client(1));
    expect(limiter.admit(client(20)).isAllowed).toBe(true);
    for (let index = 0; index < 256; index++) expect(limiter.admit(`192.0.2.${index}`).isAllowed).toBe(true);
  });
});
