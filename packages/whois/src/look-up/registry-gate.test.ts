import { describe, expect, it } from 'vitest';
import { answers, describeGate, faultOf, gateUnderTest } from '../../test/gate-contract.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { createGate } from './gate.ts';
import { createRegistryGate } from './registry-gate.ts';

describeGate('the gate of the package', createGate);

it('a call that waits for its token is made when it has one, in the order of the calls', async () => {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const waits: number[] = [];
  const sleep = (ms: number) => {
    waits.push(ms);
    now += ms;
    return Promise.resolve();
  };
  const limits = { concurrentPerRegistry: 2, perSecondPerRegistry: 4, burstPerRegistry: 2 };
  const gate = createGate(limits, clock, sleep);
  const order: number[] = [];
  const calls = [0, 1, 2, 3].map((index) =>
    gate.run({ server: 'whois.nic.example', deadline: 60_000 }, () => Promise.resolve(order.push(index))),
  );
  await Promise.all(calls);
  expect([order, waits]).toEqual([
    [0, 1, 2, 3],
    [250, 250],
  ]);
});

it('forgets idle servers, and no server that is still limited', async () => {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const limits = { concurrentPerRegistry: 1, perSecondPerRegistry: 0, burstPerRegistry: 1 };
  const gate = createGate(limits, clock);
  const run = (server: string) => gate.run({ server, deadline: now + 5_000 }, answers).catch(faultOf);
  expect(await run('whois.hkirc.hk')).toBe('answered');
  for (let index = 0; index < 5_000; index++) await run(`whois${index}.example`);
  expect(await run('whois.hkirc.hk')).toEqual(['busy', 10]);
  now += 10_000;
  expect(await run('whois.hkirc.hk')).toBe('answered');
});

it.each<[FaultReason, unknown]>([
  ['timeout', ['unreachable', 10]],
  ['unreachable', ['unreachable', 10]],
  ['bad_answer', 'answered'],
  ['cut_off', 'answered'],
])('after five times %s: %j, and ten seconds later the server is called again', async (reason, then) => {
  const { run, advance } = gateUnderTest(createGate);
  const fail = () => Promise.reject(new ServerFault(reason));
  for (let i = 0; i < 4; i++) await run(fail);
  expect(await run(answers)).toBe('answered');
  for (let i = 0; i < 5; i++) await run(fail);
  expect(await run(answers)).toEqual(then);
  expect(await run(answers, 'whois.other.example')).toBe('answered');
  advance(10_000);
  expect(await run(answers)).toBe('answered');
});

function setUp() {
  const { gate, clock, advance } = gateUnderTest(createGate);
  const registryGate = createRegistryGate(gate, clock);
  return {
    pause: (server: string, seconds: number) => registryGate.pauseServer(server, seconds, 'first.example'),
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
