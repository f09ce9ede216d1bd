import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectLink } from '../../test/store/connect-link.ts';
import { bulk, startRespServer } from '../../test/store/resp-server.ts';
import type { RespServer } from '../../test/store/resp-server.ts';

describe('other kinds of store', () => {
  it('include a unix socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-store-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const path = join(folder, 'store.sock');
    const server = await startRespServer(undefined, path);
    const { link, ready } = await connectLink(`unix://${path}?db=2&password=secret`);
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
    const { link, ready } = await connectLink(`redis+cluster://me:secret@127.0.0.1:${server.port}`);
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
    const { ready } = await connectLink(url);
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
    const { ready } = await connectLink(`redis+sentinel://${nodes}/name`);
    await expect.poll(ready).toBe(1);
  });

  it('is found again, even if a reconnection is requested while a Sentinel is queried', async () => {
    const master = await startRespServer();
    let isSilent = false;
    const sentinel = await startSentinel(master, () => isSilent);
    const { link, ready } = await connectLink(`redis+sentinel://127.0.0.1:${sentinel.port}/name`);
    isSilent = true;
    const queries = sentinel.commands.length;
    for (const socket of master.sockets) socket.destroy();
    await expect.poll(() => sentinel.commands.length).toBeGreaterThan(queries);
    link.reconnect();
    isSilent = false;
    await expect.poll(ready).toBe(2);
  });
});
