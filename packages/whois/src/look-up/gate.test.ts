import { describe, expect, it } from 'vitest';
import { NIC, answers, gateUnderTest } from '../../test/gate-under-test.ts';

describe('the gate', () => {
  it('runs two calls at once, queues 200, and rejects the others with Retry-After', async () => {
    const { run } = gateUnderTest();
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

  it('passes a fault of the call on, and makes the next call', async () => {
    const { run } = gateUnderTest({ concurrent: 1 });
    const fault = new TypeError('ours');
    expect(await run(() => Promise.reject(fault))).toBe(fault);
    expect(await run(answers)).toBe('answered');
  });

  it('an aborted request ends at once with its reason, and gives its place up', async () => {
    const { run } = gateUnderTest({ concurrent: 1 });
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
    const { run } = gateUnderTest({ concurrent: 1 });
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
