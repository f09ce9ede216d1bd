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
  it('does not end a pause by a shorter one, or by the answer to an earlier call', async () => {
    const { run, pause, resume } = setUp();
    pause('whois.nic.example', 30);
    pause('whois.nic.example', 20);
    resume('whois.nic.example');
    expect(await run(answers)).toEqual(['paused', 30]);
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
});
