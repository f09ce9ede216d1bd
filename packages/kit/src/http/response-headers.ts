import type { FastifyRequest } from 'fastify';
import { isUsable } from '../cache/cache-entry.ts';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { CacheOutcome } from '../cache/response-cache.ts';
import type { NextParameters, WrittenForm } from './endpoint.ts';
import { part } from './part.ts';
import { EXPOSED_HEADERS } from './published-headers.ts';
import { requestTarget } from './request-context.ts';
import type { Body } from './shared-bodies.ts';

/** Values by name, in the order in which they are sent. */
export type Headers = Readonly<Record<string, string>>;

/** Adds a header to a response. Every hit pays for these headers: they are not collected first. */
export type AddHeader = (name: string, value: string) => void;

/** Headers of every response of a service, including errors and documents. */
export interface CommonHeaders {
  /** The same in all responses. */
  always: Headers;
  addFor: (request: FastifyRequest, add: AddHeader) => void;
}

export function createCommonHeaders(hasForms: boolean, isSample: () => boolean): CommonHeaders {
  return {
    always: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: hasForms ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    },
    addFor: ({ id, limit }, add) => {
      add('x-request-id', id);
      if (limit) {
        add('ratelimit', limit.left);
        add('ratelimit-policy', limit.policy);
      }
      // All data are invented.
      if (isSample()) add('x-data', 'sample');
    },
  };
}

interface CommonHeaderOptions {
  common: CommonHeaders;
  isClosing: () => boolean;
}

/** Adds the common headers to every response that Fastify sends. */
export const commonHeaders = ({ common, isClosing }: CommonHeaderOptions) =>
  part((app) => {
    app.addHook('onSend', function writeCommonHeaders(request, reply, _payload, done) {
      reply.headers(common.always);
      common.addFor(request, (name, value) => void reply.header(name, value));
      if (isClosing()) reply.header('connection', 'close');
      done();
    });
  });

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Answers CORS preflight requests. All headers are allowed: none lets a page do what its client could not do. */
export const preflight = () =>
  part((app) => {
    const headers = {
      allow: ALLOWED_METHODS,
      'access-control-allow-methods': ALLOWED_METHODS,
      // The star does not mean Authorization.
      'access-control-allow-headers': '*, Authorization',
      'access-control-max-age': '86400',
    };
    app.options('*', {
      config: { isExempt: true },
      // Before the body, which no browser sends.
      onRequest: (request, reply) => {
        request.outcome = 'preflight';
        void reply.code(204).headers(headers).send();
      },
      handler: (_request, reply) => reply,
    });
  });

/** Headers that are the same each time a cached response is sent in a form with this validator. */
export function entryHeaders(entry: CacheEntry, etag: string): Headers {
  const lifetime = Math.round((entry.freshUntil - entry.fetchedAt) / 1000);
  return { 'cache-control': `public, max-age=${lifetime}`, etag, ...totalCount(entry.total) };
}

/** `X-Total-Count` of a list. */
export const totalCount = (total: number | undefined): Headers =>
  total === undefined ? {} : { 'x-total-count': String(total) };

/** The address of the next page (RFC 8288), in the path and query that `url` has. */
export function nextLink(url: string, parameters: NextParameters): string {
  const address = new URL(url, 'http://origin');
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return `${address.pathname}${address.search}`;
}

/** `Link` to the path of the next page. */
export const linkTo = (request: FastifyRequest, next: string): string =>
  `<${requestTarget(request).origin}${next}>; rel="next"`;

/** Makes browsers save a response under a name of letters, digits, `.`, `-` and `_` (RFC 6266). */
export function downloadAs(fileName: string | undefined): Headers {
  if (fileName === undefined) return {};
  const plain = fileName.replace(/[^\w.-]+/g, '');
  const whole = plain === fileName ? '' : `; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return { 'content-disposition': `attachment; filename="${plain}"${whole}` };
}

/** Names the query parameters without effect, if the body has no field for them. */
export const ignoredHeader = (ignored: readonly string[]): Headers =>
  ignored.length === 0 ? {} : { 'x-ignored': ignored.map(encodeURIComponent).join(', ') };

/** What the rows lack, for forms that have no place to say it. */
export function incompleteHeader(form: WrittenForm, entry: CacheEntry): Headers {
  const lacks = form.lacksOf?.(entry) ?? [];
  return lacks.length === 0 ? {} : { 'x-incomplete': lacks.join('; ') };
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The headers that describe a body. */
export const bodyHeaders = ({ encoding, length }: Body, type = JSON_TYPE): Headers => ({
  ...(encoding === 'identity' ? undefined : { 'content-encoding': encoding }),
  'content-type': type,
  'content-length': String(length),
});

/** Whole seconds since the data were fetched (RFC 9111, section 4.2.3). */
export function ageSeconds(entry: CacheEntry, now: number): string {
  return String(Math.max(0, Math.floor((now - entry.fetchedAt) / 1000)));
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
