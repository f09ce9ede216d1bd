import { executionAsyncResource } from 'node:async_hooks';
import { STATUS_CODES, ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Admission } from '../limits/admission.ts';
import type { Clock } from '../process/clock.ts';
import { part } from './part.ts';
import { bodyHeaders, headOfEntry } from './response-headers.ts';
import type { AddHeader, CommonHeaders, Headers, ResponseHead, Shutdown } from './response-headers.ts';
import { MAX_COPIED_BYTES } from './shared-bodies.ts';
import type { Body } from './shared-bodies.ts';

/** Some 20,000 short URLs, or 1,000 of the longest. */
const MAX_URL_CHARACTERS = 8_000_000;
/** Memory of a short URL, in characters. */
const URL_OVERHEAD = 400;

/** A hit that was sent, for equal requests. The cache alone decides how long an entry and its bodies live. */
interface MemoryHit {
  key: string;
  entry: WeakRef<CacheEntry>;
  body: WeakRef<Body>;
  /** The path of the next page; undefined on the last page. */
  nextPath: string | undefined;
}

/** Hits by what a request may choose its response with. */
type MemoryHits = LRUCache<string, MemoryHit>;

export const createMemoryHits = (): MemoryHits =>
  new LRUCache({
    maxSize: MAX_URL_CHARACTERS,
    sizeCalculation: (_hit, choice) => choice.length + URL_OVERHEAD,
  });

export const choiceOf = ({ headers, originalUrl }: FastifyRequest): string =>
  `${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${originalUrl}`;

export interface MemoryHitsOptions {
  cache: ResponseCache;
  hits: MemoryHits;
  admission: Admission;
  clock: Clock;
  common: CommonHeaders;
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  shutdown: Shutdown;
}

/** Sends fresh responses from memory. The hook runs after the limiter: every response counts. */
export const memoryHits = (options: MemoryHitsOptions) =>
  part((app) => {
    const { cache, clock, admission, hits, cacheName, shutdown } = options;
    const writeAtOnce = createWriteAtOnce(app, options);
    app.addHook('onRequest', function answerFromMemory(request, reply, done) {
      const { raw, method, client } = request;
      const now = clock.now();
      const hit = hits.get(choiceOf(request));
      const entry = hit && cache.findFresh(hit.key, now);
      const body = hit?.entry.deref() === entry ? hit?.body.deref() : undefined;
      const isRead = method === 'GET' || method === 'HEAD';
      // A client with too many unsent responses gets its own answer from the admission.
      if (
        !entry ||
        !body ||
        !isRead ||
        shutdown.hasBegun ||
        !canWriteAtOnce(raw) ||
        admission.bytes.findFull(client, 1)
      ) {
        done();
        return;
      }
      request.outcome = 'hit';
      writeAtOnce(reply, headOfEntry(request, { entry, outcome: 'hit' }, hit, { cacheName, now }), body);
    });
  });

// Only this file uses private members of Node: writeHead and end copy and check the same headers for every response.
// If the members are missing, or the request is unusual (HTTP/1.0, Connection: close), Fastify sends the same response.

/** Node stores the finished head of a response in `_header`. Seen in Node 20, 22 and 24. */
interface WithHead {
  _header?: string | null;
  _headerSent?: boolean;
}

const HAS_HEAD = ((): boolean => {
  const probe = new ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never);
  const { _header, _headerSent } = probe as unknown as WithHead;
  return _header === null && _headerSent === false;
})();

/**
 * Keeps one record of process.nextTick alive. If a full garbage collection finds none, V8 forgets their shape. Node 20
 * then makes each of the six records of a response five times slower, a third of the response's time. Node 22 and 24 do
 * not need it: remove this with Node 20.
 */
const kept: { record?: object } = {};
process.nextTick(() => {
  kept.record = executionAsyncResource();
});

/** Whether Node would add the same lines to the head as we do. Browsers send keep-alive, other clients nothing. */
function canWriteAtOnce({ httpVersionMinor, headers: { connection } }: IncomingMessage): boolean {
  return (
    HAS_HEAD &&
    httpVersionMinor === 1 &&
    (connection === undefined || connection === 'keep-alive' || connection === 'Keep-Alive')
  );
}

/** The Date line, formatted once a second. */
function createDateLine(): (now: number) => string {
  let second = Number.NaN;
  let line = '';
  return (now) => {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      line = `Date: ${new Date(now).toUTCString()}\r\n`;
    }
    return line;
  };
}

const headerLines = (headers: Headers): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Writes a response with its body, or its head alone. */
type WriteAtOnce = (reply: FastifyReply, head: ResponseHead, body: Body) => void;

/** Writes responses from memory; small ones as one buffer in one system call. See `canWriteAtOnce`. */
function createWriteAtOnce(app: FastifyInstance, options: MemoryHitsOptions): WriteAtOnce {
  const { admission, clock, common } = options;
  const dateLine = createDateLine();
  const ending = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(app.server.keepAliveTimeout / 1000)}\r\n\r\n`;

  return function writeAtOnce(reply, { status, addVarying, lasting }, body) {
    const { raw, request } = reply;
    const { socket } = request.raw;
    const isUnchanged = status === 304;
    const isHeadAlone = isUnchanged || request.method === 'HEAD';
    let opening = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    const add: AddHeader = (name, value) => {
      opening += `${name}: ${value}\r\n`;
    };
    common.addFor(request, add);
    addVarying(add);
    opening += dateLine(clock.now());
    const lines = () =>
      headerLines({ ...common.always, ...lasting(), ...(isUnchanged ? undefined : bodyHeaders(body)) }) +
      ending;
    const whole = isHeadAlone || body.length > MAX_COPIED_BYTES ? undefined : body.withHead(opening, lines);
    reply.hijack();
    raw.statusCode = status;
    (raw as WithHead)._header = opening;
    (raw as WithHead)._headerSent = true;
    // All bytes of the response before are sent: `Connections` starts no request earlier.
    socket.write(whole ?? opening + (isUnchanged ? (body.unchangedLines ??= lines()) : lines()), 'latin1');
    if (!isHeadAlone && !whole) for (const part of body.parts) socket.write(part);
    // The socket did not accept all at once.
    if (socket.writableLength > 0) {
      body.releaseBuffer();
      reply.limitWriteTime(body.length);
      const isShared = body.length > MAX_COPIED_BYTES;
      raw.once('close', admission.bytes.add(request.client, body.length, isShared ? body : raw));
    }
    raw.end();
    request.logAccess(status, isHeadAlone ? 0 : body.length);
  };
}
