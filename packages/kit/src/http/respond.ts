import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { CacheResult } from '../cache/response-cache.ts';
import { ServiceError, toErrorBody } from '../errors.ts';
import type { EndpointQuestion, RequestMeta, WrittenForm } from './endpoint.ts';
import { part } from './part.ts';
import { requestTarget } from './request-context.ts';
import {
  ageSeconds,
  bodyHeaders,
  cacheStatus,
  downloadAs,
  entryHeaders,
  ignoredHeader,
  incompleteHeader,
  linkTo,
  matchesEtag,
} from './response-headers.ts';
import { Body } from './shared-bodies.ts';
import type { SharedBodies } from './shared-bodies.ts';
import { createWriteAtOnce } from './write-at-once.ts';
import type { ResponseHead, WriterOptions } from './write-at-once.ts';

interface ResponseOptions extends WriterOptions {
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  bodies: SharedBodies;
}

/** The parts of a question that shape its response. */
export interface Shape extends Pick<EndpointQuestion, 'key' | 'ignored' | 'requestedSpelling' | 'form'> {
  /** The path of the next page; undefined on the last page. */
  pathOfNext: (entry: CacheEntry) => string | undefined;
}

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Sends a cached or loaded response, a 304, a HEAD or an error. `ready`: the body of a hit in memory, which is
     * written at once.
     */
    respond: (
      result: CacheResult | ServiceError,
      shape?: Shape,
      ready?: Body,
    ) => FastifyReply | Promise<FastifyReply>;
  }
}

const PLAIN: Shape = { key: '', ignored: [], pathOfNext: () => undefined };

const etagOfForm = ({ etag }: CacheEntry, { name }: WrittenForm): string => `${etag.slice(0, -1)}-${name}"`;

function requestMetaOf({ outcome, tookMs }: CacheResult, { ignored, requestedSpelling }: Shape): RequestMeta {
  const stale = outcome === 'stale' || outcome === 'revalidating';
  return { cached: stale || outcome === 'hit', stale, tookMs, ignored, requestedSpelling };
}

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Status and headers of an entry: 304 if the client has it. */
function headOfEntry(
  request: FastifyRequest,
  { entry, outcome }: CacheResult,
  { form, ignored, pathOfNext }: Shape,
  { clock, cacheName }: ResponseOptions,
): ResponseHead {
  const now = clock.now();
  const etag = form ? etagOfForm(entry, form) : entry.etag;
  const isFound = entry.status === 200;
  return {
    status: isFound && matchesEtag(request.headers['if-none-match'], etag) ? 304 : entry.status,
    addVarying: (add) => {
      const next = isFound ? pathOfNext(entry) : undefined;
      if (next !== undefined) add('link', linkTo(request, next));
      add('age', ageSeconds(entry, now));
      add('cache-status', cacheStatus(cacheName, entry, outcome, now));
    },
    lasting: () => ({
      ...entryHeaders(entry, etag),
      ...(form && { ...ignoredHeader(ignored), ...incompleteHeader(form, entry) }),
      ...downloadAs(form?.fileNameOf?.(entry)),
    }),
  };
}

function headOfError({ status, retryAfterSeconds }: ServiceError): ResponseHead {
  return {
    status,
    addVarying: (add) => {
      if (retryAfterSeconds !== undefined) add('retry-after', String(retryAfterSeconds));
    },
    lasting: () => ({ 'cache-control': 'no-store' }),
  };
}

/** Gives replies the one way out of the service for everything but streams, pages and documents. */
export const responses = (options: ResponseOptions) =>
  part((app) => {
    const { bodies } = options;
    const writeAtOnce = createWriteAtOnce(app, options);

    function bodyOf(request: FastifyRequest, result: CacheResult, shape: Shape): Promise<Body> {
      const { entry } = result;
      const { form, key } = shape;
      const encoding = bodies.encodingFor(request);
      if (!form) return bodies.get(entry, encoding, requestMetaOf(result, shape));
      const target = requestTarget(request);
      const written = `${form.keyFor(target)} ${entry.fetchedAt} ${entry.etag} ${key}`;
      return bodies.getKeyed(written, encoding, () => form.write(entry, target));
    }

    /** Small bodies are sent as a buffer, large ones in their parts. `type`: default JSON. */
    function send(reply: FastifyReply, head: ResponseHead, body?: Body, type?: string): FastifyReply {
      reply.code(head.status).headers(head.lasting());
      head.addVarying((name, value) => void reply.header(name, value));
      if (body) reply.headers(bodyHeaders(body, type));
      return reply.send(body && (body.whole ?? Readable.from(body.parts)));
    }

    app.decorateReply('respond', function respond(result, shape = PLAIN, ready) {
      const { request } = this;
      if (result instanceof ServiceError) {
        request.outcome = result.code;
        return send(this, headOfError(result), new Body('identity', [jsonOf(toErrorBody(result))]));
      }
      request.outcome = result.outcome;
      // A 404 is JSON, whatever form was requested.
      const asked = result.entry.status === 200 ? shape : { ...shape, form: undefined };
      const head = headOfEntry(request, result, asked, options);
      const isUnchanged = head.status === 304;
      if (ready && writeAtOnce(this, head, ready, isUnchanged)) return this;
      if (isUnchanged) return send(this, head);
      return bodyOf(request, result, asked).then((body) => send(this, head, body, asked.form?.contentType));
    });
  });
