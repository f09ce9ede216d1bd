import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { say, startAnsweringServer } from '../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../test/client/answering-server.ts';
import { systemSleep } from '@mokuroku/kit/deadline';
import { createCatalogueClient, createRegistrationClient } from './index.ts';
import type { ClientOptions } from './index.ts';

const FINE = { data: { genres: [], biggenres: [] }, meta: { cached: false, tookMs: 0, source: 'static' } };
const LIMITED = { error: { code: 'rate_limited', message: 'Too many requests.' } };

let waited: number[];
let server: AnsweringServer;
beforeEach(async () => {
  server = await startAnsweringServer();
  waited = [];
  return server.close;
});

const make = (options: ClientOptions = {}) =>
  createCatalogueClient({
    baseUrl: server.baseUrl,
    pause: (ms) => {
      waited.push(ms);
      return Promise.resolve();
    },
    ...options,
  });

describe('a limited client', () => {
  it('gets the 429 with its Retry-After unless it opted to wait', async () => {
    server.answers = [say(429, LIMITED, { 'Retry-After': '7' })];
    await expect(make().genres()).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 7,
    });
    expect([server.requests.length, waited]).toEqual([1, []]);
  });

  const [AT, LATER] = ['Sat, 21 Nov 2026 10:00:00 GMT', 'Sat, 21 Nov 2026 10:00:09 GMT'];
  it.each<[string, Record<string, string>[], number[]]>([
    ['each Retry-After', [{ 'Retry-After': '7' }, { 'Retry-After': '2' }], [7_000, 2_000]],
    ["a window of the limiter's, if none names a time", [{}], [60_000]],
    ["until a date, as proxies write it, by the answer's own", [{ Date: AT, 'Retry-After': LATER }], [9_000]],
    ['at least a second, whatever the limiter says', [{ 'Retry-After': '0' }], [1_000]],
  ])('waits, if it opted to, %s', async (_what, limits, waits) => {
    server.answers = [...limits.map((headers) => say(429, LIMITED, headers)), say(200, FINE)];
    const { data } = await make({ waitWhenLimited: true }).genres();
    expect([data, server.requests.length, waited]).toEqual([FINE.data, limits.length + 1, waits]);
  });

  it('does not wait if its signal has aborted already', async () => {
    const ended = AbortSignal.abort(new Error('enough'));
    await expect(systemSleep(60_000, ended)).rejects.toThrow('enough');
  });

  it('reads a date in Retry-After that has passed as no wait', async () => {
    server.answers = [say(503, LIMITED, { Date: LATER, 'Retry-After': AT })];
    await expect(make().genres()).rejects.toMatchObject({ retryAfterSeconds: 0 });
  });

  it.each(['9999999999', '1e3', '-1', '202620262026'])('reads no time in Retry-After: %s', async (text) => {
    server.answers = [say(503, LIMITED, { 'Retry-After': text })];
    await expect(make().genres()).rejects.toMatchObject({ retryAfterSeconds: undefined });
  });

  it('waits longer than a timer can, or until its signal', async () => {
    vi.useFakeTimers();
    try {
      const day = 86_400_000;
      let ended = false;
      const leaving = new AbortController();
      const pause = systemSleep(30 * day).then(() => (ended = true));
      const left = expect(systemSleep(30 * day, leaving.signal)).rejects.toThrow('enough');
      await vi.advanceTimersByTimeAsync(29 * day);
      expect(ended).toBe(false);
      leaving.abort(new Error('enough'));
      await left;
      await vi.advanceTimersByTimeAsync(day);
      await pause;
    } finally {
      vi.useRealTimers();
    }
  });

  it('has no listener left at its signal after a wait', async () => {
    const { signal } = new AbortController();
    await systemSleep(0, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('gives up if the wait exceeds its maximum', async () => {
    server.answers = [say(429, LIMITED, { 'Retry-After': '20' })];
    const call = make().genres({ waitWhenLimited: { maxSeconds: 50 } });
    await expect(call).rejects.toMatchObject({ status: 429 });
    expect(waited).toEqual([20_000, 20_000]);
  });

  it('stops waiting when it is aborted', async () => {
    const stop = new AbortController();
    server.answers = [
      (response, path) => {
        say(429, LIMITED, { 'Retry-After': '60' })(response, path);
        response.on('close', () => {
          stop.abort(new Error('enough'));
        });
      },
    ];
    const patient = createCatalogueClient({ baseUrl: server.baseUrl, waitWhenLimited: true });
    await expect(patient.genres({ signal: stop.signal })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
  });

  it('does not retry other errors', async () => {
    server.answers = [say(503, { error: { code: 'overloaded', message: 'busy' } }, { 'Retry-After': '1' })];
    const call = make({ waitWhenLimited: true }).genres();
    await expect(call).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    expect(waited).toEqual([]);
  });
});

describe('a call', () => {
  it('rejects with the reason of its signal, before the request, during it and while reading', async () => {
    const stop = new AbortController();
    server.answers = [
      (response) => {
        response.writeHead(200).write('{"data":');
        stop.abort(new Error('enough'));
      },
    ];
    await expect(make().genres({ signal: stop.signal })).rejects.toThrow('enough');
    await expect(make().genres({ signal: stop.signal })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
    const hanging = new AbortController();
    server.answers = [
      () => {
        hanging.abort(new Error('too slow'));
      },
    ];
    await expect(make().genres({ signal: hanging.signal })).rejects.toThrow('too slow');
  });

  it('rejects with unreachable and the cause if there is no response', async () => {
    server.answers = [(response) => response.destroy()];
    await expect(make().genres()).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
      cause: { name: 'TypeError' },
    });
    server.answers = [
      (response) =>
        response.writeHead(200, { 'Content-Length': 100 }).write('{"da', () => response.destroy()),
    ];
    await expect(make().genres()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it("rejects with not_json for a proxy's page or nothing, whatever the status", async () => {
    for (const status of [200, 204, 404, 502]) {
      server.answers = [say(status, '<html>Bad gateway</html>')];
      await expect(make().genres()).rejects.toMatchObject({ code: 'not_json', status });
    }
  });

  it('rejects with not_json for a service that does not have the path, to which a retry makes no difference', async () => {
    const error = {
      code: 'not_found',
      message: 'There is nothing at this path.',
      details: { path: '/v1/a' },
    };
    server.answers = [say(404, { error })];
    await expect(make().novel('N0001A')).rejects.toMatchObject({ code: 'not_json', retryable: false });
    server.answers = [say(404, { error: { ...error, details: undefined } })];
    await expect(make().novel('N0001A')).rejects.toMatchObject({ code: 'not_found', retryable: false });
  });

  it('rejects with not_json for JSON that is no response of the endpoint', async () => {
    const request: Record<string, () => Promise<unknown>> = {
      '{"data":{},"meta":{}}': () => make().novels(),
      '{"data":[7],"meta":{}}': () => make().ranking('daily'),
      '{"data":[]}': () => make().users(),
      '{"data":[],"meta":{}}': () => make().novel('N0001A'),
      '[]': () => make().genres(),
      '{"domain":"a.jp","raw":""}': () =>
        createRegistrationClient({ baseUrl: server.baseUrl }).lookUp('a.jp'),
      '{"domain":"a.jp","raw":"","parsed":{"nameServers":[7],"status":[]}}': () =>
        createRegistrationClient({ baseUrl: server.baseUrl }).lookUp('a.jp'),
    };
    for (const [body, call] of Object.entries(request)) {
      server.answers = [say(200, body)];
      await expect(call(), body).rejects.toMatchObject({ code: 'not_json', status: 200 });
    }
  });

  it.each([
    [[400, 404, 405, 410, 414, 431, 500, 501], false],
    [[429, 502, 503, 504], true],
  ])('with the status %j states that a retry can help: %s', async (statuses, isPassing) => {
    for (const status of statuses) {
      server.answers = [say(status, { error: { code: 'of_a_later_release', message: 'No.' } })];
      await expect(make().genres()).rejects.toMatchObject({ status, retryable: isPassing });
    }
  });

  it('states that a retry can help after no response, or the page of a proxy', async () => {
    server.answers = [say(200, '<p>Soon</p>')];
    await expect(make().genres()).rejects.toMatchObject({ code: 'not_json', retryable: true });
    // An unused port.
    const call = make({ baseUrl: 'http://127.0.0.1:1' }).genres();
    await expect(call).rejects.toMatchObject({ code: 'unreachable', retryable: true });
  });

  it('exposes the headers of a response, of errors too', async () => {
    const headers = {
      Date: 'Sat, 01 Aug 2026 00:00:00 GMT',
      'X-Data': 'sample',
      Age: '720',
      'Cache-Status': 'mokuroku; hit; ttl=-5; detail=stale-on-error',
      RateLimit: '"default";r=41;t=30',
      'X-Request-Id': 'a-1',
    };
    const facts = {
      url: `${server.baseUrl}/v1/meta/genres`,
      sample: true,
      sentAt: Date.UTC(2026, 7, 1),
      ageSeconds: 720,
      stale: true,
      cacheStatus: headers['Cache-Status'],
      remaining: 41,
      requestId: 'a-1',
    };
    server.answers = [say(200, FINE, headers)];
    expect((await make().genres()).response).toEqual({ ...facts, status: 200 });
    server.answers = [say(404, { error: { code: 'not_found', message: 'No.' } }, headers)];
    await expect(make().genres()).rejects.toMatchObject({
      response: { ...facts, status: 404 },
      requestId: 'a-1',
    });
    server.answers = [say(200, FINE, { 'Cache-Status': 'mokuroku; hit; ttl=-5; detail=revalidating' })];
    expect((await make().genres()).response).toMatchObject({
      stale: false,
      sample: false,
      remaining: undefined,
    });
  });

  it('keeps the path of the base address and writes lists and flags as the service reads them', async () => {
    server.answers = [say(200, { data: [], meta: {} })];
    const client = make({ baseUrl: `${server.baseUrl}/api/` });
    await client.novels({
      of: ['t', 'n'],
      ncode: ['N0001A', 'N0002B'],
      ex: true,
      title: false,
      word: '雨 街',
      st: undefined,
    });
    const url = new URL(server.requests[0] ?? '', server.baseUrl);
    expect(url.pathname).toBe('/api/v1/novels');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      of: 't-n',
      ncode: 'N0001A,N0002B',
      ex: '1',
      title: '0',
      word: '雨 街',
    });
  });
});

describe('a registration client', () => {
  const parsed = { nameServers: [], status: [] };
  it('requests a name and returns the response unchanged', async () => {
    server.answers = [say(200, { domain: '見本.jp', raw: '', state: 'registered', parsed }, { Age: '12' })];
    const { data, response } = await createRegistrationClient({ baseUrl: server.baseUrl }).lookUp('見本.jp', {
      follow: 'registrar',
    });
    expect(server.requests).toEqual([`/${encodeURIComponent('見本.jp')}?follow=registrar`]);
    expect([data.domain, response.ageSeconds]).toEqual(['見本.jp', 12]);
  });
  it("never requests one of the service's own documents, and stays within its path segment", async () => {
    server.answers = [say(200, { domain: 'docs', raw: '', parsed })];
    for (const name of ['docs', 'ReadyZ', 'a/b?c'])
      await createRegistrationClient({ baseUrl: server.baseUrl }).lookUp(name);
    expect(server.requests).toEqual(['/docs.', '/ReadyZ.', '/a%2Fb%3Fc']);
  });
});
