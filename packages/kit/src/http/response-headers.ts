import type { FastifyRequest } from 'fastify';
import { isUsable } from '../cache/cache-entry.ts';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { CacheOutcome, CacheResult } from '../cache/response-cache.ts';
import type { EndpointQuestion, NextParameters } from './endpoint.ts';
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

interface CommonFacts {
  /** Whether some responses have other forms than JSON. */
  isChosenByAccept: boolean;
  isSample: () => boolean;
}

export function createCommonHeaders({ isChosenByAccept, isSample }: CommonFacts): CommonHeaders {
  return {
    always: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: isChosenByAccept ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
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

/** Connections are closed from its beginning on, each after its response. */
export interface Shutdown {
  hasBegun: boolean;
}

interface CommonHeaderOptions {
  common: CommonHeaders;
  shutdown: Shutdown;
}

/** Adds the common headers to every response that Fastify sends. */
export const commonHeaders = ({ common, shutdown }: CommonHeaderOptions) =>
  part((app) => {
    app.addHook('onSend', function writeCommonHeaders(request, reply, _payload, done) {
      reply.headers(common.always);
      common.addFor(request, (name, value) => void reply.header(name, value));
      if (shutdown.hasBegun) reply.header('connection', 'close');
      done();
    });
  });

/** Status and headers of a response. */
export interface ResponseHead {
  status: number;
  /** Adds the headers that differ each time. */
  addVarying: (add: AddHeader) => void;
  /** The headers that are the same each time the body is sent. */
  lasting: () => Headers;
}

interface EntryForm extends Partial<Pick<EndpointQuestion, 'form' | 'ignored'>> {
  /** The path of the next page; undefined on the last page. */
  nextPath: string | undefined;
}

/** The head of a response with an entry: 304 if the client has it. */
export function headOfEntry(
  request: FastifyRequest,
  { entry, outcome }: Pick<CacheResult, 'entry' | 'outcome'>,
  { form, ignored = [], nextPath }: EntryForm,
  { cacheName, now }: { cacheName: string; now: number },
): ResponseHead {
  const { fetchedAt, freshUntil, total } = entry;
  const etag = form ? `${entry.etag.slice(0, -1)}-${form.name}"` : entry.etag;
  const isUnchanged = entry.status === 200 && matchesEtag(request.headers['if-none-match'], etag);
  return {
    status: isUnchanged ? 304 : entry.status,
    addVarying: (add) => {
      if (nextPath !== undefined) add('link', linkTo(request, nextPath));
      // Whole seconds since the data were fetched (RFC 9111, section 4.2.3).
      add('age', String(Math.max(0, Math.floor((now - fetchedAt) / 1000))));
      add('cache-status', cacheStatus(cacheName, entry, outcome, now));
    },
    lasting: () => ({
      'cache-control': `public, max-age=${Math.round((freshUntil - fetchedAt) / 1000)}`,
      etag,
      ...listHeaders({
        total,
        ...(form && { ignored, lacks: form.lacksOf?.(entry), fileName: form.fileNameOf?.(entry) }),
      }),
    }),
  };
}

interface ListFacts {
  total?: number | undefined;
  ignored?: readonly string[];
  /** What the rows lack. */
  lacks?: readonly string[] | undefined;
  /** Browsers save the response under it. */
  fileName?: string | undefined;
}

/** What the body of a list has no place for. */
export function listHeaders({ total, ignored = [], lacks = [], fileName }: ListFacts): Headers {
  return {
    ...(total !== undefined && { 'x-total-count': String(total) }),
    ...(ignored.length > 0 && { 'x-ignored': ignored.map(encodeURIComponent).join(', ') }),
    ...(lacks.length > 0 && { 'x-incomplete': lacks.join('; ') }),
    ...(fileName !== undefined && { 'content-disposition': attachment(fileName) }),
  };
}

/** A file name of letters, digits, `.`, `-` and `_`, and the whole one (RFC 6266). */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w.-]+/g, '');
  const whole = plain === fileName ? '' : `; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return `attachment; filename="${plain}"${whole}`;
}

/** The path and query of the next page: those of `url` with its parameters. */
export function pathOfNext(url: string, parameters: NextParameters): string {
  const address = new URL(url, 'http://origin');
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return `${address.pathname}${address.search}`;
}

/** `Link` to the path of the next page (RFC 8288). */
export const linkTo = (request: FastifyRequest, nextPath: string): string =>
  `<${requestTarget(request).origin}${nextPath}>; rel="next"`;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The headers that describe a body. */
export const bodyHeaders = ({ encoding, length }: Body, type = JSON_TYPE): Headers => ({
  ...(encoding === 'identity' ? undefined : { 'content-encoding': encoding }),
  'content-type': type,
  'content-length': String(length),
});

/** Cache-Status (RFC 9211); a negative ttl means stale for that long. */
function cacheStatus(cache: string, entry: CacheEntry, outcome: CacheOutcome, now: number): string {
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
