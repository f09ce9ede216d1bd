import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { manualClock } from '../../test/manual-clock.ts';
import { usableStore } from '../../test/store/controlled-store.ts';
import { collectGarbage } from '../../../../test/collect-garbage.ts';
import { createLimiter } from './rate-limiter.ts';
import type { LimitDecision } from './rate-limiter.ts';

/** The limiter of a process by itself, which decides at once. */
function limiterAt(ms: number, requestsPerMinute = 60) {
  const { time, clock } = manualClock(ms);
  const limiter = createLimiter({ requestsPerMinute, clock, store: undefined });
  return { time, limiter, admit: (client: string) => limiter?.admit(client) as LimitDecision };
}

describe('the limit of a client', () => {
  it('is off if the setting is 0', () => {
    expect(limiterAt(0, 0).limiter).toBeUndefined();
  });

  it('is never exceeded in any 60 s, whatever the arrival pattern, and admits who waits for Retry-After', () => {
    const { time, limiter, admit } = limiterAt(0.25, 10);
    expect(limiter).toMatchObject({ limit: 10, windowSeconds: 60 });
    let run = 0;
    const gap = fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.double({ min: 0, max: 3_000, noNaN: true }));
    fc.assert(
      fc.property(fc.array(gap, { maxLength: 300 }), fc.boolean(), (gaps, isObedient) => {
        const client = `client ${run++}`;
        const admitted: number[] = [];
        for (const each of gaps) {
          time.ms += each;
          let decision = admit(client);
          if (!decision.isAllowed && isObedient) {
            time.ms += decision.resetSeconds * 1000;
            decision = admit(client);
            expect(decision.isAllowed).toBe(true);
          }
          if (decision.isAllowed) admitted.push(time.ms);
        }
        for (const [at, start] of admitted.entries()) {
          expect((admitted[at + 10] ?? Infinity) - start).toBeGreaterThan(60_000);
        }
      }),
    );
  });

  it('agrees with a list of all admissions, also in the wait, for any sequence of calls', () => {
    const { time, admit } = limiterAt(0, 5);
    const gap = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 70_000 }));
    let run = 0;
    fc.assert(
      fc.property(fc.array(gap, { maxLength: 300 }), (gaps) => {
        const client = `client ${run++}`;
        let counted: number[] = [];
        for (const each of gaps) {
          time.ms += each;
          counted = counted.filter((at) => time.ms - at <= 60_000);
          const isAllowed = counted.length < 5;
          if (isAllowed) counted.push(time.ms);
          const waitMs = 60_000 - (time.ms - (counted[0] ?? time.ms));
          const wait = isAllowed ? { resetSeconds: Math.ceil(waitMs / 1000) } : { waitMs };
          expect(admit(client)).toMatchObject({ isAllowed, remaining: 5 - counted.length, ...wait });
        }
      }),
    );
  });

  it('states the remaining requests of each client separately', () => {
    const { admit } = limiterAt(0);
    expect(admit('a')).toEqual({ isAllowed: true, remaining: 59, resetSeconds: 60 });
    expect(admit('b').remaining).toBe(59);
    for (let i = 0; i < 59; i++) admit('a');
    expect(admit('a')).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 61, waitMs: 60_000 });
  });

  it('states on the first request that one more is free after exactly the window', () => {
    const { time, admit } = limiterAt(0);
    for (let i = 0; i < 1_000; i++) {
      time.ms = i * 1_234.567_891;
      expect(admit(`client ${i}`).resetSeconds).toBe(60);
    }
  });

  it('counts an admission up to and including the last moment of its window, and no longer', () => {
    const { time, admit } = limiterAt(0, 1);
    admit('a');
    // Whole seconds, past the end of the window.
    for (const [ms, resetSeconds] of [
      [0, 61],
      [0.000_1, 60],
      [0.5, 60],
      [60_000, 1],
    ] as const) {
      time.ms = ms;
      expect(admit('a')).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds });
    }
    time.ms += 0.001;
    expect(admit('a').isAllowed).toBe(true);
  });

  it('is remembered for the last 100,000 clients, and no longer', () => {
    const { admit } = limiterAt(0, 1);
    admit('watched');
    for (let i = 0; i <= 100_000; i++) {
      admit(`client ${i}`);
      if (i % 50_000 === 0) expect(admit('watched').isAllowed).toBe(false);
    }
    expect([admit('client 100000').isAllowed, admit('client 0').isAllowed]).toEqual([false, true]);
  });

  it('needs memory for the requests of its window alone, however long it comes', async () => {
    const { time, admit } = limiterAt(0, 1);
    const heapAfter = async (requests: number) => {
      for (let i = 0; i < requests; i++) {
        time.ms += 61_000;
        admit('192.0.2.1');
      }
      await collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(1_000);
    expect((await heapAfter(300_000)) - before).toBeLessThan(1_500_000);
  });
});

describe('an IPv6 /48', () => {
  const client = (index: number) => `2001:db8:7:${index.toString(16)}::/64`;

  it('has twenty times the limit of a client, however many clients it has', () => {
    const { time, admit } = limiterAt(0);
    let admitted = 0;
    for (let index = 0; index < 40; index++)
      for (let request = 0; request < 60; request++) if (admit(client(index)).isAllowed) admitted++;
    expect(admitted).toBe(1_200);
    expect(admit(client(50))).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 1 });
    expect(admit('2001:db8:8:1::/64').isAllowed).toBe(true);
    time.ms += 1_000;
    expect(admit(client(50))).toMatchObject({ isAllowed: true, remaining: 19 });
  });

  it('is remembered for the next 50,000 networks, and not for 100,000', () => {
    const { admit } = limiterAt(0, 1);
    const admitOthers = (from: number, to: number) => {
      for (let i = from; i < to; i++)
        admit(`2001:${(i >> 16).toString(16)}:${(i % 65_536).toString(16)}:1::/64`);
    };
    for (let index = 0; index < 20; index++) admit(client(index));
    admitOthers(0, 50_000);
    expect(admit(client(20)).isAllowed).toBe(false);
    admitOthers(50_000, 100_000);
    expect(admit(client(20)).isAllowed).toBe(true);
  });

  it('is unlike an IPv4 /24, which has no limit beside those of its clients', () => {
    const { admit } = limiterAt(0, 1);
    for (let index = 0; index < 256; index++) expect(admit(`192.0.2.${index}`).isAllowed).toBe(true);
  });
});

async function limiterOnStore(requestsPerMinute = 60) {
  const { store, controls, time, clock } = await usableStore();
  onTestFinished(() => store.close());
  const limiter = createLimiter({ requestsPerMinute, clock, store });
  if (!limiter) throw new Error('no limiter');
  return { controls, time, limiter };
}

describe('the limiter of replicas', () => {
  it('keeps the limit per replica while the store is unreachable, including earlier admissions', async () => {
    const { controls, limiter } = await limiterOnStore();
    for (let i = 0; i < 40; i++) expect((await limiter.admit('a')).isAllowed).toBe(true);
    controls.disconnect();
    let admitted = 0;
    for (let i = 0; i < 40; i++) if ((await limiter.admit('a')).isAllowed) admitted++;
    expect(admitted).toBe(20);
  });

  it.each([null, 'x', 7, [], [1, 59], [1, 59, null], [0, 0, -1], ['1', '59', '5'], [0, 0, 0.5]])(
    'decides by itself, as without a store, when the reply is %j',
    async (nonsense) => {
      const { controls, limiter } = await limiterOnStore();
      controls.scriptReplies = [nonsense];
      expect(await limiter.admit('a')).toEqual({ isAllowed: true, remaining: 59, resetSeconds: 60 });
    },
  );

  it.each([
    [0, 0, 60_000_001],
    [1, 59, 31_536_000_000_000],
    [1, 60, 60_000_001],
  ])(
    'decides by itself, and deletes the list, when the clock of the store was set back: %j',
    async (...moment) => {
      const { controls, limiter } = await limiterOnStore();
      controls.scriptReplies = [moment];
      expect(await limiter.admit('a')).toEqual({ isAllowed: true, remaining: 59, resetSeconds: 60 });
      expect(controls.deletedKeys).toEqual(controls.scriptKeys);
    },
  );

  it('does not count locally what the store rejected', async () => {
    const { controls, time, limiter } = await limiterOnStore();
    controls.scriptReplies = [[0, 0, 1_000]];
    for (let i = 0; i < 200; i++) {
      expect((await limiter.admit('a')).isAllowed).toBe(false);
      time.ms += 1.001;
    }
    controls.disconnect();
    expect(await limiter.admit('a')).toMatchObject({ isAllowed: true, remaining: 59 });
  });

  it('gives an IPv6 /48 back what the store rejected', async () => {
    const { controls, limiter } = await limiterOnStore(1);
    const admit = async (index: number) => (await limiter.admit(`2001:db8:7:${index}::/64`)).isAllowed;
    for (let index = 0; index < 19; index++) expect(await admit(index)).toBe(true);
    controls.scriptReplies = [
      [0, 0, 1_000],
      [1, 0, 60_000_000],
    ];
    expect([await admit(19), await admit(20), await admit(21)]).toEqual([false, true, false]);
  });

  it('states the smaller remainder of process and store, and when one more is free', async () => {
    const { controls, limiter } = await limiterOnStore();
    controls.scriptReplies = [
      [1, 7, 12_000_001],
      [1, 59, 60_000_000],
    ];
    expect(await limiter.admit('a')).toEqual({ isAllowed: true, remaining: 7, resetSeconds: 13 });
    expect(await limiter.admit('a')).toEqual({ isAllowed: true, remaining: 58, resetSeconds: 60 });
  });
});
