import { describe, expect, it } from 'vitest';
import { answers, faultOf, gateUnderTest } from '../../test/gate-under-test.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { RegistryGate } from './registry-gate.ts';

function setUp() {
  const { gate, clock, advance } = gateUnderTest();
  const registryGate = new RegistryGate(gate, clock);
  return {
    pause: (server: string, seconds: number) => registryGate.pause(server, seconds, 'first.example'),
    resume: (server: string) => registryGate.resume(server, clock.now()),
    advance,
    run: (
      call: (signal: AbortSignal) => Promise<unknown>,
      server = 'whois.nic.example',
      ms = 60_000,
      name = 'first.example',
    ) => registryGate.run({ server, name, deadline: clock.now() + ms }, call).catch(faultOf),
  };
}

describe('the pauses of registry servers', () => {
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

  it.each([
    [999_999, 3_600],
    [0, 1],
  ])('counts a Retry-After of %i s as %i s: between a second and an hour', async (stated, counted) => {
    const { run } = setUp();
    const call = () => Promise.reject(new ServerFault('unreachable', { retryAfterSeconds: stated }));
    expect(await run(call)).toEqual(['unreachable', counted]);
    expect(await run(answers)).toEqual(['paused', counted]);
  });
});

describe('a server that fails', () => {
  const fails =
    (reason: FaultReason, more = {}) =>
    () =>
      Promise.reject(new ServerFault(reason, more));

  it.each<[FaultReason, unknown]>([
    ['timeout', ['unreachable', 2]],
    ['unreachable', ['unreachable', 2]],
    ['bad_answer', 'answered'],
    ['too_large', 'answered'],
    ['cut_off', 'answered'],
    ['forbidden_address', 'answered'],
  ])('after five times %s: %j', async (reason, then) => {
    const { run, advance } = setUp();
    for (let time = 0; time < 4; time++) await run(fails(reason));
    expect(await run(answers)).toBe('answered');
    for (let time = 0; time < 5; time++) await run(fails(reason));
    expect(await run(answers)).toEqual(then);
    expect(await run(answers, 'whois.other.example')).toBe('answered');
    advance(2_000);
    expect(await run(answers)).toBe('answered');
  });

  it('is shut for twice as long after each further failure, up to 30 s, until it answers', async () => {
    const { run, advance } = setUp();
    for (let time = 0; time < 4; time++) await run(fails('unreachable'));
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      await run(fails('timeout'));
      expect(await run(answers)).toEqual(['unreachable', seconds]);
      advance(seconds * 1_000);
    }
    expect(await run(answers)).toBe('answered');
    await run(fails('timeout'));
    expect(await run(answers)).toBe('answered');
  });

  it.each([
    ['an unreadable answer', fails('bad_answer')],
    ['a status', fails('unreachable', { httpStatus: 'HTTP 503' })],
  ])('has not failed in a row if it sent %s meanwhile', async (_answer, answersWithFault) => {
    const { run } = setUp();
    for (let time = 0; time < 4; time++) await run(fails('timeout'));
    await run(answersWithFault);
    for (let time = 0; time < 4; time++) await run(fails('timeout'));
    expect(await run(answers)).toBe('answered');
  });

  it('is not one whose call we cannot make, or abort, or for which the fault is ours', async () => {
    const { run } = setUp();
    const fault = new TypeError('ours');
    for (let time = 0; time < 5; time++) {
      expect(await run(() => Promise.reject(fault))).toBe(fault);
      expect(await run(answers, 'whois.nic.example', 0)).toEqual(['busy', 1]);
    }
    expect(await run(answers)).toBe('answered');
  });

  it('refuses calls that waited while it failed', async () => {
    const { run } = setUp();
    const call = () => new Promise((_, reject) => setImmediate(() => reject(new ServerFault('unreachable'))));
    const calls = Array.from({ length: 12 }, () => run(call));
    expect((await Promise.all(calls)).slice(-2)).toEqual([
      ['unreachable', 2],
      ['unreachable', 2],
    ]);
  });
});
