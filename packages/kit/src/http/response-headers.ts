import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUsable } from '../cache/cache-entry.ts';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { CacheOutcome } from '../cache/response-cache.ts';
import type { LimitDecision, RateLimiter } from '../limits/rate-limiter.ts';
import type { NextParameters } from './endpoint.ts';
import { EXPOSED_HEADERS } from './published-headers.ts';
import { requestTarget } from './request-target.ts';

/** Names and values, in the order in which they are sent. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Headers of every response of a service, including errors and documents. */
export function commonHeaders(hasForms: boolean): HeaderList {
  return [
    ['access-control-allow-origin', '*'],
    ['access-control-expose-headers', EXPOSED_HEADERS],
    ['vary', hasForms ? 'Accept, Accept-Encoding' : 'Accept-Encoding'],
    ['x-content-type-options', 'nosniff'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ];
}

/** Marks responses of invented data. */
export const SAMPLE_HEADER = ['x-data', 'sample'] as const;

/** `RateLimit` and `RateLimit-Policy`, in the syntax of the current IETF draft. */
export const rateLimitLeft = ({ remaining, resetSeconds }: LimitDecision) =>
  `"default";r=${remaining};t=${resetSeconds}`;
export const rateLimitPolicy = ({ limit, windowSeconds }: RateLimiter) =>
  `"default";q=${limit};w=${windowSeconds}`;

/** Adds the common headers to every response that Fastify sends; the fast path of cached responses has its own copy. */
export function addCommonHeaders(
  app: FastifyInstance,
  common: HeaderList,
  { limiter, isSample }: { limiter: RateLimiter | undefined; isSample: () => boolean },
  isClosing: () => boolean,
): void {
  const headers = Object.fromEntries(common);
  app.addHook('onSend', function writeCommonHeaders(request, reply, _payload, done) {
    reply.header('x-request-id', request.id).headers(headers);
    if (isSample()) reply.header(...SAMPLE_HEADER);
    if (request.limit && limiter) {
      reply.header('ratelimit', rateLimitLeft(request.limit));
      reply.header('ratelimit-policy', rateLimitPolicy(limiter));
    }
    if (isClosing()) reply.header('connection', 'close');
    done();
  });
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

const USUAL_HEADERS =
  'Accept, Cache-Control, Content-Type, If-None-Match, traceparent, tracestate, X-Request-Id';

/** Names of headers, separated by commas, as browsers send them. */
const HEADER_NAMES = /^[\w-]{1,64}(?: ?, ?[\w-]{1,64}){0,31}$/;

/**
 * Answers CORS preflight requests. All headers are allowed: no header has an effect that the client could not have
 * without it.
 */
export function addPreflight(app: FastifyInstance): void {
  const headers = {
    allow: ALLOWED_METHODS,
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-max-age': '86400',
    'cache-control': 'public, max-age=86400',
  };
  app.options('*', {
    config: { isExempt: true },
    // Before the body, which no browser sends.
    onRequest: (request, reply) => {
      request.outcome = 'preflight';
      const requested = request.headers['access-control-request-headers'];
      const allowed = requested !== undefined && HEADER_NAMES.test(requested) ? requested : USUAL_HEADERS;
      void reply.code(204).headers(headers).header('access-control-allow-headers', allowed).send();
    },
    handler: (_request, reply) => reply,
  });
}

/** Headers that are the same each time a cached response is sent in a form with this validator. */
export function entryHeaders(entry: CacheEntry, etag: string): HeaderList {
  const lifetime = Math.round((entry.freshUntil - entry.fetchedAt) / 1000);
  return [['cache-control', `public, max-age=${lifetime}`], ['etag', etag], ...totalCount(entry.total)];
}

/** `X-Total-Count` of a list. */
export const totalCount = (total: number | undefined): HeaderList =>
  total === undefined ? [] : [['x-total-count', String(total)]];

/** The address of the next page (RFC 8288), in the path and query that `url` has. */
export function nextLink(url: string, parameters: NextParameters): string {
  // The origin does not matter: only path and query are used.
  const address = new URL(url.startsWith('/') ? `http://origin${url}` : url);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return `${address.pathname}${address.search}`;
}

/** Value of the header for the address of the next page. */
export const linkToNext = (request: FastifyRequest, next: string): string =>
  `<${requestTarget(request).origin}${next}>; rel="next"`;

export function addLink(reply: FastifyReply, next: NextParameters | undefined): void {
  if (next) reply.header('link', linkToNext(reply.request, nextLink(reply.request.originalUrl, next)));
}

/** Makes browsers save a response under a name derived from its path: `novels.csv`. */
export function downloadAs(url: string, extension: string | undefined): HeaderList {
  if (extension === undefined) return [];
  const path = url.split('?', 1)[0] ?? '';
  const name = path.replace(/^\/v1\/|\/$/g, '').replace(/[^\w]+/g, '-');
  return [['content-disposition', `attachment; filename="${name}.${extension}"`]];
}

/** Names the query parameters without effect, if the body has no field for them. */
export function nameIgnored(reply: FastifyReply, ignored: readonly string[]): void {
  if (ignored.length > 0) reply.header('x-ignored', ignored.map(encodeURIComponent).join(', '));
}

/** The members of `meta` about what the rows lack, for forms without `meta`: a number, or the first names. */
export function nameLacks(reply: FastifyReply, meta: Readonly<Record<string, unknown>>): void {
  const lacks = ['missing', 'unknown', 'unreadable'].flatMap((name) => {
    const lack = meta[name];
    if (lack === undefined) return [];
    return [`${name}=${Array.isArray(lack) ? lack.slice(0, 50).join(' ') : Number(lack)}`];
  });
  if (lacks.length > 0) reply.header('x-incomplete', lacks.join('; '));
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Whole seconds since the data were fetched (RFC 9111, section 4.2.3). */
export function ageSeconds(entry: CacheEntry, now: number): number {
  return Math.max(0, Math.floor((now - entry.fetchedAt) / 1000));
}

/** Cache-Status (RFC 9211); a negative ttl means stale for that long. */
export function cacheStatus(cache: string, entry: CacheEntry, outcome: CacheOutcome, now: number): string {
  const ttl = Math.floor((entry.freshUntil - now) / 1000);
  switch (outcome) {
    case 'hit':
      return `${cache}; hit; ttl=${ttl}`;
    case 'revalidating':
      return `${cache}; hit; ttl=${ttl}; detail=revalidating`;
    case 'stale':
      return `${cache}; hit; ttl=${ttl}; detail=stale-on-error`;
    case 'miss':
      return `${cache}; fwd=miss${isUsable(entry, now) ? '; stored' : ''}`;
    case 'collapsed':
      return `${cache}; fwd=miss; collapsed`;
  }
}

/** If-None-Match: a list of validators or `*`, compared weakly (RFC 9110, section 13.1.2). */
export function matchesEtag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  if (condition === etag || condition === '*') return true;
  const opaque = etag.slice(2);
  return condition.split(',').some((candidate) => {
    const validator = candidate.trim();
    return validator === opaque || validator === etag;
  });
}
