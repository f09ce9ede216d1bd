import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { CacheResult } from '../cache/response-cache.ts';
import type { Clock } from '../process/clock.ts';
import type { EndpointQuestion } from './endpoint.ts';
import { choiceOf } from './memory-hits.ts';
import type { MemoryHits } from './memory-hits.ts';
import { chooseEncoding } from './negotiation.ts';
import { requestTarget } from './request-context.ts';
import { bodyHeaders, headOfEntry, pathOfNext } from './response-headers.ts';
import { hasOwnBody } from './shared-bodies.ts';
import type { Body, SharedBodies } from './shared-bodies.ts';

export interface ResponseParts {
  bodies: SharedBodies;
  clock: Clock;
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  hits: MemoryHits;
}

/** Sends a cached or loaded response, a 304, or a HEAD. Small bodies are sent as a buffer, large ones in their parts. */
export async function respond(
  reply: FastifyReply,
  result: CacheResult,
  { key, ignored, requestedSpelling, next, form: asked }: EndpointQuestion,
  { bodies, clock, cacheName, hits }: ResponseParts,
): Promise<FastifyReply> {
  const { request } = reply;
  const { entry, outcome, tookMs } = result;
  request.outcome = outcome;
  const isFound = entry.status === 200;
  // A 404 is JSON, whatever form was requested.
  const form = isFound ? asked : undefined;
  const nextParameters = isFound ? next?.(entry) : undefined;
  const nextPath = nextParameters && pathOfNext(request.originalUrl, nextParameters);
  const head = headOfEntry(request, result, { form, ignored, nextPath }, { cacheName, now: clock.now() });

  let body: Body | undefined;
  if (head.status !== 304) {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const stale = outcome === 'stale' || outcome === 'revalidating';
    const meta = { cached: stale || outcome === 'hit', stale, tookMs, ignored, requestedSpelling };
    if (form) {
      const target = requestTarget(request);
      const written = `${form.keyFor(target)} ${entry.fetchedAt} ${entry.etag} ${key}`;
      body = await bodies.getKeyed(written, encoding, () => form.write(entry, target));
    } else {
      body = await bodies.get(entry, encoding, meta);
      if (outcome === 'hit' && !hasOwnBody(meta))
        hits.set(choiceOf(request), { key, entry: new WeakRef(entry), body: new WeakRef(body), nextPath });
    }
  }
  head.addVarying((name, value) => void reply.header(name, value));
  reply.code(head.status).headers(head.lasting());
  if (body) reply.headers(bodyHeaders(body, form?.contentType));
  return reply.send(body && (body.whole ?? Readable.from(body.parts)));
}
