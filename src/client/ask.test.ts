import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCatalogueClient, createRegistrationClient } from './index.ts';
import type { ClientOptions } from './index.ts';

const FINE = { data: { genres: [], biggenres: [] }, meta: { cached: false, tookMs: 0, source: 'static' } };
const LIMITED = { error: { code: 'rate_limited', message: 'Too many requests.' } };

/** What the server says next; the last one is said again and again. */
let answers: ((response: http.ServerResponse) => void)[];
let asked: string[];
let server: http.Server;
let baseUrl: string;
let waited: number[];

const say =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}) =>
  (response: http.ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

beforeEach(async () => {
  asked = [];
  waited = [];
  server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const make = (options: ClientOptions = {}) =>
  createCatalogueClient({
    baseUrl,
    pause: (ms) => {
      waited.push(ms);
      return Promise.resolve();
    },
    ...options,
  });

describe('a limited client', () => {
  it('gets the 429 with its Retry-After when it did not ask to wait', async () => {
    answers = [say(429, LIMITED, { 'Retry-After': '7' })];
    await expect(make().genres()).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 7,
    });
    expect([asked.length, waited]).toEqual([1, []]);
  });

  it('waits as long as it is told, as often as it is told, when it asked to', async () => {
    answers = [
      say(429, LIMITED, { 'Retry-After': '7' }),
      say(429, LIMITED, { 'Retry-After': '2' }),
      say(200, FINE),
    ];
    const { data } = await make({ waitWhenLimited: true }).genres();
    expect([data, asked.length, waited]).toEqual([FINE.data, 3, [7_000, 2_000]]);
  });

  it('reads a date in Retry-After, as proxies write it, from the date of the answer', async () => {
    const headers = { Date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'Retry-After': 'Sat, 21 Nov 2026 10:00:09 GMT' };
    answers = [say(429, LIMITED, headers), say(200, FINE)];
    await make().genres({ waitWhenLimited: true });
    expect(waited).toEqual([9_000]);
  });

  it('never asks again at once, whatever the limiter says', async () => {
    answers = [say(429, LIMITED, { 'Retry-After': '0' }), say(200, FINE)];
    await make({ waitWhenLimited: true }).genres();
    expect(waited).toEqual([1_000]);
  });

  it('gives up when it would have to wait longer than it is ready to', async () => {
    answers = [say(429, LIMITED, { 'Retry-After': '20' })];
    const call = make().genres({ waitWhenLimited: { maxSeconds: 50 } });
    await expect(call).rejects.toMatchObject({ status: 429 });
    expect(waited).toEqual([20_000, 20_000]);
  });

  it('stops waiting when it is aborted', async () => {
    const stop = new AbortController();
    answers = [
      (response) => {
        say(429, LIMITED, { 'Retry-After': '60' })(response);
        response.on('close', () => {
          stop.abort(new Error('enough'));
        });
      },
    ];
    const patient = createCatalogueClient({ baseUrl, waitWhenLimited: true });
    await expect(patient.genres({ signal: stop.signal })).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });

  it('does not wait out other refusals', async () => {
    answers = [say(503, { error: { code: 'overloaded', message: 'busy' } }, { 'Retry-After': '1' })];
    const call = make({ waitWhenLimited: true }).genres();
    await expect(call).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    expect(waited).toEqual([]);
  });
});

describe('a call', () => {
  it('rejects with the reason of its signal, before, while asking and while reading', async () => {
    const stop = new AbortController();
    answers = [
      (response) => {
        response.writeHead(200).write('{"data":');
        stop.abort(new Error('enough'));
      },
    ];
    await expect(make().genres({ signal: stop.signal })).rejects.toThrow('enough');
    await expect(make().genres({ signal: stop.signal })).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
    const hanging = new AbortController();
    answers = [
      () => {
        hanging.abort(new Error('too slow'));
      },
    ];
    await expect(make().genres({ signal: hanging.signal })).rejects.toThrow('too slow');
  });

  it('says unreachable, with the cause, when there is no answer', async () => {
    answers = [(response) => response.destroy()];
    await expect(make().genres()).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
      cause: { name: 'TypeError' },
    });
    answers = [
      (response) =>
        response.writeHead(200, { 'Content-Length': 100 }).write('{"da', () => response.destroy()),
    ];
    await expect(make().genres()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it("says not_json for a proxy's page, whatever its status", async () => {
    for (const status of [200, 404, 502]) {
      answers = [say(status, '<html>Bad gateway</html>')];
      await expect(make().genres()).rejects.toMatchObject({ code: 'not_json', status });
    }
  });

  it('says not_json for JSON that is none of the answers of the endpoint', async () => {
    const ask: Record<string, () => Promise<unknown>> = {
      '{"data":{},"meta":{}}': () => make().novels(),
      '{"data":[7],"meta":{}}': () => make().ranking('daily'),
      '{"data":[]}': () => make().users(),
      '{"data":[],"meta":{}}': () => make().novel('N0001A'),
      '[]': () => make().genres(),
      '{"domain":"a.jp","raw":""}': () => createRegistrationClient({ baseUrl }).lookUp('a.jp'),
      '{"domain":"a.jp","raw":"","parsed":{"nameServers":[7],"status":[]}}': () =>
        createRegistrationClient({ baseUrl }).lookUp('a.jp'),
    };
    for (const [body, call] of Object.entries(ask)) {
      answers = [say(200, body)];
      await expect(call(), body).rejects.toMatchObject({ code: 'not_json', status: 200 });
    }
  });

  it('tells how the answer came about, an error as well', async () => {
    const headers = {
      'X-Data': 'sample',
      Age: '720',
      'Cache-Status': 'mokuroku; hit; ttl=-5; detail=stale-on-error',
      RateLimit: '"default";r=41;t=30',
      'X-Request-Id': 'a-1',
    };
    const facts = {
      url: `${baseUrl}/v1/meta/genres`,
      sample: true,
      ageSeconds: 720,
      stale: true,
      cacheStatus: headers['Cache-Status'],
      remaining: 41,
      requestId: 'a-1',
    };
    answers = [say(200, FINE, headers)];
    expect((await make().genres()).response).toEqual({ ...facts, status: 200 });
    answers = [say(404, { error: { code: 'not_found', message: 'No.' } }, headers)];
    await expect(make().genres()).rejects.toMatchObject({
      response: { ...facts, status: 404 },
      requestId: 'a-1',
    });
    answers = [say(200, FINE, { 'Cache-Status': 'mokuroku; hit; ttl=-5; detail=revalidating' })];
    expect((await make().genres()).response).toMatchObject({
      stale: false,
      sample: false,
      remaining: undefined,
    });
  });

  it('keeps the path of the base address and writes lists and flags as the service reads them', async () => {
    answers = [say(200, { data: [], meta: {} })];
    const client = make({ baseUrl: `${baseUrl}/api/` });
    await client.novels({
      of: ['t', 'n'],
      ncode: ['N0001A', 'N0002B'],
      ex: true,
      title: false,
      word: '雨 街',
      st: undefined,
    });
    const url = new URL(asked[0] ?? '', baseUrl);
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
  it('asks for a name and returns the answer as it is', async () => {
    answers = [say(200, { domain: '見本.jp', raw: '', state: 'registered', parsed }, { Age: '12' })];
    const { data, response } = await createRegistrationClient({ baseUrl }).lookUp('見本.jp', {
      follow: 'registrar',
    });
    expect(asked).toEqual([`/${encodeURIComponent('見本.jp')}?follow=registrar`]);
    expect([data.domain, response.ageSeconds]).toEqual(['見本.jp', 12]);
  });
  it("never asks for one of the service's own documents, and leaves no path segment", async () => {
    answers = [say(200, { domain: 'docs', raw: '', parsed })];
    for (const name of ['docs', 'ReadyZ', 'a/b?c']) await createRegistrationClient({ baseUrl }).lookUp(name);
    expect(asked).toEqual(['/docs.', '/ReadyZ.', '/a%2Fb%3Fc']);
  });
});

describe('the pages of a search under the ceiling of the live upstream', () => {
  /** As the service answers: `all` matches, no position above 2000. */
  const serveRows = (all: number) => {
    answers = [
      (response) => {
        const query = new URL(asked.at(-1) ?? '', baseUrl).searchParams;
        const [st, lim] = [Number(query.get('st')), Number(query.get('lim'))];
        const refused = { code: 'invalid_parameter', message: 'st', details: [{ parameter: 'st' }] };
        if (st > 2000) say(400, { error: refused })(response);
        else {
          const data = Array.from({ length: Math.min(lim, all - st + 1) }, (_, row) => ({ ncode: st + row }));
          say(200, { data, meta: { upstreamAllCount: all } })(response);
        }
      },
    ];
  };
  async function walk(lim: number, st?: number) {
    const rows: number[] = [];
    const ends: boolean[] = [];
    for await (const { data, truncated } of make().novelPages({ lim, st, of: ['n'] })) {
      rows.push(...data.map(({ ncode }) => Number(ncode)));
      expect(data.length).toBeLessThanOrEqual(lim);
      ends.push(truncated);
    }
    return { rows, ends };
  }

  it.each([500, 100, 7, 499])(
    'bring its 2,499 rows once each and say that there is more, %i a page',
    async (lim) => {
      serveRows(3000);
      const { rows, ends } = await walk(lim);
      expect(rows).toEqual(Array.from({ length: 2499 }, (_, row) => row + 1));
      expect(ends).toEqual(ends.map((_, page) => page === ends.length - 1));
    },
  );
  it('end without truncation where 2,499 rows are all there are', async () => {
    serveRows(2499);
    const { rows, ends } = await walk(500);
    expect([rows.length, ends.includes(true)]).toEqual([2499, false]);
  });
  it('say that there is more with an empty page where nothing is left to bring', async () => {
    serveRows(3000);
    expect((await walk(500, 2000)).ends).toEqual([false, true]);
  });
  it('reject where the search itself begins beyond', async () => {
    serveRows(3000);
    await expect(walk(100, 2001)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
  it('reject for any other fault', async () => {
    serveRows(3000);
    const pages = make().novelPages({ lim: 500, st: 1600 });
    await pages.next();
    answers = [
      say(400, { error: { code: 'invalid_parameter', message: '', details: [{ parameter: 'lim' }] } }),
    ];
    await expect(pages.next()).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});
