import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '@mokuroku/kit/cache';
import { ServiceError } from '@mokuroku/kit';
import { TEST_ERRORS } from '../../packages/kit/test/test-errors.ts';
import { big, raw, startThings } from './things-service.ts';
import type { ThingsOptions } from './things-service.ts';

const request = (path: string, lines: string) => `GET ${path} HTTP/1.1\r\nHost: a.example\r\n${lines}\r\n`;

/** The same response: at once from memory, and by the ordinary way, which `Connection: close` and HTTP/1.0 need. */
async function allResponses(path: string, lines: string, options: ThingsOptions = {}) {
  const load = () => Promise.resolve({ data: 'x'.repeat(2_000), total: 2 });
  const { base } = await startThings(load, { limit: 100, ...options });
  const send = async (text: string) => {
    const response = await raw(base, text);
    const end = response.indexOf('\r\n\r\n');
    const [status = '', ...headers] = response.slice(0, end).split('\r\n');
    return { status, headers, body: response.slice(end) };
  };
  const open = request(path, lines);
  for (let time = 0; time < 2; time++) await send(open);
  const fromMemory = await send(open);
  const ordinary = [
    await send(request(path, `Connection: close\r\n${lines}`)),
    await send(open.replace('HTTP/1.1', 'HTTP/1.0')),
  ];
  return { fromMemory, ordinary };
}

/** Headers that differ between two requests, or with the connection. The date of the ordinary one is Node's. */
const OF_ONE_REQUEST = /^(?:connection|keep-alive|x-request-id|ratelimit|date): /i;

const comparable = (headers: readonly string[]) =>
  headers
    .filter((line) => !OF_ONE_REQUEST.test(line))
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .sort();

describe('a response from memory', () => {
  const pages: ThingsOptions = { next: () => ({ offset: '2' }) };
  const trustedProxies = ['127.0.0.1'];

  it.each([
    ['plain', '', undefined, {}],
    ['compressed', 'Accept-Encoding: br\r\n', undefined, {}],
    ['with a next page', '', 'http', pages],
    ['with a next page, unchanged', 'If-None-Match: *\r\n', 'http', pages],
    ['through a trusted proxy', 'X-Forwarded-Proto: https\r\n', 'https', { ...pages, trustedProxies }],
  ])('has the status, headers and body of the ordinary one: %s', async (_what, lines, scheme, options) => {
    const { fromMemory, ordinary } = await allResponses('/things/one', lines, options);
    expect(fromMemory.headers).toEqual(
      expect.arrayContaining(['Connection: keep-alive', 'Keep-Alive: timeout=65', 'x-total-count: 2']),
    );
    for (const { status, headers, body } of ordinary) {
      expect(headers).toContain('Connection: close');
      expect([status, comparable(headers)]).toEqual([fromMemory.status, comparable(fromMemory.headers)]);
      expect(body).toBe(fromMemory.body);
    }
    const links =
      scheme === undefined ? [] : [`link: <${scheme}://a.example/things/one?offset=2>; rel="next"`];
    expect(fromMemory.headers.filter((line) => line.startsWith('link: '))).toEqual(links);
  });

  it('rounds age and ttl down', async () => {
    const { get, warm, advance } = await startThings();
    await warm();
    const times: unknown[] = [];
    for (const seconds of [0.5, 0.499, 0.001, 58.999]) {
      advance(seconds);
      const { headers } = await get('/things/one');
      times.push([headers['age'], headers['cache-status']]);
    }
    const hit = (ttl: number) => `mokuroku-things; hit; ttl=${ttl}`;
    expect(times).toEqual([
      ['0', hit(59)],
      ['0', hit(59)],
      ['1', hit(59)],
      ['59', hit(0)],
    ]);
  });

  it('has an Age of 0 while the clock is set back by up to a second, and is not served beyond', async () => {
    const loads = [() => Promise.resolve(big)];
    const down = () => Promise.reject(new ServiceError(TEST_ERRORS.upstream_unavailable));
    const { get, warm, advance } = await startThings(() => (loads.shift() ?? down)());
    await warm();
    advance(-1);
    const { status, headers } = await get('/things/one');
    expect([status, headers['age']]).toEqual([200, '0']);
    advance(-0.001);
    expect((await get('/things/one')).status).toBe(503);
  });

  it('has the date of its clock, by the second', async () => {
    const { get, warm, advance } = await startThings();
    await warm();
    const seconds: unknown[] = [];
    for (const passed of [0.999, 0.001, 1]) {
      advance(passed);
      seconds.push((await get('/things/one')).headers['date']);
    }
    expect(seconds).toEqual(['00', '01', '02'].map((second) => `Thu, 01 Jan 2026 00:00:${second} GMT`));
  });

  it('that has no list has no total, and a request in another encoding is served as well', async () => {
    const { get, warm } = await startThings();
    await warm();
    const other = await get('/things/one', { 'accept-encoding': 'gzip' });
    expect([other.status, other.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(other.headers).not.toHaveProperty('x-total-count');
  });

  it('has a link of any length', async () => {
    const offset = 'x'.repeat(3_000);
    const { get, warm } = await startThings(undefined, { next: () => ({ offset }) });
    await warm();
    const { status, headers, text } = await get('/things/one');
    expect([status, headers['link']]).toEqual([200, expect.stringContaining(`offset=${offset}>`)]);
    expect(JSON.parse(text)).toMatchObject({ meta: { cached: true } });
  });

  it('links to the next page of its own list, not of an earlier one', async () => {
    let total = 30;
    const asked: unknown[] = [];
    const { get, warm, advance } = await startThings(() => Promise.resolve({ data: total, total }), {
      next: (entry) => (asked.push(entry.total), (entry.total ?? 0) > 20 ? { offset: '2' } : undefined),
    });
    await warm();
    for (let time = 0; time < 3; time++) {
      expect((await get('/things/one')).headers['link']).toContain('offset=2');
    }
    // Not again for hits.
    expect(asked).toHaveLength(2);
    total = 10;
    advance(91);
    // Loads the same data by another URL.
    await get('/things/one/');
    expect((await get('/things/one')).headers['link']).toBeUndefined();
  });

  it.each(['TE, close', 'Close', 'keep-alive, close'])(
    'is not sent to a client that asks for another end: %s',
    async (connection) => {
      const { base } = await startThings();
      const send = () => raw(base, request('/things/one', `Connection: ${connection}\r\n`), false);
      for (let time = 0; time < 3; time++) expect(await send()).toMatch(/\r\nconnection: close\r\n/i);
    },
  );

  it.each([
    ['short ones', 1, 1, 48],
    ['those with long URLs', 4_000, 1, 9],
    ['long ones', 1, 10_000, 3],
  ])('shares a bounded memory with others, used longest ago first: %s', async (_what, url, bytes, fit) => {
    const load = () => Promise.resolve({ data: 'x'.repeat(bytes) });
    const { get, loaded } = await startThings(load, { maxCacheBytes: 100_000 });
    const path = (index: number) => `/things/${String(index).padStart(url, '0')}`;
    for (let index = 0; index < fit; index++) await get(path(index));
    await get(path(0));
    expect(loaded).toHaveLength(fit);
    await get(path(fit));
    await get(path(0));
    expect(loaded).toHaveLength(fit + 1);
    await get(path(1));
    expect(loaded).toHaveLength(fit + 2);
  });

  it('is no longer in memory when the cache has evicted it, although its URL and next page are', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const entries = new Set<WeakRef<CacheEntry>>();
    const { get } = await startThings(() => Promise.resolve({ data: 'x'.repeat(50_000) }), {
      maxCacheBytes: 200_000,
      next: (entry) => {
        entries.add(new WeakRef(entry));
        return { offset: '2' };
      },
    });
    for (let index = 0; index < 40; index++) {
      for (let time = 0; time < 3; time++) await get(`/things/${index}`);
    }
    const remaining = () => {
      collectGarbage();
      return [...entries].filter((entry) => entry.deref() !== undefined).length;
    };
    await expect.poll(remaining).toBeLessThan(20);
  });
});
