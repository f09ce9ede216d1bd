import { describe, expect, it } from 'vitest';
import { NIC, answers, faultOf, gateUnderTest } from '../../test/gate-under-test.ts';
import { createGate } from './gate.ts';

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

  it('keeps the rate and its burst', async () => {
    const { run, advance } = gateUnderTest({ perSecond: 1, burst: 2 });
    expect([await run(answers), await run(answers)]).toEqual(['answered', 'answered']);
    expect(await run(answers, NIC, 1_000)).toEqual(['busy', 1]);
    advance(1_000);
    expect(await run(answers)).toBe('answered');
    expect(await run(answers, NIC, 1_000)).toEqual(['busy', 1]);
  });

  it("keeps a server's own spacing, whatever the burst", async () => {
    const { run, advance } = gateUnderTest({ perSecond: 100, burst: 50 });
    expect(await run(answers, 'whois.hkirc.hk')).toBe('answered');
    expect(await run(answers, 'whois.hkirc.hk', 9_999)).toEqual(['busy', 10]);
    advance(10_000);
    expect(await run(answers, 'whois.hkirc.hk')).toBe('answered');
  });

  it('counts the calls that wait before a call when it decides whether the rate allows it in time', async () => {
    const { run } = gateUnderTest({ concurrent: 1, perSecond: 1, burst: 1 });
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

  it('lets clients of other networks take turns with one that queues, and gives no network all places', async () => {
    const { run } = gateUnderTest({ concurrent: 1 });
    const order: string[] = [];
    const send = (client: string) =>
      run(() => Promise.resolve(order.push(client)), NIC, 60_000, undefined, client);
    const many = Array.from({ length: 102 }, () => send('192.0.2.1'));
    const others = ['192.0.2.9', '198.51.100.1', '2001:db8:1::/64', '2001:db8:1:2::/64'].map(send);
    const outcomes = await Promise.all([...many, ...others]);
    expect(outcomes.filter((outcome) => Array.isArray(outcome))).toEqual([
      ['busy', 1],
      ['busy', 1],
    ]);
    expect(order.slice(0, 6)).toEqual([
      '192.0.2.1',
      '192.0.2.1',
      '198.51.100.1',
      '2001:db8:1::/64',
      '192.0.2.1',
      '2001:db8:1:2::/64',
    ]);
  });
});

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
