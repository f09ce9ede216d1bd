import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../kit/test/manual-clock.ts';
import { plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import { GATE, failureOf, startAnsweredSource } from '../../test/narou-test-source.ts';
import type { TestLimits } from '../../test/narou-test-source.ts';
import { Budget } from '../upstream/index.ts';
import { NarouGate } from './gate.ts';

const answers = plain('[]');
const fails = plain('', 500);
const breaks: UpstreamHandler = (_request, response) => response.destroy();
const isUnreadable = plain('no answer');

/** Requests through the gate, on a clock that the waits before retries move too. */
async function gated(answer: UpstreamHandler, limits: TestLimits = {}) {
  const { time, clock } = manualClock(0);
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    time.ms += ms;
    return Promise.resolve();
  };
  const set = { clock, wait, random: () => 0.5, ...limits };
  const gate = new NarouGate({ ...GATE, ...set });
  const { upstream, transport } = await startAnsweredSource(answer, { ...set, gate });
  /** `answered`, or the error with its Retry-After. */
  const send = async (query = '', client = '192.0.2.1', signal = new AbortController().signal) => {
    const failure = await failureOf(transport.get('/a/', query, { client, background: false, signal }));
    return failure ? `${failure.code} ${failure.retryAfterSeconds}` : 'answered';
  };
  /** How many requests reached the upstream meanwhile. */
  const countSent = async (sending: () => Promise<unknown>) => {
    const before = upstream.seen.length;
    await sending();
    return upstream.seen.length - before;
  };
  /** So many requests, the first a second before the last. */
  const spread = async (times: number) => {
    for (let index = 0; index < times; index++) {
      if (index > 0) time.ms += 1_000 / (times - 1);
      await send();
    }
  };
  return { gate, upstream, time, waits, send, countSent, spread };
}

/** Responses that the test sends, in the order of their requests. */
function heldAnswers() {
  const ends: (() => void)[] = [];
  const hold: UpstreamHandler = (_request, response) => ends.push(() => response.end('[]'));
  return { ends, hold };
}

describe('an upstream', () => {
  it.each<[string, UpstreamHandler, boolean, TestLimits?]>([
    ['responds 500', fails, true],
    ['refuses us', plain('', 403), true],
    ['breaks the connection', breaks, true],
    ['says nothing', () => undefined, true, { deadlineMs: 20 }],
    ['sends what cannot be read', isUnreadable, false],
    ['knows no such novel', plain('Error: Novel not found.', 404), false],
  ])('that %s five times in a second fails: %j', async (_what, answer, isFailing, limits) => {
    const { upstream, send, spread } = await gated(answer, limits);
    await spread(5);
    upstream.answer = answers;
    expect(await send()).toBe(isFailing ? 'upstream_unavailable 2' : 'answered');
  });

  it('that fails gets one request after two seconds, twice as long after each further failure, until it answers', async () => {
    const { upstream, time, send, countSent, spread } = await gated(fails);
    await spread(5);
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      time.ms += seconds * 1_000 - 1;
      expect(await send()).toBe('upstream_unavailable 1');
      time.ms += 1;
      expect(await countSent(() => Promise.all([send(), send(), send()]))).toBe(1);
    }
    time.ms += 30_000;
    upstream.answer = isUnreadable;
    await send();
    upstream.answer = answers;
    expect(await send()).toBe('answered');
  });

  it('does not fail if all is over in an instant, nor if it answers meanwhile', async () => {
    const { upstream, send, countSent, spread } = await gated(fails);
    expect(await countSent(() => Promise.all(Array.from({ length: 9 }, () => send())))).toBe(9);
    for (let round = 0; round < 2; round++) {
      upstream.answer = isUnreadable;
      await send();
      upstream.answer = fails;
      expect(await countSent(() => spread(4))).toBe(4);
    }
  });

  it('that fails is not judged by clients that leave, whose places are free again', async () => {
    const { upstream, send, countSent, spread } = await gated(fails, { connections: 1 });
    await spread(4);
    upstream.answer = () => undefined;
    const controller = new AbortController();
    const left = [1, 2].map(() => send('', '192.0.2.1', controller.signal));
    await expect.poll(() => upstream.seen).toHaveLength(5);
    controller.abort(new Error('gone'));
    await Promise.all(left);
    upstream.answer = fails;
    expect(await countSent(send)).toBe(1);
    expect(await send()).toBe('upstream_unavailable 2');
  });

  it('that fails for eight requests at once is left alone for two seconds', async () => {
    const ends: (() => void)[] = [];
    const hold: UpstreamHandler = (_request, response) => ends.push(() => response.writeHead(500).end());
    const { time, send } = await gated(hold, { connections: 8 });
    const sent = Array.from({ length: 8 }, () => send());
    await expect.poll(() => ends).toHaveLength(8);
    time.ms += 1_000;
    for (const end of ends) end();
    await Promise.all(sent);
    expect(await send()).toBe('upstream_unavailable 2');
  });
});

it('a pause that the upstream states is kept, also by those that wait, for an hour at most', async () => {
  const paused = (seconds: number) => plain('', 503, { 'retry-after': String(seconds) });
  const { upstream, time, send, countSent } = await gated(paused(120), { connections: 1 });
  expect(await Promise.all([send(), send(), send()])).toEqual(Array(3).fill('upstream_unavailable 120'));
  expect(upstream.seen).toHaveLength(1);
  time.ms += 119_999;
  expect(await send()).toBe('upstream_unavailable 1');
  time.ms += 1;
  upstream.answer = paused(999_999);
  expect(await send()).toBe('upstream_unavailable 3600');
  upstream.answer = answers;
  time.ms += 3_599_999;
  expect(await countSent(send)).toBe(0);
  time.ms += 1;
  expect(await send()).toBe('answered');
});

it('a request is retried twice, if ten others earned each retry, of which five are saved; each counts', async () => {
  const stopped = { now: () => 0, monotonic: () => 0 };
  const budget = new Budget({ requests: 1e9, bytes: 1e12, clientShare: 1 }, stopped);
  const { gate, upstream, time, waits, send, countSent } = await gated(answers, { budget });
  for (let index = 0; index < 99; index++) await send();
  for (const answer of [plain('', 503, { 'retry-after': '0' }), plain('', 500)]) {
    upstream.answer = answer;
    expect(await countSent(send)).toBe(1);
    time.ms += 1_000;
  }
  upstream.answer = answers;
  await send();
  upstream.answer = breaks;
  const sent = [await countSent(send), await countSent(send), await countSent(send), await countSent(send)];
  expect(sent).toEqual([3, 3, 2, 1]);
  expect(waits).toEqual([50, 100, 50, 100, 50]);
  expect(budget.used.requests).toBe(111);
  expect(gate.stats()).toMatchObject({ calls: 111, retries: 5 });
});

it('a retry is neither made nor counted once its client has left', async () => {
  const leaving = new AbortController();
  const wait = () => {
    leaving.abort(new Error('left'));
    return Promise.resolve();
  };
  const stopped = { now: () => 0, monotonic: () => 0 };
  const budget = new Budget({ requests: 1e9, bytes: 1e12, clientShare: 1 }, stopped);
  const { gate, upstream, send } = await gated(answers, { budget, wait });
  for (let index = 0; index < 20; index++) await send();
  upstream.answer = breaks;
  expect(await send('', '192.0.2.1', leaving.signal)).not.toBe('answered');
  await new Promise(setImmediate);
  expect([budget.used.requests, gate.stats().calls]).toEqual([21, 21]);
});

describe('the queue', () => {
  it('lets networks take turns, and gives none of them more than half of the places', async () => {
    const { ends, hold } = heldAnswers();
    const { upstream, send } = await gated(hold, { connections: 1, maxWaiting: 10 });
    const many = Array.from({ length: 7 }, (_, index) => send(`n=${index}`));
    const other = send('n=other', '198.51.100.1');
    expect(await many[6]).toBe('overloaded 1');
    for (let sent = 1; sent <= 7; sent++) {
      await expect.poll(() => ends).toHaveLength(sent);
      ends[sent - 1]?.();
    }
    expect(await other).toBe('answered');
    const order = upstream.seen.map(({ query }) => query.get('n'));
    expect(order).toEqual(['0', '1', 'other', '2', '3', '4', '5']);
  });

  it('refuses a request if its expected wait exceeds the limit and the mean duration of one', async () => {
    const { ends, hold } = heldAnswers();
    const { upstream, time, send } = await gated(answers, { connections: 1, tolerableWaitMs: 500 });
    upstream.answer = (seen, response) => {
      time.ms += 4_000;
      answers(seen, response);
    };
    for (let index = 0; index < 100; index++) await send();
    upstream.answer = hold;
    const sent = [send(), send()];
    expect(await send()).toBe('overloaded 8');
    for (const count of [1, 2]) {
      await expect.poll(() => ends).toHaveLength(count);
      ends[count - 1]?.();
    }
    expect(await Promise.all(sent)).toEqual(['answered', 'answered']);
  });

  it('expects no wait for those of another network that start later', async () => {
    const { ends, hold } = heldAnswers();
    const { upstream, time, send } = await gated(answers, { connections: 1, tolerableWaitMs: 16_000 });
    upstream.answer = (seen, response) => {
      time.ms += 4_000;
      answers(seen, response);
    };
    for (let index = 0; index < 100; index++) await send();
    upstream.answer = hold;
    const many = Array.from({ length: 5 }, () => send());
    expect(await send()).toBe('overloaded 20');
    const other = send('', '198.51.100.1');
    for (let sent = 1; sent <= 6; sent++) {
      await expect.poll(() => ends).toHaveLength(sent);
      ends[sent - 1]?.();
    }
    expect([await other, ...(await Promise.all(many))]).toEqual(Array.from({ length: 6 }, () => 'answered'));
  });
});
