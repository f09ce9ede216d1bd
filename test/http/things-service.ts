import type { FastifyInstance } from 'fastify';
import { connect } from 'node:net';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { ERRORS, ServiceError, text } from '@mokuroku/kit';
import { z } from 'zod';
import type { LoadContext, LoadedData } from '@mokuroku/kit/cache';
import { createHttpApp } from '@mokuroku/kit/http';
import type { HttpAppOptions } from '../../packages/kit/src/http/app.ts';
import type {
  Endpoint,
  Envelope,
  NextPage,
  StreamLines,
  WrittenForm,
} from '../../packages/kit/src/http/endpoint.ts';
import { createLogger } from '@mokuroku/kit/process';
import { Admission } from '../../packages/kit/src/limits/admission.ts';
import type { AdmissionOptions } from '../../packages/kit/src/limits/admission.ts';
import { createLimiter } from '../../packages/kit/src/limits/rate-limiter.ts';
import { ResponseCache } from '../../packages/kit/src/cache/response-cache.ts';
import type { LoadDeadline } from '../../packages/kit/src/cache/response-cache.ts';
import { createLoadFailureLog } from '../../packages/kit/src/service/open-service.ts';
import { stopRequestTimeouts } from './serve-http.ts';
import { TEST_ERRORS } from '../../packages/kit/test/test-errors.ts';

const envelope: Envelope = ({ data, meta }, how) => [
  Buffer.from('{"data":'),
  data,
  Buffer.from(`,"meta":${JSON.stringify({ ...how, ...meta })}}`),
];

const policy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 30,
  staleIfErrorSeconds: 600,
  absentSeconds: 10,
};

/** The data source. */
export type Load = (
  name: string,
  context: LoadContext,
) => Promise<Pick<LoadedData, 'data'> & Partial<LoadedData>>;

export type ThingsOptions = {
  limit?: number;
  level?: 'debug' | 'warn';
  beforeFirstLine?: Promise<void> | undefined;
  beforeLastLine?: Promise<void> | undefined;
  /** Of a load of `/things/:name`, and of `/lines`. */
  memoryBytes?: number | undefined;
  /** Called with the signal of each stream of `/lines`. */
  onStream?: ((signal: AbortSignal) => void) | undefined;
  /** Instead of the two lines of `/lines`. */
  lines?: StreamLines | undefined;
  maxCacheBytes?: number;
  loadDeadline?: LoadDeadline;
  /** The page after a thing. */
  next?: NextPage | undefined;
  /** Another form than JSON, for `/things/:name` with a parameter. */
  form?: WrittenForm | undefined;
  addRoutes?: (app: FastifyInstance) => void;
} & Partial<Pick<HttpAppOptions, 'connectionTimeoutMs' | 'limiter' | 'observeAccess' | 'trustedProxies'>> &
  Partial<Omit<AdmissionOptions, 'clock'>>;

function thingEndpoint(
  load: Load,
  { next, form, memoryBytes }: Pick<ThingsOptions, 'next' | 'form' | 'memoryBytes'>,
): Endpoint {
  return {
    name: 'getThing',
    path: '/things/:name',
    group: 'Things',
    summary: text('Get a thing', '物を取得する'),
    description: text('Any thing.', '物。'),
    answer: z.unknown(),
    errors: [],
    parse: ({ path, query, client }) => {
      const name = path['name'] ?? '';
      if (name === 'bad')
        throw new ServiceError(ERRORS.invalid_parameter, { details: [{ parameter: 'name' }] });
      return {
        key: name,
        client,
        ...(memoryBytes !== undefined && { memoryBytes }),
        policy,
        next,
        requestedSpelling: query.values.get('spelled')?.[0],
        ignored: [...query.values.keys()].filter((parameter) => !['format', 'spelled'].includes(parameter)),
        form: query.values.has('format') ? form : undefined,
        isComposed: name === 'composed',
        load: async (context) => ({ meta: {}, ...(await load(name, context)) }),
      };
    },
  };
}

type LineOptions = Pick<
  ThingsOptions,
  'beforeFirstLine' | 'beforeLastLine' | 'memoryBytes' | 'onStream' | 'lines'
>;

/** Lines sent one by one, or with `whole` as a text. */
const lineEndpoint = ({
  beforeFirstLine,
  beforeLastLine,
  memoryBytes,
  onStream,
  ...own
}: LineOptions): Endpoint => ({
  name: 'listThings',
  path: '/lines',
  group: 'Things',
  summary: text('List things', '物を一覧する'),
  description: text('All things.', 'すべての物。'),
  mediaType: 'text/plain',
  answer: z.string(),
  errors: [],
  parse: ({ query }) => {
    const ignored = [...query.values.keys()].filter((parameter) => parameter !== 'whole');
    const text = { contentType: 'text/plain; charset=utf-8', cacheControl: 'no-store', ignored };
    if (query.values.has('whole')) {
      return { ...text, body: '一\n', total: 1, fileName: '-lines.txt', next: { page: '2' } };
    }
    const lines = async function* (signal: AbortSignal) {
      onStream?.(signal);
      await beforeFirstLine;
      yield 'one\n';
      await beforeLastLine;
      yield '二\n';
    };
    return { ...text, body: own.lines ?? lines, memoryBytes };
  },
});

export const big = { data: { text: 'あいうえお '.repeat(1_000) }, meta: { source: 'test' } };

/** More than all buffers of a connection accept at once. */
export const large: Load = () => Promise.resolve({ data: 'x'.repeat(30_000_000) });
/** Bounds of memory that no response here reaches. */
export const ROOMY = { maxBytes: 1e9, maxClientBytes: 1e9 };

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST';

/** A service of two endpoints until the test ends: `/things/:name`, whose data come from `load`, and `/lines`. */
export async function startThings(load: Load = () => Promise.resolve(big), options: ThingsOptions = {}) {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, monotonic: () => now };
  const lines: string[] = [];
  const loaded: string[] = [];
  const { limit = 0, level = 'info', maxCacheBytes = 1_000_000, loadDeadline, next, form, ...more } = options;
  const {
    beforeFirstLine,
    beforeLastLine,
    memoryBytes,
    onStream,
    lines: ownLines,
    addRoutes,
    ...parts
  } = more;
  const log = createLogger('things', level, {
    write: (line) => void lines.push(line),
  });
  const admission = new Admission({ maxBytes: 64_000_000, maxClientBytes: 64_000_000, ...parts });
  const onFailure = createLoadFailureLog(log.logger, clock);
  const cache = new ResponseCache({ clock, maxBytes: maxCacheBytes, loadDeadline, admission, onFailure });
  const things = createHttpApp({
    clock,
    log,
    cache,
    admission,
    limiter: createLimiter({ requestsPerMinute: limit, clock, store: undefined }),
    trustedProxies: [],
    requestIdStem: 'test',
    isSample: () => true,
    ...parts,
    description: {
      name: 'things',
      title: { en: 'Things', ja: 'もの' },
      version: '1',
      description: text('Things.', 'もの。'),
      tags: [{ name: text('Things', '物'), description: text('', '') }],
      answers: { calls: {}, errors: {} },
      errors: TEST_ERRORS,
    },
    endpoints: [
      thingEndpoint(
        (name, context) => {
          loaded.push(name);
          return load(name, context);
        },
        { next, form, memoryBytes },
      ),
      lineEndpoint({ beforeFirstLine, beforeLastLine, memoryBytes, onStream, lines: ownLines }),
    ],
    envelope,
    notFoundHint: 'Try /things/one.',
  });
  // A request may be left whose client never reads.
  onTestFinished(() => {
    things.app.server.closeAllConnections();
    return things.close();
  });
  addRoutes?.(things.app);
  const timeouts = stopRequestTimeouts(things.app.server);
  const base = await things.listen('127.0.0.1', 0);
  async function get(path: string, headers: Record<string, string> = {}, method: Method = 'GET') {
    const response = await request(base + path, { method, headers });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
  }
  return {
    base,
    timeouts,
    server: things.app.server,
    connections: things.connections,
    admission,
    /** The names of things, as they were loaded. */
    loaded,
    lines,
    /** The lines of the log. */
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    advance: (seconds: number) => void (now += seconds * 1000),
    get,
    /** Stops the service after its requests. */
    stop: things.close,
    /** Requests a thing twice: it is loaded, then sent by the ordinary way. The next response is from memory. */
    warm: async (path = '/things/one') => [await get(path), await get(path)] as const,
  };
}

/** Sends a text, and the end of input unless `ends` is false; resolves to everything received. */
export const raw = (base: string, text: string | Buffer, ends = true): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => {
      if (ends) socket.end(text);
      else socket.write(text);
    });
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => {
      resolve(answer);
    });
    // Node 24 resets a connection with unread input once the response is sent.
    socket.on('error', (error) => {
      if (answer === '') reject(error);
    });
  });
