import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { collectGarbage } from '../collect-garbage.ts';
import {
  bothSides,
  closed,
  connected,
  getThing,
  pendingLoads,
  statusesOf,
  watchedConnection,
} from './raw-connection.ts';
import { ROOMY, big, large, raw, startThings } from './things-service.ts';

/** What a new connection receives for a request until it is closed: nothing, if it is refused. */
async function answerTo(base: string, localAddress?: string): Promise<string> {
  const socket = await connected(base, localAddress);
  let answer = '';
  socket.on('data', (text) => (answer += String(text)));
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await closed(socket);
  return answer;
}

/** Expects that each connection is served, and closes it. */
async function expectServed(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) {
    socket.write(getThing('one'));
    await new Promise((answered) => socket.once('data', answered));
    socket.destroy();
  }
}

describe('a connection', () => {
  it.each([
    ['HTTP/1.0', '\r\n\r\n'],
    ['HTTP/1.1', '\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ])(
    'without keep-alive (%s) gets the response to its request and no other, whatever follows, which is not logged',
    async (version, head) => {
      const { base, logged } = await startThings();
      for (const path of ['/things/one', '/things/one', '/things/one', '/things/two']) {
        const request = `GET ${path} ${version}${head}`;
        for (const following of [request, 'GARBAGE\r\n\r\n', '\0\u0001\u0002']) {
          const answer = await raw(base, request + following);
          expect(statusesOf(answer)).toEqual(['200']);
          const body = Buffer.from(answer.slice(answer.indexOf('\r\n\r\n{')), 'latin1').toString();
          expect(JSON.parse(body)).toHaveProperty('data', big.data);
        }
      }
      expect(logged().map(({ status }) => status)).toEqual(Array(12).fill(200));
    },
  );

  it('is closed if its client reads nothing', async () => {
    const { base, connections } = await startThings(large, { ...ROOMY, connectionTimeoutMs: 500 });
    const stuck = await connected(base);
    stuck.pause().write(getThing('one'));
    await expect.poll(() => connections(), { timeout: 40_000 }).toMatchObject({ accepted: 1, open: 0 });
    stuck.destroy();
  }, 60_000);

  it('stays open if its client reads slowly', async () => {
    const { base } = await startThings(large, { ...ROOMY, connectionTimeoutMs: 4_000 });
    const slow = await connected(base);
    let received = 0;
    const slowEnd = closed(slow);
    slow.on('data', (chunk: Buffer) => {
      const before = received;
      received += chunk.length;
      // A rest after each million bytes.
      if (Math.floor(received / 1e6) === Math.floor(before / 1e6)) return;
      slow.pause();
      setTimeout(() => slow.resume(), 10);
    });
    slow.write('GET /things/two HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await slowEnd;
    expect(received).toBeGreaterThan(30_000_000);
  });

  it('is also closed when cached responses pile up for a client that reads nothing', async () => {
    const load = () => Promise.resolve({ data: 'x'.repeat(100_000) });
    const service = await startThings(load, { connectionTimeoutMs: 500 });
    await service.warm();
    const { client, socket } = await bothSides(service);
    const end = closed(client.pause());
    // One at a time, so that none follows the first that does not get through.
    for (let requestCount = 1; socket.writableLength === 0; requestCount++) {
      client.write(getThing('one'));
      await expect.poll(() => socket.bytesWritten, { interval: 1 }).toBeGreaterThan(requestCount * 100_000);
    }
    await expect.poll(() => socket.destroyed, { timeout: 40_000 }).toBe(true);
    client.resume();
    await end;
  }, 60_000);

  it('that is idle does not hold its last response', async () => {
    const { base } = await startThings(() => Promise.resolve({ data: 'x'.repeat(2_000_000) }), ROOMY);
    const sockets = await Promise.all(Array.from({ length: 30 }, () => connected(base)));
    await collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (const [index, socket] of sockets.entries()) {
      let received = 0;
      const isReceived = new Promise<void>((resolve) => {
        socket.on('data', ({ length }) => ((received += length) > 2_000_000 ? resolve() : undefined));
      });
      socket.write(getThing(`${index}`));
      await isReceived;
    }
    await collectGarbage();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    ['of a client with a quarter of all', ['1.1', '0.1', '0.1'], '0.1', 1],
    ['of a network with half of all', ['1.1', '0.1', '0.1', '0.2', '0.2'], '0.3', 1],
    ['beyond the maximum', ['1.1', '2.1', '3.1', '4.1', '5.1', '6.1', '7.1', '8.1'], '9.1', 0],
  ])(
    '%s replaces the idle one of its own whose last request is the oldest',
    async (_what, addresses, from, used) => {
      const { base } = await startThings(undefined, { maxConnections: 8 });
      const sockets: Socket[] = [];
      for (const address of addresses) sockets.push(await connected(base, `127.0.${address}`));
      sockets[used]?.write(getThing('one'));
      await new Promise((answered) => sockets[used]?.once('data', answered));
      const [oldest] = sockets.splice(used + 1, 1);
      const ends = closed(oldest as Socket);
      sockets.push(await connected(base, `127.0.${from}`));
      await ends;
      await expectServed(sockets);
    },
  );

  it('of a trusted proxy counts for no client: it forwards the requests of many', async () => {
    const { base } = await startThings(undefined, { maxConnections: 8, trustedProxies: ['127.0.0.1'] });
    const all: Socket[] = [];
    for (let number = 1; number <= 8; number++) all.push(await connected(base));
    await expectServed(all);
  });

  it.each([
    ['of a network with half of all', ['0.1', '0.1', '0.2', '0.2'], '0.3', '1.1'],
    ['beyond the maximum', ['1.1', '2.1', '3.1', '4.1', '5.1', '6.1', '7.1', '8.1'], '9.1', undefined],
  ])('%s is refused if all of them are busy; those complete', async (_what, addresses, refused, served) => {
    const { load, names, releaseAll } = pendingLoads();
    const { base, connections, admission } = await startThings(load, { maxConnections: 8 });
    const busy: Socket[] = [];
    for (const [index, from] of addresses.entries()) {
      const socket = await connected(base, `127.0.${from}`);
      socket.write(getThing(`${index}`));
      busy.push(socket);
      await expect.poll(() => names).toHaveLength(busy.length);
    }
    expect(await answerTo(base, `127.0.${refused}`)).toBe('');
    expect(connections()).toEqual({ open: busy.length, accepted: busy.length, refused: 1 });
    expect(admission.requests.used).toBe(busy.length);
    if (served) expect(await answerTo(base, `127.0.${served}`)).toMatch(/^HTTP\/1\.1 200 /);
    const answered = busy.map((socket) => new Promise((resolve) => socket.once('data', resolve)));
    releaseAll();
    for (const answer of await Promise.all(answered)) expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of busy) socket.resetAndDestroy();
  });

  it('that a response ends is read for a second more, and closed if its client does not close it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { base, server } = await startThings();
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const client = connect({ port: Number(new URL(base).port), host: '127.0.0.1', allowHalfOpen: true });
    client.resume().write('NONSENSE\r\n\r\n');
    await new Promise((resolve) => client.once('end', resolve));
    const socket = await accepted;
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(socket.destroyed).toBe(true);
    client.destroy();
  });

  it('that its client resets between two requests is not logged: it requested nothing', async () => {
    const { base, connections, get, logged } = await startThings();
    const socket = await connected(base);
    socket.resetAndDestroy();
    await expect.poll(() => connections()).toMatchObject({ accepted: 1, open: 0 });
    await get('/livez');
    expect(logged()).toMatchObject([{ url: '/livez' }]);
  });

  it('no longer counts once its client has closed it, although its response was in progress', async () => {
    const { load, names } = pendingLoads();
    const { base, connections } = await startThings(load, { maxConnections: 4 });
    for (let number = 1; number <= 6; number++) {
      const socket = await connected(base);
      socket.write(getThing(`${number}`));
      await expect.poll(() => names).toHaveLength(number);
      socket.resetAndDestroy();
      await expect.poll(() => connections().open).toBe(0);
    }
    expect(await answerTo(base)).toMatch(/^HTTP\/1\.1 200 /);
    expect(connections()).toMatchObject({ accepted: 7, refused: 0 });
  });
});

describe('a request before the response to the previous one', () => {
  it('is discarded: that response ends the connection', async () => {
    const { load, names, release } = pendingLoads();
    const { base } = await startThings(load);
    const answer = raw(base, ['one', 'two', 'three'].map(getThing).join(''), false);
    await expect.poll(() => names).toHaveLength(1);
    release();
    expect(statusesOf(await answer)).toEqual(['200']);
    expect(await answer).toMatch(/^connection: close\r$/im);
    expect(names).toEqual(['one']);
  });

  it('is discarded also if that response is sent at once, from memory', async () => {
    const { base, get } = await startThings();
    await get('/things/one');
    expect(statusesOf(await raw(base, getThing('one').repeat(20), false))).toEqual(['200']);
  });

  it('is the last that is read: neither heads nor work pile up', async () => {
    const { load, names, release } = pendingLoads();
    const service = await startThings(load);
    const { client, socket } = await bothSides(service);
    let requests = 0;
    service.server.on('request', () => requests++);
    for (let written = 0; written < 20_000_000; written += 1_000_000) {
      client.write(getThing('one').repeat(1_000_000 / getThing('one').length));
    }
    await expect.poll(() => socket.readableLength).toBeGreaterThan(0);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(socket.bytesRead).toBeLessThan(1_000_000);
    expect([requests, names.length]).toEqual([1, 1]);
    client.resetAndDestroy();
    release();
  });

  /** A client that has sent three requests, and reads nothing yet of the long response to the first. */
  async function pipelining() {
    const { load, names, release } = pendingLoads();
    const service = await startThings(load, { ...ROOMY, connectionTimeoutMs: 4_000 });
    const { client, socket } = await bothSides(service);
    client.pause().write(getThing('one').repeat(3));
    await expect.poll(() => names).toHaveLength(1);
    release('x'.repeat(20_000_000));
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    return { client, socket, service };
  }

  it('leaves the long response before it whole, however slowly its client reads', async () => {
    const { client } = await pipelining();
    let length = 0;
    client.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
    await closed(client);
    expect(length).toBeGreaterThan(20_000_000);
  });

  it('does not keep the connection of a client that reads nothing', async () => {
    const { client, socket, service } = await pipelining();
    socket.emit('timeout');
    await expect.poll(() => service.connections().open).toBe(0);
    client.destroy();
  });

  it('that is unreadable gets one error after that response, however much comes, however slowly it is sent', async () => {
    const { load, names, release } = pendingLoads();
    const { server, logged } = await startThings(load);
    let failures = 0;
    server.on('clientError', () => failures++);
    const { connection, writes } = watchedConnection(server);
    connection.push(getThing('one'));
    await expect.poll(() => names).toHaveLength(1);
    for (const packet of [1, 2]) {
      connection.push('NONSENSE\r\n\r\n');
      await expect.poll(() => failures).toBe(packet);
    }
    release();
    const statuses: string[] = [];
    for (let sent = 0; statuses.at(-1) !== '400'; sent++) {
      await expect.poll(() => writes.length).toBeGreaterThan(sent);
      statuses.push(...statusesOf(String(writes[sent]?.chunk)));
      if (statuses.at(-1) !== '400') writes[sent]?.done();
    }
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    connection.destroy();
    await expect.poll(() => logged()).toMatchObject([{ status: 200 }, { status: 400 }]);
    expect(statuses).toEqual(['200', '400']);
  });
});
