import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSampleServices } from '../sample-services.ts';
import { bothSides, closed, pendingLoads } from './raw-connection.ts';
import { large, startThings } from './things-service.ts';

describe('the health of a service', () => {
  it.each([
    ['/livez', 'ok'],
    ['/readyz', 'ready'],
  ])('is never cached (%s: %s)', async (path, health) => {
    const { get } = await startThings();
    const text = JSON.stringify({ status: health });
    expect(await get(path)).toMatchObject({ status: 200, text, headers: { 'cache-control': 'no-store' } });
  });
});

describe('a service that shuts down', () => {
  it('still accepts while it drains, closes every connection, and is not ready', async () => {
    const { get, server, stop, warm } = await startThings();
    await warm();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let hasEnded = false;
    const ended = stop({ drainMs: 1_000 }).then(() => (hasEnded = true));
    await vi.advanceTimersByTimeAsync(999);
    expect((await get('/readyz')).status).toBe(503);
    expect(await get('/things/one')).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    // Not by its port, which a server of another test may have by now.
    expect(server.listening).toBe(false);
  });

  it('leaves no timer, which would hold all its memory', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const services = await startSampleServices();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await services.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends Connection: close with a running response', async () => {
    const { load, names, release } = pendingLoads();
    const { get, stop } = await startThings(load);
    const answer = get('/things/one');
    await expect.poll(() => names).toEqual(['one']);
    const ended = stop();
    release();
    expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await ended;
  });

  it('closes a connection that never sent a request', async () => {
    const service = await startThings();
    const { client } = await bothSides(service);
    await service.stop();
    client.destroy();
  });

  it.each(['/things/one', '/whole'])(
    'completes the running response, and then closes its connection (%s)',
    async (path) => {
      const addRoutes = (app: FastifyInstance) =>
        void app.get('/whole', (_request, reply) => reply.send(Buffer.alloc(3e7)));
      const service = await startThings(large, { addRoutes });
      const { client, socket } = await bothSides(service);
      client.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
      const ended = service.stop();
      let received = 0;
      client.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
      await Promise.all([ended, closed(client)]);
      expect(received).toBeGreaterThan(30_000_000);
    },
  );

  it('closes a connection whose request has a body that was not read', async () => {
    const service = await startThings();
    const { client } = await bothSides(service);
    client.pause().write('POST /things/one HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
    await new Promise((resolve) => client.once('readable', resolve));
    await service.stop();
    client.destroy();
  });
});
