import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from './errors.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpApp } from './http-app.ts';
import { createLogger } from './logger.ts';
import { SlidingWindowLimiter } from './rate-limiter.ts';
import { ResponseCache } from './response-cache.ts';
import type { Loaded } from './response-cache.ts';
import type { BodyShape } from './stored-answer.ts';

const shape: BodyShape = {
  before: '{"data":',
  after: (meta, how) => `,"meta":${JSON.stringify({ ...how, ...meta })}}`,
};

const policy = { freshSeconds: 60, staleWhileRevalidateSeconds: 30, keepSeconds: 600, absentSeconds: 10 };

let running: HttpApp | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** A service of one route, `/things/:name`, whose answers come from `load`. */
async function start(load: (name: string) => Promise<Loaded>, options: { limit?: number } = {}) {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, monotonic: () => now };
  const lines: string[] = [];
  const log = createLogger('things', 'info', {
    write: (line) => {
      lines.push(line);
    },
  });
  const cache = new ResponseCache({ clock, shape, maxBytes: 1_000_000 });
  const limit = options.limit ?? 0;
  running = await createHttpApp({
    name: 'things',
    clock,
    log,
    cache,
    shape,
    limiter:
      limit > 0 ? new SlidingWindowLimiter({ clock, limit, windowSeconds: 60, maxClients: 100 }) : undefined,
    trustedProxies: [],
    requestIdStem: 'test',
    extraHeaders: ['X-Data', 'sample'],
    openapi: { openapi: '3.1.0', info: { title: 'Things', version: '1' } },
    notFoundHint: 'Try /things/one.',
  });
  running.route({
    url: '/things/:name',
    schema: {},
    prepare: ({ params, query }) => {
      const name = params['name'] ?? '';
      if (name === 'bad') throw new ServiceError('invalid_parameter', { details: [{ parameter: 'name' }] });
      return { key: name, policy, ignored: [...query.values.keys()], load: () => load(name) };
    },
  });
  const base = await running.listen('127.0.0.1', 0);
  return {
    base,
    lines,
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    get: async (
      path: string,
      headers: Record<string, string> = {},
      method: 'GET' | 'HEAD' | 'POST' = 'GET',
    ) => {
      const response = await request(base + path, { method, headers });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
    },
  };
}

const raw = (base: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.end(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => {
      resolve(answer);
    });
    // Node 24 resets a connection whose input it leaves unread, once the answer is out.
    socket.on('error', (error) => {
      if (answer === '') reject(error);
    });
  });

const big = { data: { text: 'あいうえお '.repeat(1_000) }, meta: { source: 'test' } };

describe('an answer', () => {
  it('is loaded once, then served from memory with the same validator', async () => {
    let loads = 0;
    const { get } = await start(() => Promise.resolve({ data: { n: ++loads }, meta: { source: 'test' } }));
    const first = await get('/things/one');
    const second = await get('/things/one');
    expect(JSON.parse(first.text)).toEqual({
      data: { n: 1 },
      meta: { cached: false, stale: false, tookMs: 0, ignored: [], source: 'test' },
    });
    expect(JSON.parse(second.text)).toMatchObject({ data: { n: 1 }, meta: { cached: true } });
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect(first.headers['cache-status']).toBe('mokuroku-things; fwd=miss; stored');
    expect(second.headers['cache-status']).toBe('mokuroku-things; hit; ttl=60');
    expect(second.headers).toMatchObject({
      age: '0',
      'cache-control': 'public, max-age=60',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(second.bytes.length),
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-data': 'sample',
      vary: 'Accept-Encoding',
    });
    expect(loads).toBe(1);
  });

  it('has the same head in keep-alive, close and HTTP/1.0', async () => {
    const { base, get } = await start(() => Promise.resolve(big));
    await get('/things/one');
    const head = async (text: string) =>
      (await raw(base, text))
        .split('\r\n\r\n', 1)[0]
        ?.replace(/^X-Request-Id.*\r\n/im, '')
        .split('\r\n')
        .slice(1)
        .sort();
    const keep = await head('GET /things/one HTTP/1.1\r\nHost: x\r\n\r\n');
    const close = await head('GET /things/one HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const old = await head('GET /things/one HTTP/1.0\r\n\r\n');
    const common = (lines: string[] | undefined) =>
      lines?.filter((line) => !/^(Connection|Keep-Alive|Date)/.test(line));
    expect(common(keep)).toEqual(common(close));
    expect(common(keep)).toEqual(common(old));
    expect(keep).toContain('Connection: keep-alive');
    expect(keep).toContain('Keep-Alive: timeout=65');
    expect(keep?.some((line) => /^Date: \w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(line))).toBe(
      true,
    );
    expect(close).toContain('Connection: close');
    expect(old).toContain('Connection: close');
  });

  it('serves pipelined requests on one connection in order', async () => {
    const { base, get } = await start((name) => Promise.resolve({ data: name }));
    await get('/things/one');
    const one = 'GET /things/one HTTP/1.1\r\nHost: x\r\n\r\n';
    const two = 'GET /things/two HTTP/1.1\r\nHost: x\r\n\r\n';
    const text = await raw(base, one + two + one);
    expect(text.match(/"data":"(one|two)"/g)).toEqual(['"data":"one"', '"data":"two"', '"data":"one"']);
  });

  it('keeps its own head while it waits for its client, whatever others are sent meanwhile', async () => {
    const { get } = await start(() => Promise.resolve(big));
    await get('/things/one');
    const taken: { chunk: Buffer; done: () => void }[] = [];
    // A connection that takes nothing until it is told to, as when the client's buffers are full.
    const connection = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => void taken.push({ chunk, done }),
    });
    running?.app.server.emit('connection', connection);
    connection.push('GET /things/one HTTP/1.1\r\nHost: x\r\nX-Request-Id: late\r\n\r\n');
    await new Promise(setImmediate);
    const other = await get('/things/one', { 'x-request-id': 'other' });
    expect(other.headers['x-request-id']).toBe('other');
    expect(taken).toHaveLength(1);
    const answer = taken[0]?.chunk.toString() ?? '';
    taken[0]?.done();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Request-Id: late\r\n/);
    expect(answer.endsWith(`\r\n\r\n${other.text}`)).toBe(true);
    connection.destroy();
  });

  it('goes out compressed once the compressed form is ready, and nobody waits for it', async () => {
    const { get } = await start(() => Promise.resolve(big));
    const plain = await get('/things/one');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      expect(
        (await get('/things/one', { 'accept-encoding': encoding })).headers['content-encoding'],
      ).toBeUndefined();
      await expect
        .poll(async () => get('/things/one', { 'accept-encoding': encoding }))
        .toSatisfy((answer: Awaited<ReturnType<typeof get>>) => {
          if (answer.headers['content-encoding'] !== encoding) return false;
          expect(JSON.parse(decode(answer.bytes).toString())).toMatchObject({ data: big.data });
          expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 4);
          expect(answer.headers['etag']).toBe(plain.headers['etag']);
          return true;
        });
    }
  });

  it('is 304 when the client has it, from memory and fresh from the source', async () => {
    const { get } = await start(() => Promise.resolve(big));
    const etag = String((await get('/things/one')).headers['etag']);
    const again = await get('/things/one', { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers['etag']).toBe(etag);
    expect(again.headers['cache-control']).toBe('public, max-age=60');
    expect(again.headers['content-type']).toBeUndefined();
    expect((await get('/things/two', { 'if-none-match': `"x", ${etag}` })).status).toBe(304);
    expect((await get('/things/one', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('to HEAD is the head of GET', async () => {
    const { get } = await start(() => Promise.resolve(big));
    const got = await get('/things/one');
    const hit = await get('/things/one');
    const head = await get('/things/one', {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(hit.headers['content-length']);
    expect(head.headers['etag']).toBe(got.headers['etag']);
  });

  it('names ignored parameters, under the same key', async () => {
    let loads = 0;
    const { get } = await start(() => Promise.resolve({ data: ++loads }));
    await get('/things/one');
    const odd = await get('/things/one?limt=3');
    expect(JSON.parse(odd.text)).toMatchObject({ data: 1, meta: { cached: true, ignored: ['limt'] } });
  });

  it('is served stale and marked when the source fails, and refused when too old', async () => {
    let broken = false;
    const { get, advance } = await start(() =>
      broken ? Promise.reject(new ServiceError('upstream_unavailable')) : Promise.resolve({ data: 1 }),
    );
    await get('/things/one');
    broken = true;
    advance(100);
    const stale = await get('/things/one');
    expect(stale.status).toBe(200);
    expect(JSON.parse(stale.text)).toMatchObject({ data: 1, meta: { cached: true, stale: true } });
    expect(stale.headers['age']).toBe('100');
    expect(stale.headers['cache-status']).toBe('mokuroku-things; hit; ttl=-40; detail=stale-on-error');
    advance(501);
    expect((await get('/things/one')).status).toBe(503);
  });

  it('waits for an equal request under way instead of loading twice', async () => {
    let loads = 0;
    let release: (loaded: Loaded) => void = () => undefined;
    const { get } = await start(() => {
      loads++;
      return new Promise((resolve) => (release = resolve));
    });
    const requests = Array.from({ length: 50 }, () => get('/things/one'));
    await expect.poll(() => loads).toBe(1);
    release({ data: 'once' });
    const answers = await Promise.all(requests);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(loads).toBe(1);
  });
});

describe('an error', () => {
  it('is always the envelope: unknown path, bad escape, refused parameters, unforeseen failure', async () => {
    const { get, lines } = await start(() => Promise.reject(new Error('secret path /etc/x')));
    const codes = [];
    for (const path of [
      '/nothing',
      '/%zz',
      '/things/bad',
      '/things/one',
      '/things',
      `/things/${'x'.repeat(9_000)}`,
    ]) {
      const answer = await get(path);
      const { error } = JSON.parse(answer.text) as { error: { code: string; message: string } };
      expect(error.message).not.toBe('');
      expect(answer.text).not.toContain('secret');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      codes.push([answer.status, error.code]);
    }
    expect(codes).toEqual([
      [404, 'not_found'],
      [400, 'invalid_parameter'],
      [400, 'invalid_parameter'],
      [500, 'internal'],
      [404, 'not_found'],
      [414, 'uri_too_long'],
    ]);
    expect(lines.some((line) => line.includes('secret'))).toBe(true);
  });

  it('for other methods is 405 with Allow where the path exists, 404 where it does not', async () => {
    const { get } = await start(() => Promise.resolve(big));
    const refused = await get('/things/one', {}, 'POST');
    expect(refused.status).toBe(405);
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
    await get('/things/one');
    expect((await get('/things/one', {}, 'POST')).status).toBe(405);
    expect((await get('/nothing', {}, 'POST')).status).toBe(404);
  });

  it('of absence is kept for a short while', async () => {
    let loads = 0;
    const { get, advance } = await start(() => {
      loads++;
      return Promise.reject(new ServiceError('not_found', { message: 'No such thing.' }));
    });
    expect((await get('/things/one')).status).toBe(404);
    const again = await get('/things/one');
    expect(again.status).toBe(404);
    expect(again.headers['cache-control']).toBe('public, max-age=10');
    expect(loads).toBe(1);
    advance(11);
    await get('/things/one');
    expect(loads).toBe(2);
  });

  it('for what is no HTTP is the envelope too', async () => {
    const { base } = await start(() => Promise.resolve(big));
    expect(await raw(base, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"code":"invalid_parameter"/);
    const long = `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`;
    expect(await raw(base, long)).toMatch(/^HTTP\/1\.1 414 [^]*"code":"uri_too_long"/);
    const headers = `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`;
    expect(await raw(base, headers)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"invalid_parameter"/);
  });
});

describe('the door', () => {
  it('answers preflights for any origin', async () => {
    const { base } = await start(() => Promise.resolve(big));
    const response = await request(`${base}/things/one`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-max-age': '86400',
    });
  });

  it('counts requests, tells what is left, and refuses with Retry-After', async () => {
    const { get, advance } = await start(() => Promise.resolve(big), { limit: 2 });
    const first = await get('/things/one');
    expect(first.headers['ratelimit-policy']).toBe('"default";q=2;w=60');
    expect(first.headers['ratelimit']).toBe('"default";r=1;t=60');
    expect((await get('/things/one')).headers['ratelimit']).toBe('"default";r=0;t=60');
    const refused = await get('/things/one');
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'rate_limited' } });
    expect((await get('/livez')).status).toBe(200);
    expect((await get('/openapi.json')).status).toBe(200);
    advance(Number(refused.headers['retry-after']));
    expect((await get('/things/one')).status).toBe(200);
  });

  it('gives every request an id, keeping a harmless one of the caller', async () => {
    const { get } = await start(() => Promise.resolve(big));
    expect((await get('/things/one')).headers['x-request-id']).toBe('test-01');
    expect((await get('/things/one', { 'x-request-id': 'my-id.7' })).headers['x-request-id']).toBe('my-id.7');
    expect((await get('/nothing', { 'x-request-id': 'a"b' })).headers['x-request-id']).toBe('test-02');
    expect((await get('/docs/')).headers['x-request-id']).toBe('test-03');
  });

  it('logs one line a request without the full address of the client', async () => {
    const { get, lines } = await start(() => Promise.resolve(big));
    await get('/things/one?q="');
    await get('/things/one');
    const access = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(access).toHaveLength(2);
    expect(access[1]).toMatchObject({
      service: 'things',
      method: 'GET',
      url: '/things/one',
      status: 200,
      cache: 'hit',
      client: '127.0.0.0',
    });
  });
});
