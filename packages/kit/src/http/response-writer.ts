import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { CacheResult } from '../cache/response-cache.ts';
import type { Admission } from '../limits/admission.ts';
import type { Clock } from '../process/clock.ts';
import type { EndpointQuestion, RequestMeta, WrittenForm } from './endpoint.ts';
import { chooseEncoding, encodeBody } from './negotiation.ts';
import { requestTarget } from './request-target.ts';
import {
  JSON_TYPE,
  addLink,
  ageSeconds,
  entryHeaders,
  cacheStatus,
  downloadAs,
  matchesEtag,
  nameIgnored,
  nameLacks,
} from './response-headers.ts';
import type { Body, EncodeBody, SharedBodies } from './shared-bodies.ts';

interface ResponseWriterOptions {
  clock: Clock;
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  bodies: SharedBodies;
  admission: Admission;
}

/** The parts of a question that shape its response. */
type Shape = Pick<EndpointQuestion, 'key' | 'ignored' | 'requestedSpelling' | 'form' | 'next'>;

export type SendResponse = (reply: FastifyReply, result: CacheResult, shape: Shape) => Promise<FastifyReply>;

/** Compressing more takes milliseconds of one of the few threads that also read files. */
const LONG_COMPRESSION_BYTES = 65_536;

/** A form is written from data and metadata. It may state their age, too, which is no reason to send it again. */
function etagOfForm({ etag, meta }: CacheEntry, { name }: WrittenForm): string {
  const content = JSON.stringify([etag, { ...meta, asOf: undefined }]);
  return `W/"${hash('sha1', content, 'base64url')}-${name}"`;
}

function requestMetaOf({ outcome, tookMs }: CacheResult, { ignored, requestedSpelling }: Shape): RequestMeta {
  const stale = outcome === 'stale' || outcome === 'revalidating';
  return { cached: stale || outcome === 'hit', stale, tookMs, ignored, requestedSpelling };
}

/** Sends a body: a small one as a buffer, a large one in its parts. */
function sendBody(reply: FastifyReply, { encoding, parts, whole, length }: Body): FastifyReply {
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.header('content-length', String(length)).send(whole ?? Readable.from(parts));
}

/** Writes the responses of questions: status, validator, age, encoding, body. */
export function createResponseWriter(options: ResponseWriterOptions): SendResponse {
  const { clock, cacheName, bodies, admission } = options;

  const encode: EncodeBody = (plain, encoding) => {
    if (encoding === 'identity' || plain.length < LONG_COMPRESSION_BYTES) return encodeBody(plain, encoding);
    return admission.runCompression(() => encodeBody(plain, encoding));
  };

  async function bodyOf(result: CacheResult, { request }: FastifyReply, shape: Shape): Promise<Body> {
    const { entry } = result;
    const { key, form } = shape;
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (form) {
      const target = requestTarget(request);
      const name = form.keyFor(target);
      const written = `${name} ${entry.fetchedAt} ${entry.etag} ${key}`;
      return bodies.getKeyed(written, encoding, () => form.write(entry, target), encode);
    }
    return bodies.get(entry, encoding, requestMetaOf(result, shape), encode);
  }

  return async function sendResponse(reply, result, { form: requestedForm, next, ...shape }) {
    const { entry, outcome } = result;
    const now = clock.now();
    // A 404 is JSON, whatever form was requested.
    const form = entry.status === 200 ? requestedForm : undefined;
    const etag = form ? etagOfForm(entry, form) : entry.etag;
    reply.request.outcome = outcome;
    reply.headers(Object.fromEntries(entryHeaders(entry, etag)));
    reply.header('age', String(ageSeconds(entry, now)));
    reply.header('cache-status', cacheStatus(cacheName, entry, outcome, now));
    addLink(reply, entry.status === 200 ? next?.(entry) : undefined);
    if (form) {
      nameIgnored(reply, shape.ignored);
      nameLacks(reply, entry.meta);
      reply.headers(Object.fromEntries(downloadAs(reply.request.originalUrl, form.extension)));
    }
    if (entry.status === 200 && matchesEtag(reply.request.headers['if-none-match'], etag)) {
      return reply.code(304).send();
    }
    reply.code(entry.status).type(form?.contentType ?? JSON_TYPE);
    return sendBody(reply, await bodyOf(result, reply, { ...shape, form }));
  };
}
