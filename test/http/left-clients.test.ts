import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bothSides, connected, getThing, latch, pendingLoads } from './raw-connection.ts';
import { startThings } from './things-service.ts';

describe('a request whose client has left', () => {
  it('while the limiter decided is not started, and does not count as a request in progress', async () => {
    const decide: (() => void)[] = [];
    const decision = { isAllowed: true, remaining: 1, resetSeconds: 1 } as const;
    let isWaiting = true;
    const admit = () =>
      new Promise<typeof decision>((resolve) => {
        decide.push(() => resolve(decision));
        if (!isWaiting) resolve(decision);
      });
    const { base, get, connections, loaded } = await startThings(undefined, {
      maxRequests: 4,
      limiter: { limit: 100, windowSeconds: 60, admit },
    });
    for (let count = 1; count <= 4; count++) {
      const socket = await connected(base);
      socket.write(getThing(`left-${count}`));
      await expect.poll(() => decide.length).toBe(count);
      socket.resetAndDestroy();
    }
    await expect.poll(() => connections().open).toBe(0);
    for (const each of decide) each();
    isWaiting = false;
    expect((await get('/things/one')).status).toBe(200);
    expect(loaded).toEqual(['one']);
  });

  /** Requests `path`, and leaves before `load` is ready. Returns the service's side of the connection. */
  async function leave(
    service: Awaited<ReturnType<typeof startThings>>,
    path: string,
    started: readonly unknown[],
  ): Promise<Socket> {
    const { client, socket } = await bothSides(service);
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect.poll(() => started).toHaveLength(1);
    client.resetAndDestroy();
    await expect.poll(() => service.connections().open).toBe(0);
    return socket;
  }

  it('is logged when its response is ready', async () => {
    const { load, names, release } = pendingLoads();
    const service = await startThings(load);
    await leave(service, '/things/one', names);
    expect(service.lines).toEqual([]);
    release();
    await expect.poll(service.logged).toMatchObject([{ url: '/things/one', cache: 'miss' }]);
  });

  it('has no time limit left for its response, and nothing that refers to its connection', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { load, names, release } = pendingLoads();
    const service = await startThings(load);
    const socket = await leave(service, '/things/one', names);
    release();
    expect((await service.get('/things/one')).status).toBe(200);
    const destroy = vi.spyOn(socket, 'destroy');
    service.advance(3_600);
    vi.advanceTimersByTime(5_000);
    expect(destroy).not.toHaveBeenCalled();
  });

  it.each(['beforeFirstLine', 'beforeLastLine'])(
    'while its lines wait (%s) ends its stream, and is no failure of the service',
    async (wait) => {
      const { opened, fail } = latch();
      const signals: AbortSignal[] = [];
      const service = await startThings(undefined, {
        [wait]: opened,
        onStream: (signal) => {
          signals.push(signal);
          signal.addEventListener('abort', () => fail(new Error('The operation was aborted')));
        },
      });
      await leave(service, '/lines', signals);
      await expect.poll(() => signals[0]?.aborted).toBe(true);
      await expect.poll(() => service.lines).toHaveLength(1);
      expect((await service.get('/things/one')).status).toBe(200);
      expect(service.lines.join('')).not.toContain('internal');
    },
  );

  it('reserves no memory for its response', async () => {
    const { load, names, release } = pendingLoads();
    const service = await startThings(load, { maxBytes: 64_000, maxClientBytes: 64_000 });
    await leave(service, '/things/one', names);
    release('x'.repeat(10_000));
    expect((await service.get('/things/one')).status).toBe(200);
    await expect.poll(() => service.admission.bytes.used).toBe(0);
  });
});
