import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bothSides, getThing } from './raw-connection.ts';
import { ROOMY, large, startThings } from './things-service.ts';
import type { ThingsOptions } from './things-service.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const SWEEP_EVERY_MS = 5_000;

/** A client that has received the start of a response, and reads no more. */
async function startReading(path: string, options: ThingsOptions = {}, isWarm = false) {
  const service = await startThings(large, { ...ROOMY, ...options });
  if (isWarm) await service.warm(path);
  const { client, socket } = await bothSides(service);
  client.on('error', () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await new Promise((resolve) => client.once('readable', resolve));
  const isClosedAfter = (seconds: number) => {
    service.advance(seconds);
    vi.advanceTimersByTime(SWEEP_EVERY_MS);
    return socket.destroyed;
  };
  return { client, isClosedAfter };
}

describe('a connection', () => {
  // 30 MB at 8,000 bytes a second take 3,750 s.
  const addRoutes: ThingsOptions['addRoutes'] = (app) =>
    void app.get('/text', (_request, reply) => reply.type('text/plain').send('あ'.repeat(10_000_000)));

  it.each<[string, number, string, ThingsOptions?, boolean?]>([
    ['a minute and a second for each 8,000 bytes', 60 + 3_750, '/things/one'],
    ['its timeout and a second for each', 10 + 3_750, '/things/one', { connectionTimeoutMs: 10_000 }],
    ['that from memory', 60 + 3_750, '/things/one', { maxCacheBytes: 1e9 }, true],
    ['that of a text, of its bytes, not its characters', 60 + 3_750, '/text', { addRoutes }],
    ['an hour of a stream', 3_600, '/lines', { beforeLastLine: new Promise(() => undefined) }],
  ])('is closed if its response takes longer than %s', async (_what, seconds, path, options, isWarm) => {
    const { client, isClosedAfter } = await startReading(path, options, isWarm);
    expect(isClosedAfter(seconds)).toBe(false);
    expect(isClosedAfter(1)).toBe(true);
    client.destroy();
  });

  it('is not closed for the time of a response that has been read', async () => {
    const { client, isClosedAfter } = await startReading('/livez');
    client.resume();
    expect(isClosedAfter(100_000)).toBe(false);
    client.destroy();
  });
});

describe('default timeouts of a connection', () => {
  it('are 5 s for a head, 10 s for a request, and 65 s between two', async () => {
    const { server, timeouts } = await startThings();
    expect(timeouts).toEqual({ headersTimeout: 5_000, requestTimeout: 10_000 });
    expect(server.keepAliveTimeout).toBe(65_000);
  });

  it.each([
    [undefined, 30_000],
    [8_000, 4_000],
  ])(
    'of %j ms for a client that reads nothing: Node checks twice, each time after %i ms',
    async (most, look) => {
      const service = await startThings(large, most === undefined ? {} : { connectionTimeoutMs: most });
      const { client, socket } = await bothSides(service);
      client.pause().write(getThing('one'));
      await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
      expect(socket.timeout).toBe(look);
      client.destroy();
    },
  );
});
