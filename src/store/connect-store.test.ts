import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bulk, startRespServer } from '../../test/store/resp-server.ts';
import type { RespReply, RespServer } from '../../test/store/resp-server.ts';
import { systemClock } from '../process/clock.ts';
import { silentLogger } from '../process/logger.ts';
import { connectStore } from './connect-store.ts';
import { openStore } from './open-store.ts';
import { parseStoreUrl } from './store-url.ts';
import { freePort } from '../../test/free-port.ts';

interface Trouble {
  message: string;
  isRefusal: boolean;
}

/** A link to an address, and its events: the first connection, and all failures. */
async function connect(url: string) {
  const link = await connectStore(parseStoreUrl(url));
  const troubles: Trouble[] = [];
  let ready = 0;
  const first = new Promise<void>((resolve) => {
    link.watch(
      () => {
        ready++;
        resolve();
      },
      ({ message }, isRefusal) => {
        troubles.push({ message, isRefusal });
        resolve();
      },
    );
  });
  onTestFinished(() => link.close());
  await first;
  return { link, troubles, ready: () => ready };
}

describe('a connection to the store', () => {
  it('sends credentials and database, and carries bytes unchanged', async () => {
    const value = Buffer.from([0, 255, 13, 10, 42]);
    const server = await startRespServer(([name = '']) =>
      name === 'get' ? bulk(value.toString('latin1')).replace(/^\$\d+/, '$5') : '+OK\r\n',
    );
    const { link, ready } = await connect(`redis://me:secret@127.0.0.1:${server.port}/3`);
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
    const { link, troubles } = await connect(`redis://127.0.0.1:${port}`);
    expect(troubles[0]).toEqual({ message: `connect ECONNREFUSED 127.0.0.1:${port}`, isRefusal: true });
    await expect(link.client.getBuffer('k')).rejects.toThrow("Stream isn't writeable");
  });

  it('that times out is not a refusal: it may succeed at the second attempt', async () => {
    const server = await startRespServer();
    const { link, troubles } = await connect(`redis://127.0.0.1:${server.port}`);
    // As ioredis reports a connection that nobody accepts in time.
    (link.client as unknown as EventEmitter).emit(
      'error',
      Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }),
    );
    expect(troubles).toEqual([{ message: 'connect ETIMEDOUT', isRefusal: false }]);
  });

  it('that breaks is reported, and reconnects', async () => {
    const server = await startRespServer();
    const { troubles, ready } = await connect(`redis://127.0.0.1:${server.port}`);
    for (const socket of server.sockets) socket.destroy();
    await expect.poll(ready).toBe(2);
    expect(troubles[0]).toEqual({ message: 'the connection closed', isRefusal: false });
    expect(server.connections).toBe(2);
  });

  it('reconnects on request, and if its server has become a replica', async () => {
    const reply: RespReply = ([name]) =>
      name === 'set' ? "-READONLY You can't write against a read only replica.\r\n" : '$-1\r\n';
    const server = await startRespServer(reply);
    const { link, ready } = await connect(`redis://127.0.0.1:${server.port}`);
    link.reconnect();
    await expect.poll(ready).toBe(2);
    await expect(link.client.set('k', 'v', 'PX', 1)).rejects.toThrow('READONLY');
    await expect.poll(ready).toBe(3);
    expect(server.connections).toBe(3);
  });

  it('that ioredis has given up is opened again', async () => {
    const server = await startRespServer();
    const { link, ready } = await connect(`redis://127.0.0.1:${server.port}`);
    (link.client as unknown as { disconnect: () => void }).disconnect();
    await expect.poll(ready).toBe(2);
  });

  it('that ioredis has given up is not opened again after it was closed', async () => {
    const server = await startRespServer();
    const { link } = await connect(`redis://127.0.0.1:${server.port}`);
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
    const { troubles } = await connect(`redis://127.0.0.1:${port}`);
    await expect.poll(() => troubles.map(({ message }) => message).join()).toContain('begins with rediss');
    const server = await startRespServer();
    const later = await connect(`redis://127.0.0.1:${server.port}`);
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
    const { troubles } = await connect(`rediss://127.0.0.1:${port}`);
    await expect.poll(() => troubles.map(({ message }) => message).join()).toContain('not rediss');
  });

  it('ends with QUIT, also without a reply', async () => {
    for (const answer of ['+OK\r\n', undefined]) {
      const server = await startRespServer(([name]) => (name === 'quit' ? answer : '+OK\r\n'));
      const { link } = await connect(`redis://127.0.0.1:${server.port}`);
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
        void connect(url.replace('PORT', String(port)));
      });
    });
    // A handshake record that is a ClientHello.
    expect([...(await first).subarray(0, 2)]).toEqual([0x16, 0x03]);
  });
});

describe('closing a connection', () => {
  it('waits up to 300 ms', async () => {
    const server = await startRespServer(([name]) => (name === 'quit' ? undefined : '+OK\r\n'));
    const { link } = await connect(`redis://127.0.0.1:${server.port}`);
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
    const { link } = await connect(`redis://127.0.0.1:${server.port}`);
    await link.close();
    const own = begun.mock.calls.findIndex(([, milliseconds]) => milliseconds === 300);
    expect(own).toBeGreaterThanOrEqual(0);
    expect(cleared).toHaveBeenCalledWith(begun.mock.results[own]?.value);
  });
});

describe('other kinds of store', () => {
  it('include a unix socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-store-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const path = join(folder, 'store.sock');
    const server = await startRespServer(undefined, path);
    const { link, ready } = await connect(`unix://${path}?db=2&password=secret`);
    await expect.poll(ready).toBe(1);
    await link.client.set('k', 'v', 'PX', 1_000);
    expect(server.commands).toEqual([
      ['auth', 'secret'],
      ['select', '2'],
      ['set', 'k', 'v', 'PX', '1000'],
    ]);
  });

  it('include a cluster, whose nodes are queried for their slots and reconnect by themselves', async () => {
    const server: RespServer = await startRespServer(([name = '', what = '']) => {
      if (name === 'cluster' && what.toLowerCase() === 'slots') {
        const node = `*3\r\n${bulk('127.0.0.1')}:${server.port}\r\n${bulk('node')}`;
        return `*1\r\n*3\r\n:0\r\n:16383\r\n${node}`;
      }
      return name === 'cluster' ? bulk('cluster_state:ok\r\n') : '+OK\r\n';
    });
    const { link, ready } = await connect(`redis+cluster://me:secret@127.0.0.1:${server.port}`);
    await expect.poll(ready).toBe(1);
    expect(await link.client.set('k', 'v', 'PX', 1_000)).toBe('OK');
    expect(server.commands).toContainEqual(['set', 'k', 'v', 'PX', '1000']);
    expect(server.commands).toContainEqual(['auth', 'me', 'secret']);
    expect(server.commands).not.toContainEqual(['auth', 'secret']);
    link.reconnect();
    expect(await link.client.set('k', 'w', 'PX', 1_000)).toBe('OK');
    expect(ready()).toBe(1);
  });
});

/** A Sentinel that names this master; without a reply while `isSilent()`. */
const startSentinel = (master: RespServer, isSilent = () => false) =>
  startRespServer(([, given = '']) => {
    if (isSilent()) return undefined;
    if (given === 'sentinels') return '*0\r\n';
    const address = `*2\r\n${bulk('127.0.0.1')}${bulk(String(master.port))}`;
    return given === 'get-master-addr-by-name' ? address : '+OK\r\n';
  });

describe('a store behind Sentinels', () => {
  it('is found by its name, with the password of the Sentinels and its own', async () => {
    const master = await startRespServer();
    const sentinel = await startSentinel(master);
    const url = `redis+sentinel://me:secret@127.0.0.1:${sentinel.port}/name/1?sentinelPassword=guard`;
    const { ready } = await connect(url);
    await expect.poll(ready).toBe(1);
    expect(sentinel.commands[0]).toEqual(['auth', 'guard']);
    expect(sentinel.commands).toContainEqual(['sentinel', 'get-master-addr-by-name', 'name']);
    expect(master.commands).toEqual([
      ['auth', 'me', 'secret'],
      ['select', '1'],
    ]);
  });

  it('is found by the next Sentinel if the first one accepts connections and never responds', async () => {
    const master = await startRespServer();
    const silent = await startSentinel(master, () => true);
    const sentinel = await startSentinel(master);
    const nodes = [silent, sentinel].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const { ready } = await connect(`redis+sentinel://${nodes}/name`);
    await expect.poll(ready).toBe(1);
  });

  it('is found again, even if a reconnection is requested while a Sentinel is queried', async () => {
    const master = await startRespServer();
    let isSilent = false;
    const sentinel = await startSentinel(master, () => isSilent);
    const { link, ready } = await connect(`redis+sentinel://127.0.0.1:${sentinel.port}/name`);
    isSilent = true;
    const queries = sentinel.commands.length;
    for (const socket of master.sockets) socket.destroy();
    await expect.poll(() => sentinel.commands.length).toBeGreaterThan(queries);
    link.reconnect();
    isSilent = false;
    await expect.poll(ready).toBe(2);
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
    expect([store?.usable, store?.keys.probe]).toEqual([true, 'p:test:probe']);
    expect(server.commands[0]).toEqual(['set', 'p:test:probe', '1', 'PX', '1000']);
    await store?.close();
  });

  it('does not prevent a start if it refuses the connection', async () => {
    const STORE_URL = parseStoreUrl(`redis://127.0.0.1:${await freePort()}`);
    const store = await openStore({ ...settings, STORE_URL }, parts);
    expect(store?.usable).toBe(false);
    await store?.close();
  });
});
