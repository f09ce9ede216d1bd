import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bothSides, closed, connected, getThing, pendingLoads } from './raw-connection.ts';
import { endThings, stopThings, startThings } from './things-service.ts';
import { encodeBody } from '../../packages/kit/src/http/negotiation.ts';

afterEach(endThings);

const plain = () => Promise.resolve({ data: 1 });

describe('default timeouts of a connection', () => {
  it('are 5 s for a head, 10 s for a request, and 65 s between two', async () => {
    const { server, timeouts } = await startThings(plain);
    expect(timeouts).toEqual({ headersTimeout: 5_000, requestTimeout: 10_000 });
    expect(server.keepAliveTimeout).toBe(65_000);
  });

  it.each([
    [undefined, 30_000],
    [8_000, 4_000],
  ])(
    'of %j ms for a client that reads nothing: Node checks twice, each time after %i ms',
    async (most, look) => {
      const options = most === undefined ? {} : { connectionTimeoutMs: most };
      const service = await startThings(() => Promise.resolve({ data: 'x'.repeat(30_000_000) }), options);
      const { client, socket } = await bothSides(service);
      client.pause().write(getThing('one'));
      await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
      expect(socket.timeout).toBe(look);
      client.destroy();
    },
  );

  it('gets Connection: close with a running response when the service shuts down', async () => {
    const { load, names, release } = pendingLoads();
    const { get } = await startThings(load);
    const answer = get('/things/one');
    await expect.poll(() => names).toEqual(['one']);
    const ended = stopThings();
    release();
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
    const { base, get } = await startThings(plain);
    // The last one is sent from memory.
    for (let time = 0; time < 3; time++) await get('/things/one');
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
    // A new connection: the client may not have noticed yet that its open ones were closed.
    await expect(connected(base)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a connection of a service that shuts down', () => {
  it('is closed if it never sent a request', async () => {
    const { client } = await bothSides(await startThings(plain));
    await stopThings();
    client.destroy();
  });

  it.each(['/things/one', '/whole'])(
    'gets the complete running response, and is then closed (%s)',
    async (path) => {
      const addRoutes = (app: FastifyInstance) =>
        void app.get('/whole', (_request, reply) => reply.send(Buffer.alloc(3e7)));
      const load = () => Promise.resolve({ data: 'x'.repeat(30_000_000) });
      const { client, socket } = await bothSides(await startThings(load, { addRoutes }));
      client.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
      const ended = stopThings();
      let received = 0;
      client.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
      await Promise.all([ended, closed(client)]);
      expect(received).toBeGreaterThan(30_000_000);
    },
  );

  it('is closed if the body of its request was not read', async () => {
    const { client } = await bothSides(await startThings(plain));
    client.pause().write('POST /things/one HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
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
    const { status, text } = await get(ofLength(8_193));
    expect([status, text]).toEqual([
      414,
      expect.stringContaining('is 8193 characters long; at most 8192 are'),
    ]);
  });

  it('has its URL in the log up to 500 characters', async () => {
    const { get, lines } = await startThings(plain);
    const paths = [500, 501].map((length) => `/${'x'.repeat(length - 1)}`);
    for (const path of paths) await get(path);
    const urls = lines.map((line) => (JSON.parse(line) as { url: string }).url);
    expect(urls).toEqual([paths[0], `${paths[0] ?? ''}...`]);
  });
});

describe('a response', () => {
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
});
