import { executionAsyncResource } from 'node:async_hooks';
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '../cache/answer.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { InFlight } from '../limits/in-flight.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Clock } from '../process/clock.ts';
import { remember } from '../process/remember.ts';
import { MAX_HEADERS, chooseEncoding } from './accept.ts';
import type { LogAccess } from './access-log.ts';
import type { NextPage } from './endpoint.ts';
import { requestTarget } from './request-target.ts';
import {
  JSON_TYPE,
  ageSeconds,
  answerHeaders,
  cacheStatus,
  linkToNext,
  matchesEtag,
  nextLink,
  rateLimitLeft,
  rateLimitPolicy,
} from './response-headers.ts';
import type { HeaderList } from './response-headers.ts';
import type { SharedBodies, SharedBody } from './shared-bodies.ts';
import type { ArmWriteTimeout } from './slow-readers.ts';

// The short way of most requests: what is fresh in memory leaves at once, small responses as one buffer and one write.
// This is the only file that touches private members of Node: writeHead and end copy and check the same headers for
// every answer. Where the members are missing, or a request is out of the ordinary (HTTP/1.0, Connection: close, a slow
// reader), nothing happens here and the request goes the ordinary way, to the same answer.

/** Node keeps the finished head of an answer in `_header`. Seen in Node 20, 22 and 24. */
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
/** Longer URLs are rare and would let 20,000 of them weigh too much. */
const MAX_REMEMBERED_LENGTH = 512;

/** Larger bodies are not copied behind their heads: all that are under way share their buffers. */
const MAX_ONE_WRITE_BYTES = 131_072;

interface KeptAnswersOptions {
  cache: ResponseCache;
  bodies: SharedBodies;
  clock: Clock;
  limiter: RateLimiter | undefined;
  inFlight: InFlight;
  cacheName: string;
  commonHeaders: HeaderList;
  /** Whether an Accept header wants JSON: nothing else leaves by this way. */
  wantsJson: (accept: string | undefined) => boolean;
  armWriteTimeout: ArmWriteTimeout;
  logAccess: LogAccess;
  /** True once the service is going down: connections are told to close, by the ordinary way. */
  isClosing: () => boolean;
}

const linesOf = (headers: HeaderList) => headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** Head and body as they are written. Undefined when the head is longer than the room in front of the body. */
function partsOf(
  body: SharedBody,
  opening: string,
  lines: () => string,
): readonly (Buffer | string)[] | undefined {
  if (body.length > MAX_ONE_WRITE_BYTES) return [opening + lines(), ...body.hit().parts];
  const whole = body.inOneBuffer().withHead(opening, lines);
  return whole && [whole];
}

function writeAll(socket: Socket, parts: readonly (Buffer | string)[]): void {
  if (parts.length > 1) socket.cork();
  for (const part of parts) socket.write(part, 'latin1');
  if (parts.length > 1) socket.uncork();
}

/** What of an answer differs each time it is sent. */
interface Moment {
  readonly now: number;
  /** The path of the next page. */
  readonly next: string | undefined;
}

const linkOf = ({ raw, originalUrl, isFromProxy }: FastifyRequest, next: string): string =>
  linkToNext(requestTarget(raw, originalUrl, isFromProxy).origin, next);

/** Whether what Node would add to the head is what we add. Browsers say keep-alive, others nothing. */
function isOrdinary({ httpVersionMinor, headers: { connection } }: IncomingMessage): boolean {
  return (
    httpVersionMinor === 1 &&
    (connection === undefined || connection === 'keep-alive' || connection === 'Keep-Alive')
  );
}

/** The Date line, made once a second. */
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

/** What describes a body. */
function linesOfBody({ encoding, length }: SharedBody): string {
  const encoded = encoding === 'identity' ? '' : `content-encoding: ${encoding}\r\n`;
  return `${encoded}content-type: ${JSON_TYPE}\r\ncontent-length: ${length}\r\n`;
}

/** What a URL, as written, asks for. */
interface KnownUrl {
  readonly key: string;
  readonly next: NextPage | undefined;
  /** The path of the page behind an answer, made once for each. */
  link?: { readonly of: CacheEntry; readonly path: string | undefined };
}

/** The path of the page behind an answer; undefined where there is none. */
function pathOfNext(url: string, known: KnownUrl, answer: CacheEntry): string | undefined {
  if (known.next === undefined) return undefined;
  if (known.link?.of !== answer) {
    const behind = known.next(answer);
    known.link = { of: answer, path: behind && nextLink(url, behind) };
  }
  return known.link.path;
}

/** Knows which answer a URL means, as written, and sends it when it is fresh in memory. */
export class CachedResponses {
  readonly #options: KeptAnswersOptions;
  readonly #known = new LRUCache<string, KnownUrl>({ max: MAX_URLS });
  readonly #isSupported = hasHead();
  readonly #encodingOf = remember(MAX_HEADERS, chooseEncoding);
  readonly #dateLine = createDateLine();
  /** Lines of every answer, and those that close a head. */
  readonly #always: string;
  /**
   * One record of process.nextTick, kept alive. Where a full garbage collection finds none, V8 forgets their shape and
   * Node 20 makes each of the six of an answer five times slower from then on, a third of the answer's time. Node 22
   * and 24 do not need it.
   */
  tickRecord: object | undefined;
  readonly #ending: string;

  constructor(options: KeptAnswersOptions, keepAliveTimeoutMs: number) {
    this.#options = options;
    const { limiter, commonHeaders } = options;
    const policy = limiter ? `ratelimit-policy: ${rateLimitPolicy(limiter)}\r\n` : '';
    this.#always = linesOf(commonHeaders) + policy;
    process.nextTick(() => {
      this.tickRecord = executionAsyncResource();
    });
    this.#ending = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / 1000)}\r\n\r\n`;
  }

  /** Notes that this URL, as written, asks for this key and nothing in it was ignored. */
  remember(url: string, key: string, next: NextPage | undefined): void {
    if (url.length <= MAX_REMEMBERED_LENGTH) this.#known.set(url, { key, next });
  }

  /** True when the answer is on its way. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean {
    const url = request.raw.url ?? '';
    const known = this.#known.get(url);
    const now = this.#options.clock.now();
    const kept = known && this.#options.cache.fresh(known.key, now);
    if (!kept || !this.#isSupported || this.#options.isClosing()) return false;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPlain = isRead && isOrdinary(request.raw) && this.#options.wantsJson(request.headers.accept);
    // Whose responses pile up waits with all others, the ordinary way.
    if (!isPlain || this.#options.inFlight.isFull(request.client)) return false;
    return this.#send(request, reply, kept, { now, next: pathOfNext(url, known, kept) });
  }

  #send(request: FastifyRequest, reply: FastifyReply, kept: CacheEntry, moment: Moment): boolean {
    const { raw } = reply;
    const { socket } = raw;
    // What an earlier answer has left in the socket's buffer must not be overtaken, nor written over.
    if (!socket?.writable || socket.writableLength > 0 || !raw.shouldKeepAlive) return false;
    const { bodies } = this.#options;
    const body = bodies.made(kept, this.#encodingOf(request.headers['accept-encoding'] ?? ''));
    if (!body) return false;
    const isUnchanged = kept.status === 200 && matchesEtag(request.headers['if-none-match'], kept.etag);
    const status = isUnchanged ? 304 : kept.status;
    const opening = this.#opening(request, kept, status, moment);
    const isHeadAlone = isUnchanged || request.method === 'HEAD';
    const lines = () => this.#lines(kept, isUnchanged ? undefined : body);
    const parts = isHeadAlone ? [opening + lines()] : partsOf(body, opening, lines);
    if (parts === undefined) return false;
    reply.hijack();
    request.outcome = 'hit';
    raw.statusCode = status;
    (raw as WithHead)._header = opening;
    (raw as WithHead)._headerSent = true;
    writeAll(socket, parts);
    if (socket.writableLength > 0) this.#whileWriting(request, raw, body);
    raw.end();
    this.#options.logAccess(request, status, isHeadAlone ? 0 : body.length);
    return true;
  }

  /** What the socket has not taken at once. */
  #whileWriting({ client }: FastifyRequest, raw: ServerResponse, body: SharedBody): void {
    const { armWriteTimeout, inFlight } = this.#options;
    body.releaseBuffer();
    armWriteTimeout(raw, body.length);
    const isShared = body.length > MAX_ONE_WRITE_BYTES;
    raw.once('close', inFlight.add(client, isShared ? body : raw, body.length));
  }

  /** The status line, and the header lines that differ from answer to answer. */
  #opening(request: FastifyRequest, kept: CacheEntry, status: number, { now, next }: Moment): string {
    const left = request.limit ? `ratelimit: ${rateLimitLeft(request.limit)}\r\n` : '';
    const cached = cacheStatus(this.#options.cacheName, kept, 'hit', now);
    const timed = `age: ${ageSeconds(kept, now)}\r\ncache-status: ${cached}\r\n${this.#dateLine(now)}`;
    const behind = next === undefined ? '' : `link: ${linkOf(request, next)}\r\n`;
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-request-id: ${request.id}\r\n${left}${behind}${timed}`;
  }

  /** The rest of the head, always the same. `body` is undefined where none is described: 304. */
  #lines(kept: CacheEntry, body: SharedBody | undefined): string {
    return this.#always + linesOf(answerHeaders(kept)) + (body ? linesOfBody(body) : '') + this.#ending;
  }
}

/** Adds the hook that answers from memory. It comes behind the limiter: every answer counts. */
export function addCachedResponses(app: FastifyInstance, options: KeptAnswersOptions): CachedResponses {
  const cachedResponses = new CachedResponses(options, app.server.keepAliveTimeout);
  app.addHook('onRequest', function answerFromMemory(request, reply, done) {
    if (!cachedResponses.answer(request, reply)) done();
  });
  return cachedResponses;
}
