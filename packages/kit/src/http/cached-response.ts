import { executionAsyncResource } from 'node:async_hooks';
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Admission } from '../limits/admission.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Clock } from '../process/clock.ts';
import { memoize } from '../process/memoize.ts';
import type { LogAccess } from './access-log.ts';
import type { NextPage } from './endpoint.ts';
import { MAX_MEMOIZED_HEADERS, chooseEncoding } from './negotiation.ts';
import {
  SAMPLE_HEADER,
  JSON_TYPE,
  ageSeconds,
  entryHeaders,
  cacheStatus,
  linkToNext,
  matchesEtag,
  nextLink,
  rateLimitLeft,
  rateLimitPolicy,
} from './response-headers.ts';
import type { HeaderList } from './response-headers.ts';
import { MAX_COPIED_BYTES } from './shared-bodies.ts';
import type { Body, SharedBodies } from './shared-bodies.ts';
import type { ArmWriteTimeout } from './slow-readers.ts';

// The fast path: sends fresh responses from memory, small ones as one buffer in one write. Only this file uses private
// members of Node, because writeHead and end copy and check the same headers for every response. If the members are
// missing, or the request is unusual (HTTP/1.0, Connection: close, a slow client), the ordinary path sends the same
// response.

/** Node stores the finished head of a response in `_header`. Seen in Node 20, 22 and 24. */
interface WithHead {
  _header?: string | null;
  _headerSent?: boolean;
}

function hasHead(): boolean {
  const probe = new ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never);
  const { _header, _headerSent } = probe as unknown as WithHead;
  return _header === null && _headerSent === false;
}

const MAX_URLS = 20_000;
/** Longer URLs are rare, and 20,000 of them would use too much memory. */
const MAX_REMEMBERED_LENGTH = 512;

interface CachedResponsesOptions {
  cache: ResponseCache;
  bodies: SharedBodies;
  clock: Clock;
  limiter: RateLimiter | undefined;
  admission: Admission;
  cacheName: string;
  commonHeaders: HeaderList;
  isSample: () => boolean;
  /** Whether an Accept header prefers JSON: the fast path sends nothing else. */
  wantsJson: (accept: string | undefined) => boolean;
  armWriteTimeout: ArmWriteTimeout;
  logAccess: LogAccess;
  /** True during shutdown: the ordinary path then closes connections. */
  isClosing: () => boolean;
}

const headerLines = (headers: HeaderList) => headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');

const SAMPLE_LINE = headerLines([SAMPLE_HEADER]);

/** Head and body as they are written. Undefined if the head is longer than the space before the body. */
function responseChunks(
  body: Body,
  opening: string,
  lines: () => string,
): readonly (Buffer | string)[] | undefined {
  if (body.length > MAX_COPIED_BYTES) return [opening + lines(), ...body.parts];
  const whole = body.withHead(opening, lines);
  return whole && [whole];
}

/** In one system call. */
function writeParts(socket: Socket, parts: readonly (Buffer | string)[]): void {
  socket.cork();
  for (const part of parts) socket.write(part, 'latin1');
  socket.uncork();
}

/** The parts of a response that differ each time it is sent. */
interface SendContext {
  readonly now: number;
  /** The path of the next page. */
  readonly next: string | undefined;
}

/** Whether Node would add the same lines to the head as we do. Browsers send keep-alive, other clients nothing. */
function isOrdinary({ httpVersionMinor, headers: { connection } }: IncomingMessage): boolean {
  return (
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

/** The header lines that describe a body. */
function linesOfBody({ encoding, length }: Body): string {
  const encoded = encoding === 'identity' ? '' : `content-encoding: ${encoding}\r\n`;
  return `${encoded}content-type: ${JSON_TYPE}\r\ncontent-length: ${length}\r\n`;
}

/** The meaning of a URL as the client wrote it. */
interface CachedUrl {
  readonly key: string;
  readonly next: NextPage | undefined;
  /** The path of the next page, computed once for each cache entry. The cache alone decides how long an entry lives. */
  link?: { readonly of: WeakRef<CacheEntry>; readonly path: string | undefined };
}

/** The path of the next page; undefined on the last page, and for an absence. */
function pathOfNext(url: string, cachedUrl: CachedUrl, entry: CacheEntry): string | undefined {
  if (cachedUrl.next === undefined || entry.status !== 200) return undefined;
  if (cachedUrl.link?.of.deref() !== entry) {
    const parameters = cachedUrl.next(entry);
    cachedUrl.link = { of: new WeakRef(entry), path: parameters && nextLink(url, parameters) };
  }
  return cachedUrl.link.path;
}

/** Maps URLs, as clients write them, to cache keys, and sends their responses while these are fresh in memory. */
export class CachedResponses {
  readonly #options: CachedResponsesOptions;
  readonly #urls = new LRUCache<string, CachedUrl>({ max: MAX_URLS });
  readonly #isSupported = hasHead();
  readonly #encodingOf = memoize(MAX_MEMOIZED_HEADERS, chooseEncoding);
  readonly #dateLine = createDateLine();
  /** Header lines of every response. */
  readonly #always: string;
  /**
   * Keeps one record of process.nextTick alive. If a full garbage collection finds none, V8 forgets their shape. Node
   * 20 then makes each of the six records of a response five times slower, a third of the response's time. Node 22 and
   * 24 do not need it.
   */
  tickRecord: object | undefined;
  readonly #ending: string;

  constructor(options: CachedResponsesOptions, keepAliveTimeoutMs: number) {
    this.#options = options;
    const { limiter, commonHeaders } = options;
    const policy = limiter ? `ratelimit-policy: ${rateLimitPolicy(limiter)}\r\n` : '';
    this.#always = headerLines(commonHeaders) + policy;
    process.nextTick(() => {
      this.tickRecord = executionAsyncResource();
    });
    this.#ending = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / 1000)}\r\n\r\n`;
  }

  /** Stores the cache key of a URL in which no parameter was ignored. */
  storeUrl(url: string, key: string, next: NextPage | undefined): void {
    if (url.length <= MAX_REMEMBERED_LENGTH) this.#urls.set(url, { key, next });
  }

  /** Sends the response if it can. Returns whether it did. */
  trySend(request: FastifyRequest, reply: FastifyReply): boolean {
    const url = request.raw.url ?? '';
    const cachedUrl = this.#urls.get(url);
    const now = this.#options.clock.now();
    const entry = cachedUrl && this.#options.cache.findFresh(cachedUrl.key, now);
    if (!entry || !this.#isSupported || this.#options.isClosing()) return false;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPlain = isRead && isOrdinary(request.raw) && this.#options.wantsJson(request.headers.accept);
    // A client with too many unsent responses waits on the ordinary path.
    if (!isPlain || this.#options.admission.isFull(request.client)) return false;
    return this.#send(request, reply, entry, { now, next: pathOfNext(url, cachedUrl, entry) });
  }

  #send(request: FastifyRequest, reply: FastifyReply, entry: CacheEntry, context: SendContext): boolean {
    const { raw } = reply;
    const { socket } = raw;
    // All bytes of the response before are sent: `Connections` starts no request earlier.
    if (!socket?.writable) return false;
    const { bodies } = this.#options;
    const body = bodies.findHit(entry, this.#encodingOf(request.headers['accept-encoding'] ?? ''));
    if (!body) return false;
    const isUnchanged = entry.status === 200 && matchesEtag(request.headers['if-none-match'], entry.etag);
    const status = isUnchanged ? 304 : entry.status;
    const opening = this.#opening(request, entry, status, context);
    const isHeadAlone = isUnchanged || request.method === 'HEAD';
    const lines = () => this.#lines(entry, isUnchanged ? undefined : body);
    const parts = isHeadAlone ? [opening + lines()] : responseChunks(body, opening, lines);
    if (parts === undefined) return false;
    reply.hijack();
    request.outcome = 'hit';
    raw.statusCode = status;
    (raw as WithHead)._header = opening;
    (raw as WithHead)._headerSent = true;
    writeParts(socket, parts);
    if (socket.writableLength > 0) this.#guardUnsentBytes(request, raw, body);
    raw.end();
    this.#options.logAccess(request, status, isHeadAlone ? 0 : body.length);
    return true;
  }

  /** Guards the rest of a response that the socket did not accept at once. */
  #guardUnsentBytes({ client }: FastifyRequest, raw: ServerResponse, body: Body): void {
    const { armWriteTimeout, admission } = this.#options;
    body.releaseBuffer();
    armWriteTimeout(raw, body.length);
    const isShared = body.length > MAX_COPIED_BYTES;
    raw.once('close', admission.addBytes(client, body.length, isShared ? body : raw));
  }

  /** The status line, and the header lines that differ between responses. */
  #opening(request: FastifyRequest, entry: CacheEntry, status: number, { now, next }: SendContext): string {
    const limitLine = request.limit ? `ratelimit: ${rateLimitLeft(request.limit)}\r\n` : '';
    const cached = cacheStatus(this.#options.cacheName, entry, 'hit', now);
    const ageLines = `age: ${ageSeconds(entry, now)}\r\ncache-status: ${cached}\r\n${this.#dateLine(now)}`;
    const sampleLine = this.#options.isSample() ? SAMPLE_LINE : '';
    const linkLine = next === undefined ? '' : `link: ${linkToNext(request, next)}\r\n`;
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-request-id: ${request.id}\r\n${limitLine}${sampleLine}${linkLine}${ageLines}`;
  }

  /** The rest of the head, always the same. `body` is undefined for a 304. */
  #lines(entry: CacheEntry, body: Body | undefined): string {
    return (
      this.#always +
      headerLines(entryHeaders(entry, entry.etag)) +
      (body ? linesOfBody(body) : '') +
      this.#ending
    );
  }
}

/** Adds the hook that responds from memory. It runs after the limiter: every response counts. */
export function addCachedResponses(app: FastifyInstance, options: CachedResponsesOptions): CachedResponses {
  const cachedResponses = new CachedResponses(options, app.server.keepAliveTimeout);
  app.addHook('onRequest', function answerFromMemory(request, reply, done) {
    if (!cachedResponses.trySend(request, reply)) done();
  });
  return cachedResponses;
}
