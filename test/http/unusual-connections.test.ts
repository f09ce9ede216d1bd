import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bothSides, closed, connected, getThing, latch, pendingLoads, statusesOf } from './raw-connection.ts';
import { big, large, raw, startThings } from './things-service.ts';

const GET = 'GET /things/one HTTP/1.1\r\nHost: a\r\n';
const CONNECT = 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n';

const acceptedBy = (server: Server) => new Promise<Socket>((resolve) => server.once('connection', resolve));

describe("Node's timeout for the rest of a request", () => {
  it('is ignored while the response before it is in progress, and closes the connection after it', async () => {
    const { load, names, release } = pendingLoads();
    const { base, server } = await startThings(load);
    const accepted = acceptedBy(server);
    const answer = raw(base, `${GET}\r\nGET /things/tw`, false);
    const socket = await accepted;
    await expect.poll(() => names).toHaveLength(1);
    const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', timeout, socket);
    expect(socket.destroyed).toBe(false);
    const { bytesWritten } = socket;
    release();
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(bytesWritten);
    const isClosed = () => {
      server.emit('clientError', timeout, socket);
      return socket.destroyed;
    };
    await expect.poll(isClosed).toBe(true);
    expect(statusesOf(await answer)).toEqual(['200']);
  });
});

describe('a client that half-closes its connection', () => {
  it('while its response is made gets it, then the close', async () => {
    const { load, names, release } = pendingLoads();
    const { base, server } = await startThings(load);
    const accepted = acceptedBy(server);
    const answer = raw(base, getThing('one'));
    const socket = await accepted;
    await expect.poll(() => socket.readableEnded).toBe(true);
    await expect.poll(() => names).toHaveLength(1);
    release();
    expect(statusesOf(await answer)).toEqual(['200']);
  });

  it('and then disappears costs no connection: it is closed when its response cannot be sent', async () => {
    const { load, names, release } = pendingLoads();
    const { client, socket } = await bothSides(await startThings(load));
    client.write(getThing('one'));
    await expect.poll(() => names).toHaveLength(1);
    client.destroy();
    await expect.poll(() => socket.readableEnded).toBe(true);
    const end = closed(socket);
    release('x'.repeat(10_000_000));
    await end;
  });

  it('after half a head gets an error', async () => {
    const { base } = await startThings();
    expect(statusesOf(await raw(base, GET))).toEqual(['400']);
  });
});

describe('heads sent byte by byte', () => {
  it('are closed at their timeout, many at once; another client is served', async () => {
    const { base, server, get, connections } = await startThings(undefined, {
      trustedProxies: ['127.0.0.1'],
    });
    server.headersTimeout = 1_000;
    const clients = Array.from({ length: 200 }, () => connect(Number(new URL(base).port), '127.0.0.1'));
    for (const client of clients) {
      client.on('error', () => undefined).write('GET /things/one HTTP/1.1\r\nX-Slow: ');
    }
    const drip = setInterval(() => {
      for (const client of clients) if (client.writable) client.write('x');
    }, 100);
    expect((await get('/things/one')).status).toBe(200);
    // Node looks every second; by default every 30 s.
    await expect.poll(() => connections().accepted).toBeGreaterThan(200);
    await expect.poll(() => connections().open).toBeLessThan(2);
    clearInterval(drip);
    expect((await get('/things/one')).status).toBe(200);
  });
});

describe('a stream with nothing to send for longer than the write timeout', () => {
  it('continues later: its reader has read everything so far', async () => {
    const { opened, open } = latch();
    const options = { connectionTimeoutMs: 100, beforeLastLine: opened };
    const { base, server } = await startThings(undefined, options);
    const accepted = acceptedBy(server);
    const answer = raw(base, 'GET /lines HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', false);
    const socket = await accepted;
    for (let time = 0; time < 3; time++) await new Promise((resolve) => socket.once('timeout', resolve));
    open();
    const text = Buffer.from(await answer, 'latin1').toString();
    expect(text).toContain('one');
    expect(text).toContain('二');
  });
});

describe('a request for another protocol', () => {
  it.each(['websocket', 'h2c'])(
    'is answered in HTTP, and closes the connection: data after it are discarded (%s)',
    async (protocol) => {
      const { base } = await startThings();
      const upgrade = `${GET}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
      for (let time = 0; time < 2; time++) {
        const answer = await raw(base, `${upgrade}${GET}\r\n`, false);
        expect(statusesOf(answer)).toEqual(['200']);
        expect(answer.match(/^connection: .*$/gim)?.at(-1)).toMatch(/close/);
      }
    },
  );

  it('CONNECT after a response that its client does not read is closed after 5 s', async () => {
    const service = await startThings(large);
    const { client, socket } = await bothSides(service);
    client.pause().write(getThing('one'));
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    client.write(CONNECT);
    await expect.poll(() => socket.timeout).toBe(5_000);
    socket.emit('timeout');
    await expect.poll(() => service.connections().open).toBe(0);
    client.destroy();
  });

  it('CONNECT is rejected after the response before it, and ends the connection', async () => {
    const { base } = await startThings();
    for (const requests of [0, 1, 1]) {
      const answer = await raw(
        base,
        `${getThing('one').repeat(requests)}${CONNECT}${getThing('one')}`,
        false,
      );
      expect(statusesOf(answer)).toEqual([...Array<string>(requests).fill('200'), '405']);
      expect(answer.match(/^connection: .*$/gim)?.at(-1)).toMatch(/close/);
    }
  });
});

/** The statuses of requests on one connection, each sent after the response to the previous one. */
async function inTurn(base: string, requests: readonly string[]): Promise<string[]> {
  const socket = await connected(base);
  let answer = '';
  socket.on('data', (text) => (answer += String(text)));
  for (const [index, text] of requests.entries()) {
    await expect.poll(() => statusesOf(answer)).toHaveLength(index);
    socket.write(text);
  }
  await closed(socket);
  return statusesOf(answer);
}

describe('an unusual connection', () => {
  it('stays open in HTTP/1.0 if its client requests it', async () => {
    const { base } = await startThings();
    const old = (more: string) => `GET /things/one HTTP/1.0\r\n${more}\r\n`;
    expect(await inTurn(base, [old('Connection: keep-alive\r\n'), old('')])).toEqual(['200', '200']);
  });

  it('stays open after an Upgrade header without its option in Connection, which requests nothing', async () => {
    const { base } = await startThings();
    const requests = [`${GET}Upgrade: h2c\r\n\r\n`, `${GET}Connection: close\r\n\r\n`];
    expect(await inTurn(base, requests)).toEqual(['200', '200']);
  });

  it('gets a head and no body for each of many HEAD requests', async () => {
    const { base, get } = await startThings();
    for (let time = 0; time < 20; time++) {
      const { status, text } = await get('/things/one', {}, 'HEAD');
      expect([status, text]).toEqual([200, '']);
    }
    const answer = await raw(base, `${GET.replace('GET', 'HEAD')}Connection: close\r\n\r\n`, false);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it.each([
    ['If-None-Match', '"a",'.repeat(3_800)],
    ['If-None-Match', ','.repeat(15_500)],
    ['Accept', 'a/b;q=0.1,'.repeat(1_550)],
    ['Accept-Encoding', 'gzip;q=0.1,'.repeat(1_400)],
    ['X-Forwarded-For', '192.0.2.1,'.repeat(1_550)],
  ])('may send 15 kB of %s', async (name, value) => {
    const { base } = await startThings();
    const text = `${GET}Connection: close\r\n${name}: ${value}\r\n\r\n`;
    expect(statusesOf(await raw(base, text, false))).toEqual(['200']);
  });
});

/** Connections that the kernel has not kept for a server to accept, since it started. */
function lostConnections(): number {
  const [names = '', counts = ''] = readFileSync('/proc/net/netstat', 'utf8').split('\n');
  return Number(counts.split(' ')[names.split(' ').indexOf('ListenOverflows')]);
}

/** The most connections that the kernel keeps for a server; Linux alone says so. */
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const keepsThousand = existsSync(SOMAXCONN) && Number(readFileSync(SOMAXCONN, 'utf8')) >= 1_000;

describe('a thousand connections', () => {
  it.runIf(keepsThousand)('in one turn of the event loop all wait to be accepted', async () => {
    const { base, connections } = await startThings(undefined, { trustedProxies: ['127.0.0.1'] });
    const before = lostConnections();
    const sockets = await Promise.all(Array.from({ length: 1_000 }, () => connected(base)));
    await expect.poll(() => connections().accepted).toBe(1_000);
    expect(lostConnections()).toBe(before);
    for (const socket of sockets) socket.destroy();
  });
});

describe('a thousand abandoned requests', () => {
  it.each([
    ['before they begin', '', 0],
    ['while they are loaded', '', 5],
    ['while they are compressed', 'Accept-Encoding: gzip\r\n', 0],
  ])('leave no open state: %s', async (_when, headers, loadMs) => {
    let count = 0;
    const load = async () => {
      if (loadMs > 0) await new Promise((resolve) => setTimeout(resolve, loadMs));
      return { data: `${big.data.text}${count++}` };
    };
    const options = { maxRequests: 50, trustedProxies: ['127.0.0.1'] };
    const { base, get, admission, connections } = await startThings(load, options);
    for (let round = 0; round < 20; round++) {
      const sockets = await Promise.all(Array.from({ length: 50 }, () => connected(base)));
      for (const [index, socket] of sockets.entries()) {
        socket.write(`GET /things/${round}-${index} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
        if (index % 2 === 0) setImmediate(() => socket.resetAndDestroy());
        else socket.destroy();
      }
    }
    await expect.poll(() => connections(), { timeout: 50_000 }).toMatchObject({ accepted: 1_000, open: 0 });
    const used = () => [admission.requests.used, admission.bytes.used];
    await expect.poll(used, { timeout: 50_000 }).toEqual([0, 0]);
    // All 25 that one network may have at once are free again.
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => get(`/things/late-${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
