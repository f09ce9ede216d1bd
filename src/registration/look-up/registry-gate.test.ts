import { describe, expect, it } from 'vitest';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { createRegistryGate } from './registry-gate.ts';

function setUp(limits: { concurrent?: number; perSecond?: number; burst?: number } = {}) {
  let now = 0;
  const gate = createRegistryGate(
    {
      concurrentPerRegistry: limits.concurrent ?? 2,
      perSecondPerRegistry: limits.perSecond ?? 0,
      burstPerRegistry: limits.burst ?? 10,
    },
    { now: () => now, monotonic: () => now },
  );
  return {
    pause: (server: string, seconds: number) => gate.pauseServer(server, seconds, 'first.example'),
    resume: (server: string) => gate.resume(server, now),
    advance: (ms: number) => void (now += ms),
    run: (
      call: (signal: AbortSignal) => Promise<unknown>,
      server = 'whois.nic.example',
      ms = 60_000,
      name = 'first.example',
    ) => gate.run({ server, name, deadline: now + ms }, call).catch(faultOf),
  };
}

const faultOf = (error: unknown) =>
  error instanceof ServerFault ? [error.reason, error.retryAfterSeconds] : error;
const answers = () => Promise.resolve('answered');
const fails = (reason: FaultReason) => () => Promise.reject(new ServerFault(reason));

describe('the gate before each registry server', () => {
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
    expect(await run(answers, 'whois.nic.example', 1_000)).toEqual(['busy', 1]);
    advance(1_000);
    expect(await run(answers)).toBe('answered');
  });

  it("keeps a server's own spacing, whatever the burst", async () => {
    const { run, advance } = setUp({ perSecond: 100, burst: 50 });
    expect(await run(answers, 'whois.hkirc.hk')).toBe('answered');
    expect(await run(answers, 'whois.hkirc.hk', 9_999)).toEqual(['busy', 10]);
    advance(10_000);
    expect(await run(answers, 'whois.hkirc.hk')).toBe('answered');
  });

  it('pauses a server for as long as it states', async () => {
    const { run, pause, advance } = setUp();
    pause('whois.nic.example', 30);
    advance(29_000);
    expect(await run(answers)).toEqual(['paused', 1]);
    expect(await run(answers, 'whois.other.example')).toBe('answered');
    advance(1_000);
    expect(await run(answers)).toBe('answered');
  });

  it('lets one other name a minute probe a paused server, and its answer ends the pause', async () => {
    const { run, pause, resume, advance } = setUp();
    const send = (name: string) => run(answers, 'whois.nic.example', 60_000, name);
    pause('whois.nic.example', 300);
    advance(59_000);
    expect(await send('second.example')).toEqual(['paused', 1]);
    advance(1_000);
    expect(await send('first.example')).toEqual(['paused', 240]);
    expect(await send('second.example')).toBe('answered');
    expect(await send('third.example')).toEqual(['paused', 60]);
    advance(60_000);
    expect(await send('third.example')).toBe('answered');
    resume('whois.nic.example');
    expect(await send('first.example')).toBe('answered');
  });

  it('does not end a pause by a shorter one, or by the answer to an earlier call', async () => {
    const { run, pause, resume } = setUp();
    pause('whois.nic.example', 30);
    pause('whois.nic.example', 20);
    resume('whois.nic.example');
    expect(await run(answers)).toEqual(['paused', 30]);
  });

  it('does not count our own fault against the server, and passes it on', async () => {
    const { run, advance } = setUp();
    const fault = new TypeError('ours');
    const fail = () => {
      advance(300);
      return Promise.reject(fault);
    };
    for (let time = 0; time < 10; time++) expect(await run(fail)).toBe(fault);
  });

  it.each([
    [999_999, 3_600],
    [0, 1],
  ])('counts a Retry-After of %i s as %i s: between a second and an hour', async (stated, counted) => {
    const { run } = setUp();
    const call = () => Promise.reject(new ServerFault('unreachable', { retryAfterSeconds: stated }));
    expect(await run(call)).toEqual(['unreachable', counted]);
    expect(await run(answers)).toEqual(['paused', counted]);
  });

  it.each<[FaultReason, unknown]>([
    ['timeout', ['unreachable', 2]],
    ['unreachable', ['unreachable', 2]],
    ['bad_answer', 'answered'],
    ['too_large', 'answered'],
    ['cut_off', 'answered'],
    ['forbidden_address', 'answered'],
  ])('after five times %s: %j', async (reason, then) => {
    const { run, advance } = setUp();
    for (let i = 0; i < 5; i++) {
      const fail = fails(reason);
      await run(() => {
        advance(300);
        return fail();
      });
    }
    expect(await run(answers)).toEqual(then);
  });

  it('distinguishes a call that timed out from one that was never made', async () => {
    const { run } = setUp({ concurrent: 1 });
    let end: (value: unknown) => void = () => undefined;
    const silent = () => new Promise((resolve) => (end = resolve));
    const first = run(silent);
    // Both wait for a timer, however late it is.
    expect(await run(answers, 'whois.nic.example', 1)).toEqual(['busy', 1]);
    end('answered');
    expect(await first).toBe('answered');
    expect(await run(silent, 'whois.nic.example', 1)).toEqual(['timeout', undefined]);
  });
});
