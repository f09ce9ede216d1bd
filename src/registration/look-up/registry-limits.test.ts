import { describe, expect, it } from 'vitest';
import { ServerFault } from '../net/server-fault.ts';
import { createRegistryLimits } from './registry-limits.ts';

function setUp(options: { concurrent?: number; perSecond?: number; burst?: number }) {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const limits = createRegistryLimits({
    clock,
    random: () => 0,
    concurrent: 2,
    perSecond: 0,
    burst: 10,
    ...options,
  });
  return {
    limits,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

const faultOf = (error: unknown) =>
  error instanceof ServerFault ? [error.reason, error.retryAfterSeconds] : error;
const succeed = () => Promise.resolve('asked');

describe('limits for one registry server', () => {
  it('never more than the allowed number of queries are under way; the others wait for their turn', async () => {
    const { limits } = setUp({ concurrent: 2 });
    const open: (() => void)[] = [];
    let most = 0;
    let underWay = 0;
    const ask = async () => {
      underWay++;
      most = Math.max(most, underWay);
      await new Promise<void>((done) => open.push(done));
      underWay--;
    };
    const all = Array.from({ length: 20 }, () => limits.run('whois.nic.example', 60_000, undefined, ask));
    const other = limits.run('whois.other.example', 60_000, undefined, succeed);
    await expect(other).resolves.toBe('asked');
    while (open.length > 0) {
      open.shift()?.();
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(most).toBe(2);
  });

  it('a failed query gives its place back', async () => {
    const { limits } = setUp({ concurrent: 1 });
    const fail = () => Promise.reject(new Error('dead'));
    await expect(limits.run('whois.nic.example', 1_000, undefined, fail)).rejects.toThrow('dead');
    await expect(limits.run('whois.nic.example', 1_000, undefined, succeed)).resolves.toBe('asked');
  });

  it('who cannot have a place before the deadline is told so and leaves the queue', async () => {
    const { limits } = setUp({ concurrent: 1 });
    let end: () => void = () => undefined;
    const long = limits.run(
      'whois.nic.example',
      60_000,
      undefined,
      () => new Promise<void>((done) => (end = done)),
    );
    await expect(limits.run('whois.nic.example', 20, undefined, succeed).catch(faultOf)).resolves.toEqual([
      'busy',
      1,
    ]);
    end();
    await long;
    await expect(limits.run('whois.nic.example', 20, undefined, succeed)).resolves.toBe('asked');
  });

  it('after a burst the bucket fills at its rate, and says how long that takes', async () => {
    const { limits, advance } = setUp({ perSecond: 1, burst: 3 });
    const run = (deadline: number) =>
      limits.run('whois.nic.example', deadline, undefined, succeed).catch(faultOf);
    expect(await Promise.all([run(500), run(500), run(500)])).toEqual(['asked', 'asked', 'asked']);
    expect(await run(500)).toEqual(['busy', 1]);
    advance(1_000);
    expect(await run(1_500)).toBe('asked');
    expect(await run(1_500)).toEqual(['busy', 1]);
    advance(10_000);
    expect(await Promise.all([run(11_500), run(11_500), run(11_500), run(11_500)])).toEqual([
      'asked',
      'asked',
      'asked',
      ['busy', 1],
    ]);
  });

  it('a server with a spacing of its own is asked once per spacing, whatever the burst', async () => {
    const { limits, advance } = setUp({ perSecond: 100, burst: 50 });
    const run = (deadline: number) =>
      limits.run('whois.nic.example', deadline, 10_000, succeed).catch(faultOf);
    expect(await run(5_000)).toBe('asked');
    expect(await run(5_000)).toEqual(['busy', 10]);
    advance(10_000);
    expect(await run(15_000)).toBe('asked');
  });

  it('a server that asked to be left alone is left alone for that time, also by those who wait', async () => {
    const { limits, advance } = setUp({ concurrent: 1 });
    let end: () => void = () => undefined;
    const first = limits.run(
      'whois.nic.example',
      60_000,
      undefined,
      () => new Promise<void>((done) => (end = done)),
    );
    const waiting = limits.run('whois.nic.example', 60_000, undefined, succeed).catch(faultOf);
    await new Promise(setImmediate);
    limits.leaveAlone('whois.nic.example', 30);
    end();
    await first;
    expect(await waiting).toEqual(['busy', 30]);
    advance(29_000);
    expect(await limits.run('whois.nic.example', 60_000, undefined, succeed).catch(faultOf)).toEqual([
      'busy',
      1,
    ]);
    expect(await limits.run('whois.other.example', 60_000, undefined, succeed)).toBe('asked');
    advance(1_000);
    expect(await limits.run('whois.nic.example', 60_000, undefined, succeed)).toBe('asked');
  });

  it('a server that fails again and again is left alone, then asked by one query', async () => {
    const { limits, advance } = setUp({});
    const dead = () => {
      advance(300);
      return Promise.reject(new ServerFault('unreachable'));
    };
    const run = <T>(ask: () => Promise<T>) =>
      limits.run('whois.nic.example', 600_000, undefined, ask).catch(faultOf);
    for (let i = 0; i < 5; i++) expect(await run(dead)).toEqual(['unreachable', undefined]);
    expect(await run(succeed)).toEqual(['unreachable', 2]);
    expect(await limits.run('whois.other.example', 600_000, undefined, succeed)).toBe('asked');
    advance(2_000);
    const probe = run(() => new Promise((done) => setImmediate(done, 'asked')));
    expect(await run(succeed)).toEqual(['unreachable', 1]);
    expect(await probe).toBe('asked');
    expect(await run(succeed)).toBe('asked');
  });

  it('a server that answers nonsense is not left alone', async () => {
    const { limits, advance } = setUp({});
    for (let i = 0; i < 10; i++) {
      advance(1_000);
      const nonsense = () => Promise.reject(new ServerFault('bad_answer'));
      await limits.run('whois.nic.example', 600_000, undefined, nonsense).catch(faultOf);
    }
    expect(await limits.run('whois.nic.example', 600_000, undefined, succeed)).toBe('asked');
  });

  it('a thousand callers do not pile up behind one slow server', async () => {
    const { limits } = setUp({ concurrent: 2 });
    const ends: (() => void)[] = [];
    const ask = () =>
      new Promise<string>((done) =>
        ends.push(() => {
          done('asked');
        }),
      );
    const all = Array.from({ length: 1_000 }, () =>
      limits.run('whois.nic.example', 60_000, undefined, ask).catch(faultOf),
    );
    await new Promise(setImmediate);
    for (let i = 0; i < 1_000; i++) {
      ends.shift()?.();
      await Promise.resolve();
      if (ends.length === 0) await new Promise(setImmediate);
    }
    const outcomes = await Promise.all(all);
    expect(outcomes.filter((outcome) => outcome === 'asked')).toHaveLength(202);
  });
});
