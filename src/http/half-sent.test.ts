import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { big, endThings, raw, startThings } from '../../test/http/things-service.ts';

afterEach(endThings);

const GET = 'GET /things/one HTTP/1.1\r\nHost: a\r\n';
const statusesOf = (answer: string) => answer.match(/HTTP\/1\.1 \d{3}/g) ?? [];

const closed = (socket: Socket) =>
  new Promise<void>((resolve) =>
    socket.once('close', () => {
      resolve();
    }),
  );

describe("Node's timeout for the rest of a request", () => {
  it('is ignored while the response before it is in progress, and closes the connection after it', async () => {
    let release: ((loaded: { data: unknown }) => void) | undefined;
    const { base, server } = await startThings(() => new Promise((resolve) => (release = resolve)));
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const answer = raw(base, `${GET}\r\nGET /things/tw`, false);
    const socket = await accepted;
    await expect.poll(() => release).toBeDefined();
    const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', timeout, socket);
    expect(socket.destroyed).toBe(false);
    const { bytesWritten } = socket;
    release?.({ data: 1 });
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(bytesWritten);
    const isClosed = () => {
      server.emit('clientError', timeout, socket);
      return socket.destroyed;
    };
    await expect.poll(isClosed).toBe(true);
    expect(statusesOf(await answer)).toEqual(['HTTP/1.1 200']);
  });
});

describe('bytes that are no request', () => {
  it('get one error after the response in progress, however many follow', async () => {
    let release: ((loaded: { data: unknown }) => void) | undefined;
    const { base, server } = await startThings(() => new Promise((resolve) => (release = resolve)));
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    let errors = 0;
    server.on('clientError', () => errors++);
    const client = connect(Number(new URL(base).port), '127.0.0.1');
    let received = '';
    client.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    client.write(`${GET}\r\n`);
    await accepted;
    await expect.poll(() => release).toBeDefined();
    for (const count of [1, 2]) {
      client.write('no request\r\n\r\n');
      await expect.poll(() => errors).toBe(count);
    }
    const end = closed(client);
    release?.({ data: 1 });
    await end;
    expect(statusesOf(received)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('a client that half-closes its connection', () => {
  it.each([1, 3])('while its response is made gets it, then the close (%i requests)', async (requests) => {
    const releases: (() => void)[] = [];
    const { base, server } = await startThings(
      () =>
        new Promise((resolve) =>
          releases.push(() => {
            resolve({ data: 1 });
          }),
        ),
    );
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const answer = raw(
      base,
      Array.from({ length: requests }, (_, at) => GET.replace('one', `n-${at}`)).join('\r\n') + '\r\n',
    );
    const socket = await accepted;
    if (requests === 1) await expect.poll(() => socket.readableEnded).toBe(true);
    for (let turn = 0; turn < requests; turn++) {
      await expect.poll(() => releases).toHaveLength(turn + 1);
      releases[turn]?.();
    }
    expect(statusesOf(await answer)).toEqual(Array(requests).fill('HTTP/1.1 200'));
  });

  it('and then disappears costs no connection: it is closed when its response cannot be sent', async () => {
    let release: ((loaded: { data: unknown }) => void) | undefined;
    const { base, server } = await startThings(() => new Promise((resolve) => (release = resolve)));
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const client = connect(Number(new URL(base).port), '127.0.0.1');
    client.write(`${GET}\r\n`);
    const socket = await accepted;
    await expect.poll(() => release).toBeDefined();
    client.destroy();
    await expect.poll(() => socket.readableEnded).toBe(true);
    const end = closed(socket);
    release?.({ data: 'x'.repeat(10_000_000) });
    await end;
  });

  it('after half a head gets an error', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
    expect(statusesOf(await raw(base, GET))).toEqual(['HTTP/1.1 400']);
  });
});

describe('heads sent byte by byte', () => {
  it('are closed at their timeout, many at once; another client is served', async () => {
    const { base, server, get } = await startThings(() => Promise.resolve(big), {
      trustedProxies: ['127.0.0.1'],
    });
    server.headersTimeout = 1_000;
    const clients = Array.from({ length: 200 }, () => connect(Number(new URL(base).port), '127.0.0.1'));
    const ends = clients.map((client) => {
      client.on('error', () => undefined);
      client.write('GET /things/one HTTP/1.1\r\nX-Slow: ');
      return closed(client);
    });
    const drip = setInterval(() => {
      for (const client of clients) if (client.writable) client.write('x');
    }, 100);
    expect((await get('/things/one')).status).toBe(200);
    await Promise.all(ends);
    clearInterval(drip);
    expect((await get('/things/one')).status).toBe(200);
  });
});

describe('a stream with nothing to send for longer than the write timeout', () => {
  it('continues later: its reader has read everything so far', async () => {
    let resume: () => void = () => undefined;
    const beforeLastLine = new Promise<void>((resolve) => (resume = resolve));
    const options = { connectionTimeoutMs: 100, beforeLastLine };
    const { base, server } = await startThings(() => Promise.resolve(big), options);
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const answer = raw(base, 'GET /lines HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', false);
    const socket = await accepted;
    for (let time = 0; time < 3; time++) await new Promise((resolve) => socket.once('timeout', resolve));
    resume();
    const text = Buffer.from(await answer, 'latin1').toString();
    expect(text).toContain('one');
    expect(text).toContain('二');
  });
});

describe('a request for another protocol', () => {
  it.each(['websocket', 'h2c'])(
    'is answered in HTTP, and closes the connection: data after it are discarded (%s)',
    async (protocol) => {
      const { base } = await startThings(() => Promise.resolve(big));
      const upgrade = `${GET}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
      for (const before of ['', '', `${GET}\r\n`]) {
        const answer = await raw(base, `${before}${upgrade}${GET}\r\n`, false);
        expect(statusesOf(answer)).toEqual(Array(before === '' ? 1 : 2).fill('HTTP/1.1 200'));
        expect(answer.match(/^connection: .*$/gim)?.at(-1)).toMatch(/close/);
      }
    },
  );

  it('CONNECT after a response that its client does not read is closed after 5 s', async () => {
    const load = () => Promise.resolve({ data: 'x'.repeat(30_000_000) });
    const { base, server, connections } = await startThings(load);
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const client = connect(Number(new URL(base).port), '127.0.0.1').pause();
    client.on('error', () => undefined);
    client.write(`${GET}\r\n`);
    const socket = await accepted;
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    client.write('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n');
    await expect.poll(() => socket.timeout).toBe(5_000);
    socket.emit('timeout');
    await expect.poll(() => connections().open).toBe(0);
    client.destroy();
  });

  it('CONNECT is rejected after the response before it, and ends the connection', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
    for (const requests of [0, 1, 2, 1]) {
      const before = `${GET}\r\n`.repeat(requests);
      const connecting = 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n';
      const answer = await raw(base, `${before}${connecting}${GET}\r\n`, false);
      const statuses = [...Array<string>(requests).fill('HTTP/1.1 200'), 'HTTP/1.1 405'];
      expect(statusesOf(answer)).toEqual(statuses);
      expect(answer.match(/^connection: .*$/gim)?.at(-1)).toMatch(/close/);
    }
  });
});
