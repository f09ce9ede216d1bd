import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endThings, startThings } from './things-service.ts';
import type { Load, ThingsOptions } from './things-service.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(async () => {
  vi.useRealTimers();
  await endThings();
});

const SWEEP_EVERY_MS = 5_000;
const large: Load = () => Promise.resolve({ data: 'x'.repeat(30_000_000) });

/** A client that has received the start of a response, and reads no more. */
async function startReading(path: string, options: ThingsOptions = {}, requestsBefore = 0) {
  const { base, server, advance, get } = await startThings(large, {
    maxBytes: 1e9,
    maxClientBytes: 1e9,
    ...options,
  });
  for (let time = 0; time < requestsBefore; time++) await get(path);
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect(Number(new URL(base).port), '127.0.0.1').on('error', () => undefined);
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await new Promise((resolve) => client.once('readable', resolve));
  const socket = await accepted;
  const isClosedAfter = (seconds: number) => {
    advance(seconds);
    vi.advanceTimersByTime(SWEEP_EVERY_MS);
    return socket.destroyed;
  };
  return { client, isClosedAfter };
}

describe('a connection', () => {
  // 30 MB at 8,000 bytes a second take 3,750 s.
  const addRoutes: ThingsOptions['addRoutes'] = (app) =>
    void app.get('/text', (_request, reply) => reply.type('text/plain').send('あ'.repeat(10_000_000)));

  it.each<[string, number, string, ThingsOptions?, number?]>([
    ['a minute and a second for each 8,000 bytes', 60 + 3_750, '/things/one'],
    ['its timeout and a second for each', 10 + 3_750, '/things/one', { connectionTimeoutMs: 10_000 }],
    ['that from memory', 60 + 3_750, '/things/one', { maxCacheBytes: 1e9 }, 2],
    ['that of a text, of its bytes, not its characters', 60 + 3_750, '/text', { addRoutes }],
    ['an hour of a stream', 3_600, '/lines', { beforeLastLine: new Promise(() => undefined) }],
  ])('is closed if its response takes longer than %s', async (_what, seconds, path, options, before) => {
    const { client, isClosedAfter } = await startReading(path, options, before);
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
