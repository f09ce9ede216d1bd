import { describe, expect, it } from 'vitest';
import type { Log } from '../net/log.ts';
import { ServerFault } from '../net/server-fault.ts';
import { LookUpContext } from './hops.ts';
import type { Hop, HopOutcome } from './hops.ts';

const TARGET = { server: 'whois.nic.test', protocol: 'whois', role: 'registry' } as const;

function contextUnderTest(signal?: AbortSignal) {
  const time = { ms: 1_000 };
  const observed: Hop[] = [];
  const lines: Parameters<Log>[] = [];
  const context = new LookUpContext({
    clock: { now: () => 0, monotonic: () => time.ms },
    log: (...line) => void lines.push(line),
    name: 'example.test',
    timeoutMs: 10_000,
    signal,
    observeHop: (hop) => observed.push(hop),
  });
  /** A hop that takes so long and ends so. */
  const hop = (question: string, ms: number, end: HopOutcome | ServerFault) =>
    context.hop(
      TARGET,
      question,
      () => {
        time.ms += ms;
        return end instanceof ServerFault ? Promise.reject(end) : Promise.resolve(end);
      },
      (outcome) => outcome,
    );
  return { context, time, observed, lines, hop };
}

describe('the time of a look-up', () => {
  it('is divided by the remaining time, and is never negative', () => {
    const { context, time } = contextUnderTest();
    expect([context.shareOfTime(0.4), context.shareOfTime(1)]).toEqual([5_000, 11_000]);
    time.ms = 9_000;
    expect(context.shareOfTime(0.5)).toBe(10_000);
    time.ms = 12_000;
    expect(context.shareOfTime(0.5)).toBe(12_000);
  });
});

describe('a hop', () => {
  it('is recorded with its outcome and duration, passed to the observer, and logged', async () => {
    const { context, observed, lines, hop } = contextUnderTest();
    expect(await hop('a', 120, 'registered')).toBe('registered');
    const fault = new ServerFault('unreachable', { detail: 'ECONNREFUSED' });
    await expect(hop('b', 30, fault)).rejects.toBe(fault);
    context.noteKnown({ ...TARGET, role: 'root' }, 'referral');
    expect(context.hops).toEqual([
      { ...TARGET, outcome: 'registered', ms: 120 },
      { ...TARGET, outcome: 'unreachable', ms: 30 },
      { ...TARGET, role: 'root', outcome: 'referral', ms: 0 },
    ]);
    expect(observed).toEqual(context.hops);
    const named = { name: 'example.test' };
    expect(lines).toEqual([
      ['debug', 'registry whois.nic.test: registered', { ...named, ...context.hops[0] }],
      [
        'warn',
        'registry whois.nic.test: unreachable',
        { ...named, ...context.hops[1], reason: 'ECONNREFUSED' },
      ],
      ['debug', 'root whois.nic.test: referral', { ...named, ...context.hops[2] }],
    ]);
  });

  it('that a client aborts says nothing of its server', async () => {
    const client = new AbortController();
    const { observed, lines, context } = contextUnderTest(client.signal);
    const call = () => {
      client.abort();
      return Promise.reject(client.signal.reason as Error);
    };
    await expect(context.hop(TARGET, 'a', call, () => 'registered')).rejects.toBe(client.signal.reason);
    expect([...observed, ...lines, ...context.hops]).toEqual([]);
  });
});
