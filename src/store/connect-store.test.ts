import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import net from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectLink } from '../../test/store/connect-link.ts';
import { bulk, startRespServer } from '../../test/store/resp-server.ts';
import type { RespReply } from '../../test/store/resp-server.ts';
import { systemClock } from '../process/clock.ts';
import { silentLogger } from '../process/logger.ts';
import { connectStore } from './connect-store.ts';
import { openStore } from './open-store.ts';
import { parseStoreUrl } from './store-url.ts';
import { freePort } from '../../test/free-port.ts';

describe('a connection to the store', () => {
  it('sends credentials and database, and carries bytes unchanged', async () => {
    const value = Buffer.from([0, 255, 13, 10, 42]);
    const server = await startRespServer(([name = '']) =>
      name === 'get' ? bulk(value.toString('latin1')).replace(/^\$\d+/, '$5') : '+OK\r\n',
    );
    const { link, ready } = await connectLink(`redis://me:secret@127.0.0.1:${server.port}/3`);
    await expect.poll(ready).toBe(1);
    expect(await link.client.set('k', value, 'PX', 1_000)).toBe('OK');
    expect(await link.client.getBuffer('k')).toEqual(value);
    expect(server.commands).toEqual([
      ['auth', 'me', 'secret'],
      ['select', '3'],
      ['set', 'k', value.toString('latin1'), 'PX', '1000'],
      ['get', 'k'],
    ]);
  });

  it('that is refused is reported as a refusal without a hint, and commands fail at once', async () => {
    const port = await freePort();
    const { link, troubles } = await connectLink(`redis://127.0.0.1:${port}`);
    expect(troubles[0]).toEqual({ message: `connect ECONNREFUSED 127.0.0.1:${port}`, isRefusal: true });
    await expect(link.client.getBuffer('k')).rejects.toThrow("Stream isn't writeable");
  });

  it('that times out is not a refusal: it may succeed at the second attempt', async () => {
    const server = await startRespServer();
    const { link, troubles } = await connectLink(`redis://127.0.0.1:${server.port}`);
    // As ioredis reports a connection that nobody accepts in time.
    (link.client as unknown as EventEmitter).emit(
      'error',
      Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }),
    );
    expect(troubles).toEqual([{ message: 'connect ETIMEDOUT', isRefusal: false }]);
  });

  it('that breaks is reported, and reconnects', async () => {
    const server = await startRespServer();
    const { troubles, ready } = await connectLink(`redis://127.0.0.1:${server.port}`);
    for (const socket of server.sockets) socket.destroy();
    await expect.poll(ready).toBe(2);
    expect(troubles[0]).toEqual({ message: 'the connection closed', isRefusal: false });
    expect(server.connections).toBe(2);
  });

  it('reconnects on request, and if its server has become a replica', async () => {
    const reply: RespReply = ([name]) =>
      name === 'set' ? "-READONLY You can't write against a read only replica.\r\n" : '$-1\r\n';
    const server = await startRespServer(reply);
    const { link, ready } = await connectLink(`redis://127.0.0.1:${server.port}`);
    link.reconnect();
    await expect.poll(ready).toBe(2);
    await expect(link.client.set('k', 'v', 'PX', 1)).rejects.toThrow('READONLY');
    await expect.poll(ready).toBe(3);
    expect(server.connections).toBe(3);
  });

  it('reconnects on request while the server has not replied to the login', async () => {
    let isSilent = true;
    const server = await startRespServer(([name]) => (name === 'auth' && isSilent ? '' : '+OK\r\n'));
    const link = await connectStore(parseStoreUrl(`redis://me:secret@127.0.0.1:${server.port}`));
    onTestFinished(() => link.close());
    let ready = 0;
    link.watch(
      () => ready++,
      () => undefined,
    );
    await expect.poll(() => server.commands).toHaveLength(1);
    isSilent = false;
    link.reconnect();
    await expect.poll(() => ready).toBe(1);
    expect(server.connections).toBe(2);
  });

  it('that ioredis has given up is opened again', async () => {
    const server = await startRespServer();
    const { link, ready } = await connectLink(`redis://127.0.0.1:${server.port}`);
    (link.client as unknown as { disconnect: () => void }).disconnect();
    await expect.poll(ready).toBe(2);
  });

  it('that ioredis has given up is not opened again after it was closed', async () => {
    const server = await startRespServer();
    const { link } = await connectLink(`redis://127.0.0.1:${server.port}`);
    const client = link.client as unknown as EventEmitter & { disconnect: () => void };
    const ended = once(client, 'end');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    client.disconnect();
    await ended;
    await link.close();
    await vi.advanceTimersByTimeAsync(500);
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.connections).toBe(1);
  });

  it('that is reset before it was ready hints at TLS, and later does not', async () => {
    const resetting = net.createServer((socket) => socket.resetAndDestroy());
    await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void resetting.close());
    const { port } = resetting.address() as net.AddressInfo;
    const { troubles } = await connectLink(`redis://127.0.0.1:${port}`);
    await expect.poll(() => troubles.map(({ message }) => message).join()).toContain('begins with rediss');
    const server = await startRespServer();
    const later = await connectLink(`redis://127.0.0.1:${server.port}`);
    for (const socket of server.sockets) socket.resetAndDestroy();
    await expect.poll(later.ready).toBe(2);
    expect(later.troubles.map(({ message }) => message).join()).not.toContain('rediss');
  });

  it('by TLS to a server without TLS hints at that', async () => {
    const plain = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.resetAndDestroy();
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void plain.close());
    const { port } = plain.address() as net.AddressInfo;
    const { troubles } = await connectLink(`rediss://127.0.0.1:${port}`);
    await expect.poll(() => troubles.map(({ message }) => message).join()).toContain('not rediss');
  });

  it('ends with QUIT, also without a reply', async () => {
    for (const answer of ['+OK\r\n', undefined]) {
      const server = await startRespServer(([name]) => (name === 'quit' ? answer : '+OK\r\n'));
      const { link } = await connectLink(`redis://127.0.0.1:${server.port}`);
      await link.close();
      expect(server.commands).toEqual([['quit']]);
      await expect.poll(() => server.sockets.size).toBe(0);
    }
  });
});

describe('an unreachable store', () => {
  it.each([
    ['a server', 'redis://127.0.0.1:PORT'],
    ['Sentinels', 'redis+sentinel://127.0.0.1:PORT/name'],
    ['a cluster', 'redis+cluster://127.0.0.1:PORT'],
  ])('is retried, %s: with growing pauses, and at least twice a second', async (_, url) => {
    const port = await freePort();
    const pauses: number[] = [];
    const wait = globalThis.setTimeout;
    // Pauses between attempts are recorded and skipped; connections may take their time.
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms = 0) => {
      if (ms >= 1_000) return wait(run, ms);
      pauses.push(ms);
      return wait(run);
    });
    onTestFinished(() => {
      timers.mockRestore();
    });
    const link = await connectStore(parseStoreUrl(url.replace('PORT', String(port))));
    onTestFinished(() => link.close());
    link.watch(
      () => undefined,
      () => undefined,
    );
    while (pauses.length < 12) await new Promise((resolve) => setImmediate(resolve));
    expect(pauses.slice(0, 12)).toEqual([50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 500, 500]);
  });

  it.each([
    'rediss://127.0.0.1:PORT',
    'rediss+sentinel://127.0.0.1:PORT/name',
    'rediss+cluster://127.0.0.1:PORT',
  ])('%s uses TLS from the first byte', async (url) => {
    const first = new Promise<Buffer>((resolve) => {
      const server = net.createServer((socket) => {
        socket
          .on('error', () => undefined)
          .once('data', (bytes) => {
            resolve(bytes);
            socket.destroy();
          });
      });
      onTestFinished(() => void server.close());
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as net.AddressInfo;
        void connectLink(url.replace('PORT', String(port)));
      });
    });
    // A handshake record that is a ClientHello.
    expect([...(await first).subarray(0, 2)]).toEqual([0x16, 0x03]);
  });
});

describe('closing a connection', () => {
  it('waits up to 300 ms', async () => {
    const server = await startRespServer(([name]) => (name === 'quit' ? undefined : '+OK\r\n'));
    const { link } = await connectLink(`redis://127.0.0.1:${server.port}`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = link.close();
    await expect.poll(() => server.commands.length).toBe(1);
    await vi.advanceTimersByTimeAsync(299);
    expect(server.sockets.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('with a reply leaves no timer behind', async () => {
    const begun = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const server = await startRespServer(() => '+OK\r\n');
    const { link } = await connectLink(`redis://127.0.0.1:${server.port}`);
    await link.close();
    const own = begun.mock.calls.findIndex(([, milliseconds]) => milliseconds === 300);
    expect(own).toBeGreaterThanOrEqual(0);
    expect(cleared).toHaveBeenCalledWith(begun.mock.results[own]?.value);
  });
});

describe('the store of the settings', () => {
  const parts = { scope: 'test', clock: systemClock, logger: silentLogger() };
  const settings = { STORE_PREFIX: 'p:', STORE_TIMEOUT_MS: 1_000 };

  it('is off if they name none', async () => {
    expect(await openStore({ ...settings, STORE_URL: undefined }, parts)).toBeUndefined();
  });

  it('is in use when it responds, with keys of its prefix and scope', async () => {
    const server = await startRespServer();
    const STORE_URL = parseStoreUrl(`redis://127.0.0.1:${server.port}`);
    const store = await openStore({ ...settings, STORE_URL }, parts);
    expect([store?.isUsable, store?.keys.probe]).toEqual([true, 'p:test:probe']);
    expect(server.commands[0]).toEqual(['set', 'p:test:probe', '1', 'PX', '1000']);
    await store?.close();
  });

  it('does not prevent a start if it refuses the connection', async () => {
    const STORE_URL = parseStoreUrl(`redis://127.0.0.1:${await freePort()}`);
    const store = await openStore({ ...settings, STORE_URL }, parts);
    expect(store?.isUsable).toBe(false);
    await store?.close();
  });
});
