import { describe, expect, it } from 'vitest';
import type { Gate, ServerLimits } from '../src/look-up/gate.ts';
import type { Clock } from '../src/net/clock.ts';
import { ServerFault } from '../src/net/server-fault.ts';

export type CreateGate = (limits: ServerLimits, clock: Clock) => Gate;

const NIC = 'whois.nic.example';

/** A gate whose clock moves by `advance`; a rejected run is the reason and the wait of its fault. */
export function gateUnderTest(
  createGate: CreateGate,
  limits: { concurrent?: number; perSecond?: number; burst?: number } = {},
) {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const { concurrent = 2, perSecond = 0, burst = 10 } = limits;
  const gate = createGate(
    { concurrentPerRegistry: concurrent, perSecondPerRegistry: perSecond, burstPerRegistry: burst },
    clock,
  );
  return {
    gate,
    clock,
    advance: (ms: number) => void (now += ms),
    run: (call: (signal: AbortSignal) => Promise<unknown>, server = NIC, ms = 60_000, signal?: AbortSignal) =>
      gate.run({ server, deadline: now + ms, signal }, call).catch(faultOf),
  };
}

export const faultOf = (error: unknown) =>
  error instanceof ServerFault ? [error.reason, error.retryAfterSeconds] : error;
export const answers = () => Promise.resolve('answered');

/** What every gate before registry servers guarantees. */
export function describeGate(name: string, createGate: CreateGate): void {
  const setUp = (limits?: Parameters<typeof gateUnderTest>[1]) => gateUnderTest(createGate, limits);

  describe(name, () => {
    it('runs two calls at once, queues 200, and rejects the others with Retry-After', async () => {
      const { run } = setUp();
      const ends: (() => void)[] = [];
      let most = 0;
      let running = 0;
      const call = async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((done) => ends.push(done));
        running--;
        return 'answered';
      };
      const all = Array.from({ length: 1_000 }, () => run(call));
      expect(await run(answers, 'whois.other.example')).toBe('answered');
      while (ends.length > 0) {
        ends.shift()?.();
        await new Promise(setImmediate);
      }
      const came = await Promise.all(all);
      expect(most).toBe(2);
      expect(came.filter((outcome) => outcome === 'answered')).toHaveLength(202);
      expect(came.at(-1)).toEqual(['busy', 1]);
    });

    it('keeps the rate and its burst', async () => {
      const { run, advance } = setUp({ perSecond: 1, burst: 2 });
      expect([await run(answers), await run(answers)]).toEqual(['answered', 'answered']);
      expect(await run(answers, NIC, 1_000)).toEqual(['busy', 1]);
      advance(1_000);
      expect(await run(answers)).toBe('answered');
      expect(await run(answers, NIC, 1_000)).toEqual(['busy', 1]);
    });

    it("keeps a server's own spacing, whatever the burst", async () => {
      const { run, advance } = setUp({ perSecond: 100, burst: 50 });
      expect(await run(answers, 'whois.hkirc.hk')).toBe('answered');
      expect(await run(answers, 'whois.hkirc.hk', 9_999)).toEqual(['busy', 10]);
      advance(10_000);
      expect(await run(answers, 'whois.hkirc.hk')).toBe('answered');
    });

    it('counts the calls that wait before a call when it decides whether the rate allows it in time', async () => {
      const { run } = setUp({ concurrent: 1, perSecond: 1, burst: 1 });
      let end: (value: unknown) => void = () => undefined;
      const first = run(() => new Promise((resolve) => (end = resolve)));
      await new Promise(setImmediate);
      const controller = new AbortController();
      const waiting = [1, 2].map(() => run(answers, NIC, 60_000, controller.signal));
      expect(await run(answers, NIC, 3_000)).toEqual(['busy', 3]);
      controller.abort('enough');
      expect(await Promise.all(waiting)).toEqual(['enough', 'enough']);
      end('answered');
      expect(await first).toBe('answered');
    });

    it('passes a fault of the call on, and makes the next call', async () => {
      const { run } = setUp({ concurrent: 1 });
      const fault = new TypeError('ours');
      expect(await run(() => Promise.reject(fault))).toBe(fault);
      expect(await run(answers)).toBe('answered');
    });

    it('an aborted request ends at once with its reason, and gives its place up', async () => {
      const { run } = setUp({ concurrent: 1 });
      const controller = new AbortController();
      const signals: AbortSignal[] = [];
      const silent = (signal: AbortSignal) => new Promise(() => signals.push(signal));
      const running = run(silent, NIC, 60_000, controller.signal);
      const waiting = run(answers, NIC, 60_000, controller.signal);
      const next = run(answers);
      await new Promise(setImmediate);
      controller.abort('enough');
      expect(await Promise.all([running, waiting, next])).toEqual(['enough', 'enough', 'answered']);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    });

    it('distinguishes a call that timed out from one that was never made', async () => {
      const { run } = setUp({ concurrent: 1 });
      let end: (value: unknown) => void = () => undefined;
      const silent = () => new Promise((resolve) => (end = resolve));
      const first = run(silent);
      // Both wait for a timer, however late it is.
      expect(await run(answers, NIC, 1)).toEqual(['busy', 1]);
      end('answered');
      expect(await first).toBe('answered');
      expect(await run(silent, NIC, 1)).toEqual(['timeout', undefined]);
    });
  });
}
