import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { watchedConnection } from './raw-connection.ts';
import { big, raw, startThings } from './things-service.ts';

import type { CacheEntry } from '@mokuroku/kit/cache';
import { ERRORS, ServiceError } from '@mokuroku/kit';
import { TEST_ERRORS } from '../../packages/kit/test/test-errors.ts';

describe('a response', () => {
  it('is loaded once, then served from memory with the same validator', async () => {
    const { warm, loaded } = await startThings();
    const [first, second] = await warm();
    const meta = { cached: false, stale: false, tookMs: 0, ignored: [], source: 'test' };
    expect(JSON.parse(first.text)).toEqual({ data: big.data, meta });
    expect(JSON.parse(second.text)).toEqual({ data: big.data, meta: { ...meta, cached: true } });
    expect(first.headers['cache-status']).toBe('mokuroku-things; fwd=miss; stored');
    expect(second.headers).toMatchObject({
      etag: first.headers['etag'],
      age: '0',
      'cache-status': 'mokuroku-things; hit; ttl=60',
      'cache-control': 'public, max-age=60',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(second.bytes.length),
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'x-data': 'sample',
      vary: 'Accept-Encoding',
    });
    expect(loaded).toEqual(['one']);
  });

  it('is sent at once for the URLs of late, long or short, and memory for them is bounded', async () => {
    const { base, warm } = await startThings((name) => Promise.resolve({ data: name }), {
      maxCacheBytes: 1e8,
    });
    const longUrl = (number: number) => `/things/${number}`.padEnd(8_000, 'x');
    /** Node appends Date; what is sent at once has it before the lines of the body. */
    async function isSentAtOnce(path: string) {
      const answer = await raw(base, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer).toContain('cache-status: mokuroku-things; hit');
      return answer.indexOf('\r\nDate: ') < answer.indexOf('\r\ncontent-length: ');
    }
    await warm('/things/one');
    expect(await isSentAtOnce('/things/one')).toBe(true);
    for (let number = 0; number < 1_000; number++) await warm(longUrl(number));
    expect([await isSentAtOnce('/things/one'), await isSentAtOnce(longUrl(999))]).toEqual([false, true]);
  });

  it('keeps its own head while it waits for a slow client, whatever is sent meanwhile', async () => {
    const { get, warm, server } = await startThings();
    await warm();
    // It accepts no data until the test says so, as with full buffers of the client.
    const { connection, writes } = watchedConnection(server);
    connection.push('GET /things/one HTTP/1.1\r\nHost: x\r\nX-Request-Id: late\r\n\r\n');
    await new Promise(setImmediate);
    const other = await get('/things/one', { 'x-request-id': 'other' });
    expect(other.headers['x-request-id']).toBe('other');
    expect(writes).toHaveLength(1);
    const answer = writes[0]?.chunk.toString() ?? '';
    writes[0]?.done();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nx-request-id: late\r\n/);
    expect(answer.endsWith(`\r\n\r\n${other.text}`)).toBe(true);
    connection.destroy();
  });

  it('is compressed on the first request and as a hit', async () => {
    const { get } = await startThings();
    const plain = await get('/things/plain');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      for (const outcome of ['fwd=miss; stored', 'hit; ttl=60', 'hit; ttl=60']) {
        const answer = await get(`/things/${encoding}`, { 'accept-encoding': encoding });
        expect(answer.headers['content-encoding']).toBe(encoding);
        expect(answer.headers['cache-status']).toBe(`mokuroku-things; ${outcome}`);
        expect(JSON.parse(decode(answer.bytes).toString())).toMatchObject({ data: big.data });
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 4);
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
        expect(answer.headers['etag']).toBe(plain.headers['etag']);
      }
    }
  });

  it.each([
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['gzip;q=nonsense', undefined],
    ['br, gzip;q=nonsense', 'br'],
    ['gzip;q=0.5, identity', undefined],
    ['identity, *;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    [`${'a,'.repeat(99)}gzip`, 'gzip'],
    [`${'a,'.repeat(100)}gzip`, undefined],
  ])('to Accept-Encoding %j is %s, from the source and from memory', async (accepted, encoding) => {
    const { get } = await startThings();
    for (let time = 0; time < 3; time++) {
      const { headers } = await get('/things/one', { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
    }
  });

  it('is 304 if the ETag matches, from memory and from the source', async () => {
    const { get, warm } = await startThings();
    const etag = String((await get('/things/one')).headers['etag']);
    await warm();
    for (let times = 0; times < 3; times++) {
      const again = await get('/things/one', { 'if-none-match': etag });
      expect(again).toMatchObject({
        status: 304,
        text: '',
        headers: { etag, 'cache-control': 'public, max-age=60', vary: 'Accept-Encoding' },
      });
      expect(again.headers).not.toHaveProperty('content-type');
    }
    expect((await get('/things/two', { 'if-none-match': etag })).status).toBe(304);
  });

  it('compares the ETag weakly, in lists and with the star', async () => {
    const { get } = await startThings();
    const etag = String((await get('/things/one')).headers['etag']);
    const opaque = etag.slice('W/'.length);
    const statusOf = async (condition: string) =>
      (await get('/things/one', { 'if-none-match': condition })).status;
    for (const same of [opaque, `"x", ${etag}`, '*']) expect(await statusOf(same), same).toBe(304);
    for (const other of [`${opaque.slice(0, -1)}d"`, opaque.slice(1, -1), '', `W/${opaque.slice(1, -1)}`]) {
      expect(await statusOf(other), other).toBe(200);
    }
  });

  it('to HEAD has the header of GET; one that is 304 has no Content-Length', async () => {
    const { get } = await startThings();
    const etag = String((await get('/things/one')).headers['etag']);
    for (const path of ['/things/one', '/things/one?x=1']) {
      const unchanged = await get(path, { 'if-none-match': etag }, 'HEAD');
      expect([unchanged.status, unchanged.headers['content-length']]).toEqual([304, undefined]);
    }
    const hit = await get('/things/one');
    const head = await get('/things/one', {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag } });
    expect(head.headers['content-length']).toBe(hit.headers['content-length']);
  });

  it('lists ignored parameters each time, also from memory, under the same cache key', async () => {
    const { get, loaded } = await startThings();
    await get('/things/one');
    for (let time = 0; time < 3; time++) {
      const { text } = await get('/things/one?limt=3');
      expect(JSON.parse(text)).toMatchObject({ meta: { cached: true, ignored: ['limt'] } });
    }
    expect(loaded).toEqual(['one']);
  });

  const text = { name: 'text', contentType: 'text/plain; charset=utf-8', keyFor: () => 'text' };

  it('in another form has a validator of its own, each time', async () => {
    const form = { ...text, fileNameOf: () => '-things-one.txt', write: () => '一つ' };
    const { get } = await startThings(() => Promise.resolve({ data: 1 }), { form });
    const json = String((await get('/things/one')).headers['etag']);
    const etag = String((await get('/things/one?format=text')).headers['etag']);
    expect(etag).not.toBe(json);
    for (let time = 0; time < 3; time++) {
      const written = await get('/things/one?format=text&x=1');
      expect([written.text, written.headers['etag']]).toEqual(['一つ', etag]);
      expect(written.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'attachment; filename="-things-one.txt"',
        'x-ignored': 'x',
      });
    }
    expect((await get('/things/one?format=text', { 'if-none-match': json })).status).toBe(200);
    expect((await get('/things/one?format=text', { 'if-none-match': etag })).status).toBe(304);
  });

  it('in any form has the same validator for the same data and validated metadata, whatever their age', async () => {
    const form = { ...text, write: ({ meta }: CacheEntry) => JSON.stringify(meta) };
    const metas: Record<string, { date: string; asOf: string }> = {
      one: { date: '2026-11-01', asOf: '2026-11-20T00:00:00Z' },
      two: { date: '2026-11-01', asOf: '2026-11-21T00:00:00Z' },
      three: { date: '2026-11-02', asOf: '2026-11-21T00:00:00Z' },
    };
    const load = (name: string) => {
      const meta = metas[name] ?? { date: '', asOf: '' };
      return Promise.resolve({ data: [], meta, validatedMeta: { date: meta.date } });
    };
    const { get } = await startThings(load, { form });
    for (const format of ['', '?format=text']) {
      const etagOf = async (name: string) => (await get(`/things/${name}${format}`)).headers['etag'];
      expect(await etagOf('two')).toBe(await etagOf('one'));
      expect(await etagOf('three')).not.toBe(await etagOf('one'));
    }
  });

  it('in another form is written again for other data of the same date, and for the same data of another', async () => {
    const first = Date.UTC(2025, 11, 31, 23, 59);
    let loaded = { data: 1, asOf: first };
    const write = ({ data, fetchedAt }: CacheEntry) => `${data.toString()} ${fetchedAt - first}`;
    const form = { ...text, write };
    const { get, advance } = await startThings(() => Promise.resolve(loaded), { form });
    const texts: string[] = [];
    for (const next of [loaded, { data: 2, asOf: first }, { data: 2, asOf: first + 7 }]) {
      loaded = next;
      texts.push((await get('/things/one?format=text')).text);
      advance(100);
    }
    expect(texts).toEqual(['1 0', '2 0', '2 7']);
  });

  it.each(['/things/one', '/things/one?format=text'])(
    'about an absence is JSON in every form, cached briefly, without next page or 304: %s',
    async (path) => {
      const absent = () => Promise.reject(new ServiceError(ERRORS.not_found));
      const form = { ...text, write: () => 'one' };
      const { get, loaded } = await startThings(absent, { form, next: () => ({ offset: '2' }) });
      for (let time = 0; time < 3; time++) {
        const { status, headers } = await get(path, { 'if-none-match': '*' });
        expect(status).toBe(404);
        expect(headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'public, max-age=10',
        });
        expect([headers['link'], headers['content-disposition']]).toEqual([undefined, undefined]);
      }
      expect(loaded).toEqual(['one']);
    },
  );

  it('is marked if it is stale, while a new one is fetched or when that fails, and an error when too old', async () => {
    let broken = false;
    const { get, advance, loaded, logged } = await startThings(() =>
      broken
        ? (advance(2), Promise.reject(new ServiceError(TEST_ERRORS.upstream_unavailable)))
        : Promise.resolve({ data: 1 }),
    );
    await get('/things/one');
    advance(70);
    const revalidated = await get('/things/one');
    expect(JSON.parse(revalidated.text)).toMatchObject({ data: 1, meta: { cached: true, stale: true } });
    expect(revalidated.headers['cache-status']).toBe('mokuroku-things; hit; ttl=-10; detail=revalidating');
    await expect.poll(() => loaded).toHaveLength(2);
    broken = true;
    advance(98);
    const stale = await get('/things/one');
    expect(stale.status).toBe(200);
    expect(JSON.parse(stale.text)).toMatchObject({
      data: 1,
      meta: { cached: true, stale: true, tookMs: 2_000 },
    });
    expect(stale.headers['age']).toBe('100');
    expect(logged()).toContainEqual(
      expect.objectContaining({ msg: 'served stale', id: 'test-3', key: 'one' }),
    );
    expect(stale.headers['cache-status']).toBe('mokuroku-things; hit; ttl=-40; detail=stale-on-error');
    advance(501);
    expect((await get('/things/one')).status).toBe(503);
  });
});
