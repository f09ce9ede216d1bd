import { connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { endThings, startThings } from '../../test/http/things-service.ts';

afterEach(endThings);

const plain = () => Promise.resolve({ data: 1 });

describe('a request whose client has left', () => {
  const requestOf = (name: string) => `GET /things/${name} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const connected = (base: string): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => {
        resolve(socket);
      });
    });

  it('is not started in its turn', async () => {
    let loads = 0;
    const load = () => {
      loads++;
      return plain();
    };
    const { base, server, connections, admission } = await startThings(load);
    const sockets = await Promise.all(Array.from({ length: 200 }, () => connected(base)));
    let received = 0;
    server.on('request', () => {
      received++;
      if (received === sockets.length) for (const socket of sockets) socket.resetAndDestroy();
    });
    for (const [index, socket] of sockets.entries()) socket.write(requestOf(`one-${index}`));
    await expect.poll(() => connections().open).toBe(0);
    await expect.poll(() => admission.stats.waitingForTurn).toBe(0);
    expect(loads).toBeLessThan(sockets.length / 2);
  });

  it('frees its memory, and is not started when it gets the memory that it waited for', async () => {
    const bounds = { maxBytes: 64_000, maxClientBytes: 64_000, maxWaitMs: 60_000 };
    let loads = 0;
    const load = () => {
      loads++;
      return plain();
    };
    const { base, connections, admission } = await startThings(load, bounds);
    const other = { key: 'other', network: 'others' };
    const others = [1, 2].map(() => admission.addBytes(other, 32_000));
    const socket = await connected(base);
    socket.write(requestOf('one'));
    await expect.poll(() => admission.stats.waitingForBytes).toBe(1);
    socket.resetAndDestroy();
    await expect.poll(() => connections().open).toBe(0);
    for (const release of others) release();
    await expect.poll(() => admission.stats.bytes).toBe(0);
    expect(loads).toBe(0);
  });

  it('while the limiter decided does not count as a request in progress', async () => {
    const decide: (() => void)[] = [];
    const decision = { isAllowed: true, remaining: 1, resetSeconds: 1 } as const;
    let isWaiting = true;
    const admit = () =>
      new Promise<typeof decision>((resolve) => {
        decide.push(() => {
          resolve(decision);
        });
        if (!isWaiting) resolve(decision);
      });
    const { base, get, connections } = await startThings(plain, {
      maxRequests: 4,
      limiter: { limit: 100, windowSeconds: 60, admit },
    });
    for (let count = 1; count <= 4; count++) {
      const socket = await connected(base);
      socket.write(requestOf('one'));
      await expect.poll(() => decide.length).toBe(count);
      socket.resetAndDestroy();
    }
    await expect.poll(() => connections().open).toBe(0);
    for (const each of decide) each();
    isWaiting = false;
    expect((await get('/things/one')).status).toBe(200);
  });

  /** Requests `path`, and leaves before `load` is ready. Returns the service's side of the connection. */
  async function leave(
    { base, server, connections }: Awaited<ReturnType<typeof startThings>>,
    path: string,
    isStarted: () => boolean,
  ): Promise<Socket> {
    const accepted = new Promise<Socket>((resolve) => (server as Server).once('connection', resolve));
    const client = await connected(base);
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect.poll(isStarted).toBe(true);
    client.resetAndDestroy();
    await expect.poll(() => connections().open).toBe(0);
    return accepted;
  }

  function pendingLoad() {
    let finish: (() => void) | undefined;
    const load = () =>
      new Promise<{ data: unknown }>((resolve) => {
        finish = () => {
          resolve({ data: 1 });
        };
      });
    return { load, isStarted: () => finish !== undefined, finish: () => finish?.() };
  }

  it('is logged when its response is ready', async () => {
    const { load, isStarted, finish } = pendingLoad();
    const service = await startThings(load);
    await leave(service, '/things/one', isStarted);
    expect(service.lines).toEqual([]);
    finish();
    await expect.poll(() => service.lines).toHaveLength(1);
    expect(JSON.parse(service.lines[0] ?? '')).toMatchObject({ url: '/things/one', cache: 'miss' });
  });

  it('has no time limit left for its response, and nothing that refers to its connection', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { load, isStarted, finish } = pendingLoad();
    const service = await startThings(load);
    const socket = await leave(service, '/things/one', isStarted);
    finish();
    expect((await service.get('/things/one')).status).toBe(200);
    const destroy = vi.spyOn(socket, 'destroy');
    service.advance(3_600);
    vi.advanceTimersByTime(5_000);
    expect(destroy).not.toHaveBeenCalled();
  });

  it.each(['its first line', 'its last line'])(
    'while its lines wait for %s is no failure of the service',
    async (what) => {
      let stop: () => void = () => undefined;
      const aborted = new Promise<void>((_resolve, reject) => {
        stop = () => {
          reject(new Error('The operation was aborted'));
        };
      });
      const signals: AbortSignal[] = [];
      const service = await startThings(plain, {
        [what === 'its first line' ? 'beforeFirstLine' : 'beforeLastLine']: aborted,
        onStream: (signal) => {
          signals.push(signal);
          signal.addEventListener('abort', stop);
        },
      });
      await leave(service, '/lines', () => signals.length > 0);
      await expect.poll(() => service.lines).toHaveLength(1);
      expect((await service.get('/things/one')).status).toBe(200);
      expect(service.lines.join('')).not.toContain('internal');
    },
  );

  it('reserves no memory for its response', async () => {
    let release: ((loaded: { data: unknown }) => void) | undefined;
    const load = () => new Promise<{ data: unknown }>((resolve) => (release = resolve));
    const { base, connections, get, admission } = await startThings(load, {
      maxBytes: 64_000,
      maxClientBytes: 64_000,
    });
    const socket = await connected(base);
    socket.write(requestOf('one'));
    await expect.poll(() => release).toBeDefined();
    socket.resetAndDestroy();
    await expect.poll(() => connections().open).toBe(0);
    release?.({ data: 'x'.repeat(10_000) });
    expect((await get('/things/one')).status).toBe(200);
    await expect.poll(() => admission.stats.bytes).toBe(0);
  });
});
