import { expect, it } from 'vitest';
import { z } from 'zod';
import type { LoadedData } from '../cache/cache-entry.ts';
import { ResponseCache } from '../cache/response-cache.ts';
import { ServiceError } from '../errors.ts';
import { createLogger } from '../process/logger.ts';
import { createThrottledLog } from '../process/throttled-log.ts';
import { createAnswerer } from './answer.ts';
import { createEndpointCaller } from './answer.ts';
import type { Endpoint, EndpointQuestion, TextAnswer } from './endpoint.ts';
import { parseQueryString } from './query-string.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const policy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 30,
  staleIfErrorSeconds: 600,
  absentSeconds: 10,
};

const endpoint = (name: string, question: EndpointQuestion | TextAnswer): Endpoint => ({
  name,
  path: `/${name}`,
  group: 'Things',
  summary: { en: name, ja: name },
  description: { en: name, ja: name },
  parameters: [],
  answer: z.unknown(),
  errors: [],
  parse: () => question,
});

const loaded = (key: string, load: () => Promise<LoadedData>): EndpointQuestion => ({
  key,
  policy,
  ignored: ['size'],
  load,
});

const text = (body: TextAnswer['body']): TextAnswer => ({
  body,
  contentType: 'text/plain; charset=utf-8',
  cacheControl: 'no-store',
  ignored: [],
});

async function* lines() {
  yield 'one\n';
  yield await Promise.resolve(Buffer.from('二\n'));
}

const logged: string[] = [];
const { logger } = createLogger('things', 'warn', { write: (line) => void logged.push(line) });

const failureLog = createThrottledLog({ logger, clock, periodMs: 1 });
const call = createEndpointCaller({
  endpoints: [
    endpoint(
      'one',
      loaded('one', () => Promise.resolve({ data: 1, meta: {} })),
    ),
    endpoint(
      'absent',
      loaded('absent', () => Promise.reject(new ServiceError('not_found'))),
    ),
    endpoint(
      'busy',
      loaded('busy', () => Promise.reject(new ServiceError('overloaded', { retryAfterSeconds: 7 }))),
    ),
    endpoint('text', text('一つ')),
    endpoint('lines', text(lines)),
  ],
  answerRequest: createAnswerer(new ResponseCache({ clock, maxBytes: 1_000_000 }), failureLog),
  envelope: ({ data }, { ignored }) => [
    Buffer.from('{"data":'),
    data,
    Buffer.from(`,"meta":${JSON.stringify({ ignored })}}`),
  ],
  failureLog,
});

async function answerOf(name: string, isMemoryFree = true) {
  let bytes = 0;
  const request = {
    requestId: 'test-1',
    path: {},
    query: parseQueryString(''),
    client: '192.0.2.1',
    reserveMemory: (_body: object, size: number) => {
      bytes = size;
      return isMemoryFree ? Promise.resolve() : Promise.reject(new ServiceError('overloaded'));
    },
  };
  const { text: body, ...rest } = await call(name, request, AbortSignal.any([]));
  return { ...rest, body, bytes };
}

const json = { contentType: 'application/json; charset=utf-8' };
const plain = { contentType: 'text/plain; charset=utf-8' };

it('an internal call gets the body of a response, for which it reserves memory', async () => {
  const body = '{"data":1,"meta":{"ignored":["size"]}}';
  expect(await answerOf('one')).toEqual({ status: 200, ...json, body, bytes: 1 });
});

it('an internal call gets a text, or all streamed lines', async () => {
  expect(await answerOf('text')).toEqual({ status: 200, ...plain, body: '一つ', bytes: 65_536 });
  expect(await answerOf('lines')).toEqual({ status: 200, ...plain, body: 'one\n二\n', bytes: 65_536 });
});

it.each([
  ['absent', 404, 'not_found', undefined],
  ['busy', 503, 'overloaded', 7],
  ['unknown', 500, 'internal', undefined],
])('an internal call of %s gets the error %i', async (name, status, code, retryAfterSeconds) => {
  // Twice: an absence is cached.
  for (let time = 0; time < 2; time++) {
    const answer = await answerOf(name);
    expect(answer).toMatchObject({ status, ...json });
    expect(answer.retryAfterSeconds).toBe(retryAfterSeconds);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
  }
});

it('an internal call without memory for its response is refused', async () => {
  expect(await answerOf('one', false)).toMatchObject({ status: 503, ...json });
});

it('an internal call that fails is logged with the id of its request', async () => {
  await answerOf('unknown');
  const lines = logged.map((line) => JSON.parse(line) as { code: string; id: string });
  // Once: the log is throttled.
  expect(lines.filter(({ code }) => code === 'internal').map(({ id }) => id)).toEqual(['test-1']);
});
