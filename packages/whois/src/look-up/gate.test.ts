import { expect, it } from 'vitest';
import { answers, describeGate, faultOf, gateUnderTest } from '../../test/gate-contract.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { createGate } from './gate.ts';

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
