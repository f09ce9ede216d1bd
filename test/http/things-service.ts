import { connect } from 'node:net';
import { request } from 'undici';
import { ServiceError } from '../../src/errors.ts';
import { createHttpApp } from '../../src/http/http-app.ts';
import type { HttpApp } from '../../src/http/http-app.ts';
import { createLogger } from '../../src/process/logger.ts';
import { SlidingWindowLimiter } from '../../src/limits/rate-limiter.ts';
import { ResponseCache } from '../../src/cache/response-cache.ts';
import type { Loaded } from '../../src/cache/response-cache.ts';
import type { BodyShape } from '../../src/cache/stored-answer.ts';

const shape: BodyShape = {
  before: '{"data":',
  after: (meta, how) => `,"meta":${JSON.stringify({ ...how, ...meta })}}`,
};

const policy = { freshSeconds: 60, staleWhileRevalidateSeconds: 30, keepSeconds: 600, absentSeconds: 10 };

let running: HttpApp | undefined;

/** Ends the service that was started last. */
export async function endThings(): Promise<void> {
  await running?.close();
  running = undefined;
}

/** A service of one route, `/things/:name`, whose answers come from `load`. */
export async function startThings(load: (name: string) => Promise<Loaded>, options: { limit?: number } = {}) {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, monotonic: () => now };
  const lines: string[] = [];
  const log = createLogger('things', 'info', {
    write: (line) => {
      lines.push(line);
    },
  });
  const cache = new ResponseCache({ clock, shape, maxBytes: 1_000_000 });
  const limit = options.limit ?? 0;
  running = await createHttpApp({
    name: 'things',
    clock,
    log,
    cache,
    shape,
    limiter:
      limit > 0 ? new SlidingWindowLimiter({ clock, limit, windowSeconds: 60, maxClients: 100 }) : undefined,
    trustedProxies: [],
    requestIdStem: 'test',
    extraHeaders: ['X-Data', 'sample'],
    openapi: { openapi: '3.1.0', info: { title: 'Things', version: '1' } },
    notFoundHint: 'Try /things/one.',
  });
  running.route({
    url: '/things/:name',
    schema: {},
    prepare: ({ params, query }) => {
      const name = params['name'] ?? '';
      if (name === 'bad') throw new ServiceError('invalid_parameter', { details: [{ parameter: 'name' }] });
      return { key: name, policy, ignored: [...query.values.keys()], load: () => load(name) };
    },
  });
  const base = await running.listen('127.0.0.1', 0);
  return {
    base,
    server: running.app.server,
    lines,
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    get: async (
      path: string,
      headers: Record<string, string> = {},
      method: 'GET' | 'HEAD' | 'POST' = 'GET',
    ) => {
      const response = await request(base + path, { method, headers });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
    },
  };
}

/** Sends a text and resolves to all that comes back. */
export const raw = (base: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.end(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => {
      resolve(answer);
    });
    // Node 24 resets a connection whose input it leaves unread, once the answer is out.
    socket.on('error', (error) => {
      if (answer === '') reject(error);
    });
  });

export const big = { data: { text: 'あいうえお '.repeat(1_000) }, meta: { source: 'test' } };
