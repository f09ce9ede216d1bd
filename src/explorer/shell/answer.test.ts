import { describe, expect, it } from 'vitest';
import { ask } from './answer.ts';
import { createAsker } from './asker.ts';

const signal = new AbortController().signal;
const answering = (body: string, init: ResponseInit = {}) =>
  (() => Promise.resolve(new Response(body, init))) as typeof fetch;

describe('an answer', () => {
  it('brings its data, its meta and how it came about', async () => {
    const fetcher = answering('{"data":[1],"meta":{"stale":true,"date":"2026-11-16"}}', {
      headers: { 'X-Data': 'sample', Age: '720', 'Cache-Status': 'mokuroku; hit; detail=stale-on-error' },
    });
    expect(await ask(fetcher, '/v1/novels', 'envelope', signal)).toEqual({
      loaded: {
        path: '/v1/novels',
        data: [1],
        meta: { stale: true, date: '2026-11-16' },
        circumstances: { sample: true, stale: true, ageSeconds: 720 },
      },
    });
  });
  it('without an envelope is the data itself, and tells its staleness by the cache header alone', async () => {
    const fetcher = answering('{"domain":"example.com"}', {
      headers: { 'Cache-Status': 'mokuroku; hit; ttl=-5; detail=stale-on-error', Age: '4000' },
    });
    const outcome = await ask(fetcher, '/example.com', 'bare', signal);
    expect(outcome).toMatchObject({
      loaded: { data: { domain: 'example.com' }, circumstances: { stale: true } },
    });
  });
  it('that is only being renewed is not called stale', async () => {
    const fetcher = answering('{"data":[],"meta":{"stale":true}}', {
      headers: { 'Cache-Status': 'mokuroku; hit; ttl=-5; detail=revalidating' },
    });
    expect(await ask(fetcher, '/', 'envelope', signal)).toMatchObject({
      loaded: { circumstances: { stale: false } },
    });
  });
});

describe('a problem', () => {
  it('carries the code, the faults and how long to wait', async () => {
    const fetcher = answering('{"error":{"code":"rate_limited","message":"Too many","details":[1]}}', {
      status: 429,
      headers: { 'Retry-After': '17', 'X-Request-Id': 'a-1', 'X-Data': 'sample' },
    });
    expect(await ask(fetcher, '/', 'envelope', signal)).toEqual({
      problem: {
        path: '/',
        status: 429,
        code: 'rate_limited',
        message: 'Too many',
        details: [1],
        retryAfterSeconds: 17,
        requestId: 'a-1',
        sample: true,
      },
    });
  });
  it.each([
    ['a page of a proxy', '<html>502</html>', 502],
    ['an empty answer', '', 200],
    ['an error of another form', '{"error":"no"}', 500],
    ['a bare number', '7', 200],
  ])('is what comes of %s', async (_, body, status) => {
    const outcome = await ask(answering(body, { status }), '/', 'envelope', signal);
    expect(outcome).toMatchObject({ problem: { status, code: 'not_json', message: '' } });
  });
  it('is what comes of a dead network, and an aborted request is none', async () => {
    const dead = (() => Promise.reject(new TypeError('Failed to fetch'))) as typeof fetch;
    expect(await ask(dead, '/', 'bare', signal)).toMatchObject({ problem: { code: 'offline', status: 0 } });
    await expect(ask(dead, '/', 'bare', AbortSignal.abort())).rejects.toThrow('Failed to fetch');
  });
});

describe('what has been asked', () => {
  it('is remembered for a minute, unless it went wrong or is to be forgotten', async () => {
    let now = 0;
    const asker = createAsker(answering('{"data":1,"meta":{}}'), 'envelope', () => now);
    await asker.ask('/a', signal);
    now = 59_999;
    expect(asker.known('/a')).toMatchObject({ data: 1 });
    now = 60_000;
    expect(asker.known('/a')).toBeUndefined();
    await asker.ask('/a', signal);
    asker.forget('/a');
    expect(asker.known('/a')).toBeUndefined();
    const failing = createAsker(answering('', { status: 500 }), 'envelope', () => now);
    await failing.ask('/a', signal);
    expect(failing.known('/a')).toBeUndefined();
  });
  it('ahead is asked once: the first to want it takes that answer, the next asks anew', async () => {
    let asked = 0;
    const asker = createAsker(
      () => {
        asked += 1;
        return Promise.resolve(new Response(`{"data":${asked},"meta":{}}`));
      },
      'envelope',
      () => 0,
    );
    asker.askAhead('/a');
    expect(await asker.ask('/a', signal)).toMatchObject({ loaded: { data: 1 } });
    expect(asked).toBe(1);
    expect(await asker.ask('/a', signal)).toMatchObject({ loaded: { data: 2 } });
  });
  it('is forgotten oldest first when there is much of it', async () => {
    const asker = createAsker(answering('{"data":1,"meta":{}}'), 'envelope', () => 0);
    for (let number = 0; number <= 40; number += 1) await asker.ask(`/${number}`, signal);
    expect([asker.known('/0'), asker.known('/1')?.data, asker.known('/40')?.data]).toEqual([undefined, 1, 1]);
  });
});
