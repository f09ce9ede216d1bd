import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { big, endThings, raw, startThings } from '../../test/http/things-service.ts';

afterEach(endThings);

const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];
const statusesOf = (answer: string) => answer.match(/HTTP\/1\.1 \d{3}/g) ?? [];

function connected(base: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => {
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve();
    });
  });

describe('a request that leaves open who is asked', () => {
  it.each([
    ['two Host headers', 'GET /things/one HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'invalid_parameter'],
    ['no Host header', 'GET /things/one HTTP/1.1\r\n\r\n', 'invalid_parameter'],
    ['a target that is no path', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_parameter'],
  ])('is 400 in the common form: %s', async (_name, text, code) => {
    const { base } = await startThings(() => Promise.resolve(big));
    const answer = await raw(base, text);
    expect(statusesOf(answer)).toEqual(['HTTP/1.1 400']);
    expect(codeOf(answer)).toBe(code);
  });

  it('is answered in HTTP/1.0, which knows no Host header', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
    expect(statusesOf(await raw(base, 'GET /things/one HTTP/1.0\r\n\r\n'))).toEqual(['HTTP/1.1 200']);
  });
});

describe('a connection', () => {
  it('is told that its expectation is not met', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
    const answer = await raw(base, 'GET /things/one HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n');
    expect(statusesOf(answer)).toEqual(['HTTP/1.1 417']);
    expect(codeOf(answer)).toBe('expectation_failed');
  });

  it.each([
    ['HTTP/1.0', '\r\n\r\n'],
    ['HTTP/1.1', '\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ])(
    'without keep-alive (%s) gets the answer to its request and no other, whatever follows',
    async (version, head) => {
      const { base } = await startThings(() => Promise.resolve(big));
      for (const path of ['/things/one', '/things/one', '/things/one', '/things/two']) {
        const request = `GET ${path} ${version}${head}`;
        for (const following of [request, 'GARBAGE\r\n\r\n', '\0\u0001\u0002']) {
          const answer = await raw(base, request + following);
          expect(statusesOf(answer)).toEqual(['HTTP/1.1 200']);
          const body = Buffer.from(answer.slice(answer.indexOf('\r\n\r\n{')), 'latin1').toString();
          expect(JSON.parse(body)).toHaveProperty('data', big.data);
        }
      }
    },
  );

  it('whose client takes nothing is let go, and one that takes a little is not', async () => {
    const { base, server } = await startThings(() => Promise.resolve({ data: 'x'.repeat(30_000_000) }), {
      connectionTimeoutMs: 4_000,
    });
    const [stuck, slow] = [await connected(base), await connected(base)];
    let taken = 0;
    const slowEnd = closed(slow);
    slow.on('data', (chunk: Buffer) => {
      const before = taken;
      taken += chunk.length;
      // A rest after each million bytes.
      if (Math.floor(taken / 1e6) === Math.floor(before / 1e6)) return;
      slow.pause();
      setTimeout(() => slow.resume(), 10);
    });
    stuck.pause();
    stuck.write('GET /things/one HTTP/1.1\r\nHost: a\r\n\r\n');
    slow.write('GET /things/two HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await slowEnd;
    expect(taken).toBeGreaterThan(30_000_000);
    const held = () =>
      new Promise<number>((resolve) => {
        server.getConnections((_error, count) => {
          resolve(count);
        });
      });
    await expect.poll(held, { timeout: 40_000 }).toBe(0);
    stuck.destroy();
  }, 60_000);

  it('is let go, too, when answers from memory pile up in front of a client that takes none', async () => {
    const { base, server, get } = await startThings(() => Promise.resolve({ data: 'x'.repeat(100_000) }), {
      connectionTimeoutMs: 1_000,
    });
    await get('/things/one');
    await get('/things/one');
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const client = await connected(base);
    const end = closed(client);
    client.pause();
    const socket = await accepted;
    // One at a time, so that none comes behind the first that does not get through.
    for (let asked = 1; socket.writableLength === 0; asked++) {
      client.write('GET /things/one HTTP/1.1\r\nHost: a\r\n\r\n');
      await expect.poll(() => socket.bytesWritten, { interval: 1 }).toBeGreaterThan(asked * 100_000);
    }
    await expect.poll(() => socket.destroyed, { timeout: 40_000 }).toBe(true);
    client.resume();
    await end;
  }, 60_000);

  it('beyond the most that are held at once is closed', async () => {
    const { base, get } = await startThings(() => Promise.resolve(big), { maxConnections: 2 });
    const sockets = [await connected(base), await connected(base)];
    const third = connect(Number(new URL(base).port), '127.0.0.1');
    await closed(third);
    const ends = sockets.map(closed);
    for (const socket of sockets) socket.end();
    await Promise.all(ends);
    await expect.poll(async () => (await get('/things/one').catch(() => undefined))?.status).toBe(200);
  });
});

describe('work at once', () => {
  it('beyond the bound is refused, while health goes on', async () => {
    let release: (loaded: { data: unknown }) => void = () => undefined;
    let loads = 0;
    const { get } = await startThings(
      () => {
        loads++;
        return new Promise((resolve) => (release = resolve));
      },
      { maxInFlight: 1 },
    );
    const first = get('/things/one');
    await expect.poll(() => loads).toBe(1);
    const refused = await get('/things/two');
    expect([refused.status, codeOf(refused.text), refused.headers['retry-after']]).toEqual([
      503,
      'overloaded',
      '1',
    ]);
    expect((await get('/livez')).status).toBe(200);
    release({ data: 1 });
    expect((await first).status).toBe(200);
    expect((await get('/livez')).status).toBe(200);
  });
});
