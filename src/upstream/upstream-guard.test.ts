import { describe, expect, it } from 'vitest';
import { ServiceError } from '../errors.ts';
import { createLocalBudget } from './outgoing-budget.ts';
import type { CallEnd } from './call-end.ts';
import { createUpstreamGuard } from './upstream-guard.ts';
import type { UpstreamGuardOptions } from './upstream-guard.ts';

const LONG = { deadlineMs: 60_000 };

/** What the calls of these tests fail with. */
class Fault extends Error {
  readonly kind: 'reset' | 'broken' | 'absent';
  readonly leaveAloneSeconds: number | undefined;

  constructor(kind: Fault['kind'], leaveAloneSeconds?: number) {
    super(kind);
    this.kind = kind;
    this.leaveAloneSeconds = leaveAloneSeconds;
  }
}

function guardWith(more: Partial<UpstreamGuardOptions> = {}) {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const waits: number[] = [];
  const guard = createUpstreamGuard({
    clock,
    random: () => 0.5,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    concurrent: 4,
    maxWaiting: 10,
    tolerableWaitMs: 400,
    budget: undefined,
    judge: (error) => ({
      failed: error instanceof Fault && error.kind !== 'absent',
      retry: error instanceof Fault && error.kind === 'reset',
      leaveAloneSeconds: error instanceof Fault ? error.leaveAloneSeconds : undefined,
    }),
    errors: {
      unavailable: (cause, retryAfterSeconds) =>
        new ServiceError('upstream_unavailable', { cause, retryAfterSeconds }),
      overloaded: (retryAfterSeconds) => new ServiceError('overloaded', { retryAfterSeconds }),
      late: (ms) => new ServiceError('upstream_timeout', { cause: ms, retryAfterSeconds: 10 }),
    },
    ...more,
  });
  return { guard, time, waits, clock };
}

/** Calls that end when the test says so. */
function heldCalls() {
  const ends: (() => void)[] = [];
  const call = () =>
    new Promise<void>((resolve) => {
      ends.push(resolve);
    });
  return { ends, call };
}

/** Fails after a second, again and again, until the circuit opens. */
async function breakDown({ guard, time }: ReturnType<typeof guardWith>, seconds?: number): Promise<void> {
  const slowly = () => {
    time.ms += 1_000;
    return fault('broken', seconds)();
  };
  for (let i = 0; i < 5; i++) await expect(guard.run(slowly, LONG)).rejects.toThrow('broken');
}

const turn = () => new Promise((done) => setImmediate(done));
const fault = (kind: Fault['kind'], seconds?: number) => () => Promise.reject(new Fault(kind, seconds));

describe('the guard of an upstream', () => {
  it('answers at once, with the time to wait, once the circuit is open', async () => {
    const guarded = guardWith();
    const { guard, time } = guarded;
    await breakDown(guarded);
    let calls = 0;
    const call = () => Promise.resolve(++calls);
    const refusal = { code: 'upstream_unavailable', retryAfterSeconds: 2 };
    for (let i = 0; i < 100; i++) await expect(guard.run(call, LONG)).rejects.toMatchObject(refusal);
    expect(calls).toBe(0);
    time.ms += 2_000;
    expect(await guard.run(call, LONG)).toBe(1);
    expect(guard.figures).toMatchObject({ breaker: 'closed', refused: 100 });
  });

  it('takes a "no" for an answer, not for a failure', async () => {
    const { guard } = guardWith();
    for (let i = 0; i < 20; i++) await expect(guard.run(fault('absent'), LONG)).rejects.toThrow('absent');
    expect(guard.figures.breaker).toBe('closed');
  });

  it('leaves an upstream alone for as long as it asked', async () => {
    const guarded = guardWith();
    const { guard } = guarded;
    await breakDown(guarded, 120);
    await expect(guard.run(fault('absent'), LONG)).rejects.toMatchObject({ retryAfterSeconds: 120 });
  });

  it('asks again what is safe to repeat, after a random while', async () => {
    const { guard, waits } = guardWith();
    let calls = 0;
    const call = () => (++calls === 11 ? fault('reset')() : Promise.resolve('there'));
    for (let i = 0; i < 11; i++) expect(await guard.run(call, LONG)).toBe('there');
    expect(waits).toEqual([50]);
    await expect(guard.run(fault('broken'), LONG)).rejects.toThrow('broken');
    expect(waits).toHaveLength(1);
  });

  it('adds at most a fifth to the calls, however badly the upstream fails', async () => {
    const { guard } = guardWith();
    let calls = 0;
    // Every third call is answered, so that the circuit stays closed and nothing but the budget holds back.
    const call = () => (++calls % 3 === 0 ? Promise.resolve() : fault('reset')());
    for (let i = 0; i < 10; i++) await guard.run(call, LONG).catch(() => undefined);
    expect(calls).toBeLessThanOrEqual(12);
    for (let i = 10; i < 1_000; i++) await guard.run(call, LONG).catch(() => undefined);
    expect(guard.figures.retries).toBeGreaterThan(50);
    expect(calls).toBeLessThanOrEqual(1_200);
  });

  it('never has more calls under way than it may, and refuses what would not be answered soon', async () => {
    const { guard } = guardWith();
    const { ends, call } = heldCalls();
    const runs = Array.from({ length: 20 }, () => guard.run(call, LONG).catch((error: unknown) => error));
    await turn();
    expect(ends).toHaveLength(4);
    expect(guard.figures).toMatchObject({ underWay: 4, waiting: 10, refused: 6 });
    for (let i = 0; i < 14; i++) {
      ends[i]!();
      await turn();
    }
    const errors = (await Promise.all(runs)).filter((result) => result !== undefined);
    expect(errors).toHaveLength(6);
    for (const error of errors) expect(error).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    expect(guard.figures).toMatchObject({ underWay: 0, waiting: 0 });
  });

  it('refuses a line that moves too slowly', async () => {
    const { guard, time } = guardWith({ maxWaiting: 1_000 });
    const slow = () => {
      time.ms += 600;
      return Promise.resolve();
    };
    for (let i = 0; i < 50; i++) await guard.run(slow, LONG);
    const { ends, call } = heldCalls();
    const runs = Array.from({ length: 100 }, () => guard.run(call, LONG).catch((error: unknown) => error));
    await turn();
    expect(guard.figures).toMatchObject({ underWay: 4, waiting: 4 });
    while (guard.figures.underWay > 0) {
      ends.shift()!();
      await turn();
    }
    await Promise.all(runs);
  });

  it('holds the deadline while waiting in line, too, and tells the call', async () => {
    const { guard } = guardWith({ concurrent: 1 });
    let end: CallEnd | undefined;
    const hanging = (given: CallEnd) => {
      end = given;
      return new Promise<never>((_resolve, reject) => {
        given.listen(() => {
          reject(given.reason ?? new Error('told without a reason'));
        });
      });
    };
    const late = { code: 'upstream_timeout' };
    const runs = [
      guard.run(hanging, { deadlineMs: 5 }),
      guard.run(() => Promise.resolve(), { deadlineMs: 1 }),
    ];
    await expect(runs[1]).rejects.toMatchObject(late);
    await expect(runs[0]).rejects.toMatchObject(late);
    expect(end?.reason).toBeInstanceOf(Error);
    await turn();
    expect(guard.figures).toMatchObject({ underWay: 0, waiting: 0, calls: 1 });
  });

  it('counts calls that ran into the deadline as failures, and refuses those still in line', async () => {
    const { guard, time } = guardWith({ concurrent: 5 });
    const hanging = () => new Promise<never>(() => undefined);
    const runs = Array.from({ length: 5 }, () => guard.run(hanging, { deadlineMs: 20 }));
    await turn();
    time.ms += 10_000;
    for (const run of runs) await expect(run).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(guard.figures.breaker).toBe('open');
  });

  it('asks nothing more of the upstream when the budget of the day is used up', async () => {
    const { clock, time } = guardWith();
    const budget = createLocalBudget({ requests: 10, bytes: 1_000, windowSeconds: 86_400 }, clock);
    const { guard } = guardWith({ budget });
    const call = () => Promise.resolve();
    for (let i = 0; i < 10; i++) await guard.run(call, LONG);
    await expect(guard.run(call, LONG)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      retryAfterSeconds: 86_400,
    });
    time.ms += 86_400_000;
    await guard.run(() => {
      budget.addBytes(1_000);
      return Promise.resolve();
    }, LONG);
    await expect(guard.run(call, LONG)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(budget.used).toEqual({ requests: 1, bytes: 1_000 });
  });
});
