import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import type { CacheEntry } from '@mokuroku/kit/cache';
import { ServiceError } from '@mokuroku/kit';
import { endThings, raw, startThings } from './things-service.ts';
import type { ThingsOptions } from './things-service.ts';

afterEach(endThings);

const request = (path: string, lines: string) => `GET ${path} HTTP/1.1\r\nHost: a.example\r\n${lines}\r\n`;

/** The same response twice: at once from memory, and by the ordinary way, which `Connection: close` needs. */
async function bothResponses(path: string, lines: string, options: ThingsOptions = {}) {
  const load = () => Promise.resolve({ data: 'x'.repeat(2_000), total: 2 });
  const { base } = await startThings(load, { limit: 100, ...options });
  await raw(base, request(path, lines));
  await raw(base, request(path, lines));
  const partsOf = (response: string) => {
    const end = response.indexOf('\r\n\r\n');
    const [status = '', ...headers] = response.slice(0, end).split('\r\n');
    return { status, headers, body: response.slice(end) };
  };
  const fromMemory = partsOf(await raw(base, request(path, lines)));
  const ordinary = partsOf(await raw(base, request(path, `Connection: close\r\n${lines}`)));
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
    const { fromMemory, ordinary } = await bothResponses('/things/one', lines, options);
    expect(fromMemory.headers).toContainEqual(expect.stringMatching(/^Keep-Alive: timeout=/));
    expect(ordinary.headers).toContain('Connection: close');
    expect(fromMemory.status).toBe(ordinary.status);
    expect(comparable(fromMemory.headers)).toEqual(comparable(ordinary.headers));
    expect(fromMemory.body).toBe(ordinary.body);
    expect(fromMemory.headers).toContain('x-total-count: 2');
    const links =
      scheme === undefined ? [] : [`link: <${scheme}://a.example/things/one?offset=2>; rel="next"`];
    expect(fromMemory.headers.filter((line) => line.startsWith('link: '))).toEqual(links);
  });

  it('has the date of its clock, by the second', async () => {
    const { get, advance } = await startThings(() => Promise.resolve({ data: 1 }));
    for (let time = 0; time < 2; time++) await get('/things/one');
    const seconds: unknown[] = [];
    for (const passed of [0.999, 0.001, 1]) {
      advance(passed);
      seconds.push((await get('/things/one')).headers['date']);
    }
    expect(seconds).toEqual(['00', '01', '02'].map((second) => `Thu, 01 Jan 2026 00:00:${second} GMT`));
  });

  it('that has no list has no total, and a request in another encoding is served as well', async () => {
    const { get } = await startThings(() => Promise.resolve({ data: 'x'.repeat(2_000) }));
    for (let time = 0; time < 2; time++) expect((await get('/things/one')).status).toBe(200);
    const other = await get('/things/one', { 'accept-encoding': 'gzip' });
    expect([other.status, other.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(other.headers).not.toHaveProperty('x-total-count');
  });

  it('links to the next page of its own list, not of an earlier one', async () => {
    let total = 30;
    const { get, advance } = await startThings(() => Promise.resolve({ data: total, total }), {
      next: (entry) => ((entry.total ?? 0) > 20 ? { offset: '2' } : undefined),
    });
    for (let time = 0; time < 2; time++) await get('/things/one');
    expect((await get('/things/one')).headers['link']).toContain('offset=2');
    total = 10;
    advance(91);
    // Loads the same data by another URL.
    await get('/things/one/');
    expect((await get('/things/one')).headers['link']).toBeUndefined();
  });

  it.each(['TE, close', 'Close', 'keep-alive, close'])(
    'is not sent to a client that asks for another end: %s',
    async (connection) => {
      const { base } = await startThings(() => Promise.resolve({ data: 1 }));
      const send = () => raw(base, request('/things/one', `Connection: ${connection}\r\n`), false);
      for (let time = 0; time < 3; time++) expect(await send()).toMatch(/\r\nconnection: close\r\n/i);
    },
  );

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

  it('of absence is never 304', async () => {
    const { get } = await startThings(() =>
      Promise.reject(new ServiceError('not_found', { message: 'None.' })),
    );
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) {
      statuses.push((await get('/things/none', { 'if-none-match': '*' })).status);
    }
    expect(statuses).toEqual([404, 404, 404]);
  });
});
