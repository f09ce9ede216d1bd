import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { big, endThings, stopThings, startThings } from '../../test/http/things-service.ts';
import { encodeBody } from './encoding.ts';

afterEach(endThings);

const plain = () => Promise.resolve({ data: 1 });

describe('default timeouts of a connection', () => {
  it('are 5 s for a head, 10 s for a request, and 65 s between two', async () => {
    const { server } = await startThings(plain);
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([5_000, 10_000, 65_000]);
  });

  it.each([
    [undefined, 30_000],
    [8_000, 4_000],
  ])(
    'of %j ms for a client that reads nothing: Node checks twice, each time after %i ms',
    async (most, look) => {
      const options = most === undefined ? {} : { connectionTimeoutMs: most };
      const { base, server } = await startThings(
        () => Promise.resolve({ data: 'x'.repeat(30_000_000) }),
        options,
      );
      const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
      const client = connect(Number(new URL(base).port), '127.0.0.1');
      client.pause();
      client.write('GET /things/one HTTP/1.1\r\nHost: a\r\n\r\n');
      const socket = await accepted;
      await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
      expect(socket.timeout).toBe(look);
      client.destroy();
    },
  );

  it('gets Connection: close with a running response when the service shuts down', async () => {
    let release: (loaded: { data: unknown }) => void = () => undefined;
    let isRequested = false;
    const { get } = await startThings(() => {
      isRequested = true;
      return new Promise((resolve) => (release = resolve));
    });
    const answer = get('/things/one');
    await expect.poll(() => isRequested).toBe(true);
    const ended = stopThings();
    release({ data: 1 });
    expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await ended;
  });
});

describe('the health of a service', () => {
  it.each([
    ['/livez', 'ok'],
    ['/readyz', 'ready'],
  ])('is never cached (%s: %s)', async (path, health) => {
    const { get } = await startThings(plain);
    const { status, headers, text } = await get(path);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(JSON.parse(text)).toEqual({ status: health });
  });
});

describe('a service that shuts down', () => {
  it('still accepts while it drains, closes every connection, and is not ready', async () => {
    const { get } = await startThings(plain);
    await get('/things/one');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let hasEnded = false;
    const ended = stopThings({ drainMs: 1_000 }).then(() => (hasEnded = true));
    await vi.advanceTimersByTimeAsync(999);
    expect((await get('/readyz')).status).toBe(503);
    expect(await get('/things/one')).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    await expect(get('/livez')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a connection of a service that shuts down', () => {
  const connected = (base: string) => connect(Number(new URL(base).port), '127.0.0.1').pause();

  it('is closed if it never sent a request', async () => {
    const { base, server } = await startThings(plain);
    const accepted = new Promise((resolve) => server.once('connection', resolve));
    const client = connected(base);
    await accepted;
    await stopThings();
    client.destroy();
  });

  it.each(['/things/one', '/whole'])(
    'gets the complete running response, and is then closed (%s)',
    async (path) => {
      const extension = {
        description: '',
        add: (app: FastifyInstance) => app.get('/whole', (_request, reply) => reply.send(Buffer.alloc(3e7))),
      };
      const load = () => Promise.resolve({ data: 'x'.repeat(30_000_000) });
      const { base, server } = await startThings(load, { extension });
      const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
      const client = connected(base);
      client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const socket = await accepted;
      await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
      const ended = stopThings();
      let received = 0;
      client.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
      const closed = new Promise((resolve) => client.once('close', resolve));
      await Promise.all([ended, closed]);
      expect(received).toBeGreaterThan(30_000_000);
    },
  );

  it('is closed if the body of its request was not read', async () => {
    const { base, server } = await startThings(plain);
    const accepted = new Promise((resolve) => server.once('connection', resolve));
    const client = connected(base);
    client.write('POST /things/one HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
    await accepted;
    await new Promise((resolve) => client.once('readable', resolve));
    await stopThings();
    client.destroy();
  });
});

describe('a request', () => {
  it('may have a URL of 8,192 characters, and no more', async () => {
    const { get } = await startThings(plain);
    const ofLength = (length: number) => `/things/one?q=${'x'.repeat(length - '/things/one?q='.length)}`;
    expect((await get(ofLength(8_192))).status).toBe(200);
    expect((await get(ofLength(8_193))).status).toBe(414);
  });

  it('has its URL in the log up to 500 characters', async () => {
    const { get, lines } = await startThings(plain);
    const paths = [500, 501].map((length) => `/${'x'.repeat(length - 1)}`);
    for (const path of paths) await get(path);
    const urls = lines.map((line) => (JSON.parse(line) as { url: string }).url);
    expect(urls).toEqual([paths[0], `${paths[0] ?? ''}...`]);
  });

  it('keeps an id of up to 64 characters, and gets a new one for a longer one', async () => {
    const { get } = await startThings(plain);
    const idFor = async (given: string) =>
      (await get('/livez', { 'x-request-id': given })).headers['x-request-id'];
    expect(await idFor('x'.repeat(64))).toBe('x'.repeat(64));
    expect(await idFor('x'.repeat(65))).toBe('test-1');
  });

  it('has its Accept-Encoding read up to 200 characters', async () => {
    const { get } = await startThings(() => Promise.resolve(big));
    const encodingFor = async (length: number) =>
      (await get('/things/one', { 'accept-encoding': `br,${'x'.repeat(length - 3)}` })).headers[
        'content-encoding'
      ];
    expect([await encodingFor(200), await encodingFor(201)]).toEqual(['br', undefined]);
  });
});

describe('a response', () => {
  it('may be read by any page, and has nosniff', async () => {
    const { get } = await startThings(plain);
    for (const path of ['/things/one', '/things/one', '/nothing', '/openapi.json']) {
      expect((await get(path)).headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('from memory rounds age and ttl down', async () => {
    const { get, advance } = await startThings(plain);
    await get('/things/one');
    await get('/things/one');
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

  it('from memory has an Age of 0 while the clock is set back by less than a second', async () => {
    const { get, advance } = await startThings(plain);
    await get('/things/one');
    await get('/things/one');
    advance(-0.5);
    expect((await get('/things/one')).headers['age']).toBe('0');
  });

  it('is compressed from 1,024 bytes on', async () => {
    const [short, long] = [Buffer.alloc(1_023), Buffer.alloc(1_024)];
    for (const encoding of ['gzip', 'br'] as const) {
      expect(await encodeBody(short, encoding)).toBe(short);
      expect((await encodeBody(long, encoding)).length).toBeLessThan(100);
    }
  });

  it('is brotli if br and gzip have equal weight', async () => {
    const { get } = await startThings(() => Promise.resolve(big));
    const { headers } = await get('/things/one', { 'accept-encoding': 'gzip;q=0.5, br;q=0.5' });
    expect(headers['content-encoding']).toBe('br');
  });
});
