import net from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../../test/free-port.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { bulk, startRespServer } from '../../../../test/store/resp-server.ts';
import type { RespReply, RespServer, TestEnd } from '../../../../test/store/resp-server.ts';
import { readConfig } from '../process/config.ts';
import { systemClock } from '../process/clock.ts';
import { silentLogger } from '../process/logger.ts';
import { z } from 'zod';
import { connectStore, storeSettings } from './connect-store.ts';
import { openStore } from './store.ts';

const settingsOf = (environment: Record<string, string>) => readConfig(z.object(storeSettings), environment);

/** A client, and the number of times that it was ready. */
async function connect(url: string, more: Record<string, string> = {}, test: TestEnd = { onTestFinished }) {
  const { STORE_URL = [], ...settings } = settingsOf({ STORE_URL: url, ...more });
  const client = await connectStore({ ...settings, STORE_URL });
  let ready = 0;
  const errors: string[] = [];
  client.on('ready', () => ready++);
  client.on('error', ({ message }: Error) => errors.push(message));
  test.onTestFinished(() => client.disconnect());
  return { client, ready: () => ready, errors };
}

describe('a connection to the store', () => {
  it('sends credentials and database, and carries bytes unchanged', async () => {
    const value = Buffer.from([0, 255, 13, 10, 42]);
    const server = await startRespServer(([name = '']) =>
      name === 'get' ? bulk(value.toString('latin1')).replace(/^\$\d+/, '$5') : '+OK\r\n',
    );
    const { client, ready } = await connect(`redis://me:s%40cret@127.0.0.1:${server.port}/3`);
    await expect.poll(ready).toBe(1);
    expect(await client.set('k', value, 'PX', 1_000)).toBe('OK');
    expect(await client.getBuffer('k')).toEqual(value);
    expect(server.commands).toEqual([
      ['auth', 'me', 's@cret'],
      ['select', '3'],
      ['set', 'k', value.toString('latin1'), 'PX', '1000'],
      ['get', 'k'],
    ]);
  });

  it('fails commands at once while there is no server', async () => {
    const { client, errors } = await connect(`redis://127.0.0.1:${await freePort()}`);
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    await expect(client.getBuffer('k')).rejects.toThrow("Stream isn't writeable");
  });

  it('that is tried again has one guard against unreadable replies, not one for each attempt', async () => {
    const { client, errors } = await connect(`redis://127.0.0.1:${await freePort()}`);
    await expect.poll(() => errors.length).toBeGreaterThan(2);
    expect(client.listenerCount('connect')).toBeLessThanOrEqual(1);
  });

  it('sends no command twice, also if it breaks before the reply', async () => {
    const server = await startRespServer(([name], socket) =>
      name === 'set' ? void socket.destroy() : '$-1\r\n',
    );
    const { client, ready } = await connect(`redis://127.0.0.1:${server.port}`);
    await expect.poll(ready).toBe(1);
    await expect(client.set('k', 'v', 'PX', 1)).rejects.toThrow();
    await expect.poll(ready).toBe(2);
    expect(await client.getBuffer('k')).toBeNull();
    expect(server.commands.map(([name]) => name)).toEqual(['set', 'get']);
  });

  it('that breaks is opened again, also if its server has become a replica', async () => {
    const reply: RespReply = ([name]) =>
      name === 'set' ? "-READONLY You can't write against a read only replica.\r\n" : '$-1\r\n';
    const server = await startRespServer(reply);
    const { client, ready } = await connect(`redis://127.0.0.1:${server.port}`);
    await expect.poll(ready).toBe(1);
    for (const socket of server.sockets) socket.destroy();
    await expect.poll(ready).toBe(2);
    await expect(client.set('k', 'v', 'PX', 1)).rejects.toThrow('READONLY');
    await expect.poll(ready).toBe(3);
  });

  it.each([
    ['rediss://127.0.0.1:PORT', {}],
    ['rediss://127.0.0.1:PORT', { STORE_SENTINEL_NAME: 'name' }],
    ['rediss://127.0.0.1:PORT,rediss://127.0.0.1:PORT', {}],
  ])('to %s uses TLS from the first byte %j', async (url, more) => {
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
        void connect(url.replaceAll('PORT', String(port)), more);
      });
    });
    // A handshake record that is a ClientHello.
    expect([...(await first).subarray(0, 2)]).toEqual([0x16, 0x03]);
  });

  it('is possible by a unix socket', async () => {
    const path = join(temporaryFolder(), 'store.sock');
    const server = await startRespServer(undefined, path);
    const { client, ready } = await connect(`${path}?db=2&password=secret`);
    await expect.poll(ready).toBe(1);
    await client.set('k', 'v', 'PX', 1_000);
    expect(server.commands.map(([name]) => name)).toContain('set');
  });
});

/** A cluster of one node, which sends one reply to all else. */
async function startCluster(reply: string): Promise<RespServer> {
  const server: RespServer = await startRespServer(([name = '', what = '']) => {
    if (name === 'cluster' && what.toLowerCase() === 'slots') {
      const node = `*3\r\n${bulk('127.0.0.1')}:${server.port}\r\n${bulk('node')}`;
      return `*1\r\n*3\r\n:0\r\n:16383\r\n${node}`;
    }
    return name === 'cluster' ? bulk('cluster_state:ok\r\n') : reply;
  });
  return server;
}

describe('a cluster', () => {
  it('is queried for its slots with the login of the first address', async () => {
    const server = await startCluster('+OK\r\n');
    const { client, ready } = await connect(
      `redis://m%65:s%40cret@127.0.0.1:${server.port}, redis://127.0.0.1:${await freePort()}`,
    );
    await expect.poll(ready).toBe(1);
    expect(await client.set('k', 'v', 'PX', 1_000)).toBe('OK');
    expect(server.commands).toContainEqual(['set', 'k', 'v', 'PX', '1000']);
    expect(server.commands).toContainEqual(['auth', 'me', 's@cret']);
  });
});

/** A Sentinel that names this master. */
const startSentinel = (master: RespServer, test?: TestEnd) => {
  const reply: RespReply = ([, given = '']) => {
    if (given === 'sentinels') return '*0\r\n';
    const address = `*2\r\n${bulk('127.0.0.1')}${bulk(String(master.port))}`;
    return given === 'get-master-addr-by-name' ? address : '+OK\r\n';
  };
  return startRespServer(reply, undefined, undefined, test);
};

describe('a store behind Sentinels', () => {
  const named = { STORE_SENTINEL_NAME: 'name' };

  it('is found by its name, with the password of the Sentinels and its own', async () => {
    const master = await startRespServer();
    const sentinel = await startSentinel(master);
    const url = `redis://m%65:s%40cret@127.0.0.1:${sentinel.port}/1?sentinelPassword=gu%40rd`;
    const { ready } = await connect(url, named);
    await expect.poll(ready).toBe(1);
    expect(sentinel.commands[0]).toEqual(['auth', 'gu@rd']);
    expect(sentinel.commands).toContainEqual(['sentinel', 'get-master-addr-by-name', 'name']);
    expect(master.commands).toEqual([
      ['auth', 'me', 's@cret'],
      ['select', '1'],
    ]);
  });

  it('is not behind a socket: a fault of the settings', async () => {
    await expect(connect('/run/redis.sock', named)).rejects.toThrow('addresses of Sentinels, not a socket');
  });

  it('is found again when its connection breaks', async () => {
    const master = await startRespServer();
    const sentinel = await startSentinel(master);
    const { ready } = await connect(`redis://127.0.0.1:${sentinel.port}`, named);
    await expect.poll(ready).toBe(1);
    for (const socket of master.sockets) socket.destroy();
    await expect.poll(ready).toBe(2);
  });
});

// Each waits for seconds, side by side.
describe.concurrent('a server that does not respond', () => {
  const silent: RespReply = () => undefined;

  it('gets a new connection after two seconds of silence', async ({ expect, onTestFinished }) => {
    const test = { onTestFinished };
    let isSilent = false;
    const reply: RespReply = () => (isSilent ? undefined : '+OK\r\n');
    const server = await startRespServer(reply, undefined, undefined, test);
    const { client, ready } = await connect(`redis://127.0.0.1:${server.port}`, {}, test);
    await expect.poll(ready).toBe(1);
    isSilent = true;
    await expect(client.set('k', 'v')).rejects.toThrow();
    await expect.poll(ready, { timeout: 10_000 }).toBe(2);
  });

  it('gets another attempt if a connection is not open within a second', async ({
    expect,
    onTestFinished,
  }) => {
    const test = { onTestFinished };
    const server = await startRespServer(silent, undefined, undefined, test);
    await connect(`rediss://127.0.0.1:${server.port}`, {}, test);
    await expect.poll(() => server.connections, { timeout: 5_000 }).toBe(2);
  });

  it('is followed by the next Sentinel, if it is one', async ({ expect, onTestFinished }) => {
    const test = { onTestFinished };
    const master = await startRespServer(undefined, undefined, undefined, test);
    const first = await startRespServer(silent, undefined, undefined, test);
    const sentinel = await startSentinel(master, test);
    const nodes = [first, sentinel].map(({ port }) => `redis://127.0.0.1:${port}`).join(',');
    const { ready } = await connect(nodes, { STORE_SENTINEL_NAME: 'name' }, test);
    await expect.poll(ready, { timeout: 10_000 }).toBe(1);
  });
});

describe('the store of the settings', () => {
  const parts = { scope: 'test', clock: systemClock, logger: silentLogger() };

  it('is off if they name none', async () => {
    expect(await openStore(settingsOf({}), parts)).toBeUndefined();
  });

  it('is in use when it responds, with keys of its prefix and scope', async () => {
    const server = await startRespServer();
    const STORE_URL = `redis://127.0.0.1:${server.port}`;
    const store = await openStore(settingsOf({ STORE_URL, STORE_PREFIX: 'p:' }), parts);
    expect([store?.isUsable, store?.keys.budget]).toEqual([true, 'p:test:budget:default']);
    await store?.close();
  });

  it('rejects a command after its timeout, also in a cluster that is down', async () => {
    const { port } = await startCluster('-CLUSTERDOWN The cluster is down\r\n');
    const STORE_URL = `redis://127.0.0.1:${port},redis://127.0.0.1:${port}`;
    const store = await openStore(settingsOf({ STORE_URL }), parts);
    // On a busy machine it is opened after the start.
    await expect.poll(() => store?.isUsable).toBe(true);
    await expect(store?.run((client) => client.set('k', 'v'))).rejects.toThrow('Command timed out');
    await store?.close();
  });

  it.each(['+OK\r\n', undefined])('is closed with QUIT, also without a reply (%j)', async (answer) => {
    const server = await startRespServer(([name]) => (name === 'quit' ? answer : '+OK\r\n'));
    const store = await openStore(settingsOf({ STORE_URL: `redis://127.0.0.1:${server.port}` }), parts);
    await store?.close();
    expect(server.commands).toEqual([['quit']]);
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('does not prevent a start if it refuses the connection', async () => {
    const store = await openStore(settingsOf({ STORE_URL: `redis://127.0.0.1:${await freePort()}` }), parts);
    expect(store?.isUsable).toBe(false);
    await store?.close();
  });
});
