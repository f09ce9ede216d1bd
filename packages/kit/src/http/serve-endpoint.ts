import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CacheResult } from '../cache/response-cache.ts';
import { asServiceError } from '../errors.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { reserveMemory } from './admit-request.ts';
import type { Endpoint, EndpointQuestion, TextAnswer } from './endpoint.ts';
import { recordFailure } from './error-handler.ts';
import { choiceOf } from './memory-hits.ts';
import type { MemoryHitsOptions } from './memory-hits.ts';
import { chooseEncoding } from './negotiation.ts';
import { parseQueryString } from './parameter.ts';
import { part } from './part.ts';
import { requestTarget } from './request-context.ts';
import { bodyHeaders, headOfEntry, linkTo, listHeaders, pathOfNext } from './response-headers.ts';
import { hasOwnBody } from './shared-bodies.ts';
import type { Body, SharedBodies } from './shared-bodies.ts';

interface ServingParts extends Pick<
  MemoryHitsOptions,
  'cache' | 'hits' | 'admission' | 'clock' | 'cacheName'
> {
  failureLog: ThrottledLog;
  bodies: SharedBodies;
}

/** Memory to write an entry in another form, its objects and texts, for each byte of its JSON. Measured, rounded up. */
const WRITTEN_BYTES_A_BYTE = 5;

/** Memory of a stream whose client reads nothing: its request, and the lines read ahead. Measured. */
const STREAM_BYTES = 200_000;

/** Serves the requests that `memoryHits` does not: answers them from the cache, or loads, and responds. */
export const endpointRoutes = (endpoints: readonly Endpoint[], parts: ServingParts) =>
  part((app) => {
    for (const endpoint of endpoints) serveEndpoint(app, endpoint, parts);
  });

function serveEndpoint(app: FastifyInstance, endpoint: Endpoint, parts: ServingParts): void {
  const { cache, failureLog, admission } = parts;

  async function answerRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [, query = ''] = /\?(.*)/s.exec(request.originalUrl) ?? [];
    const parsed = await endpoint.parse({
      path: request.params as Record<string, string>,
      query: parseQueryString(query),
      accept: request.headers.accept,
      client: request.client,
      reportFailure: (error) => recordFailure(failureLog, error, request.id),
      nextTurn: () => admission.nextTurn('load', request.client),
    });
    if ('body' in parsed) {
      reserveMemory(reply, admission, STREAM_BYTES + (parsed.memoryBytes ?? 0), parsed);
      return sendText(reply, parsed, parts);
    }
    const result = await cache.get(parsed, parsed.policy);
    const { failure } = result;
    if (failure !== undefined) {
      const facts = { id: request.id, key: parsed.key, reason: describeFailure(failure) };
      failureLog.logOncePerPeriod('warn', 'stale', facts, 'served stale');
    }
    return respond(reply, result, parsed, parts);
  }
  // Fastify's automatic HEAD routes would give a 304 a Content-Length of 0.
  app.route({ method: ['GET', 'HEAD'], url: endpoint.path, handler: answerRequest });
}

/** Sends a cached or loaded response, a 304, or a HEAD. Small bodies are sent as a buffer, large ones in their parts. */
async function respond(
  reply: FastifyReply,
  result: CacheResult,
  { key, ignored, requestedSpelling, next, form: requestedForm }: EndpointQuestion,
  { admission, bodies, clock, cacheName, hits }: ServingParts,
): Promise<FastifyReply> {
  const { request } = reply;
  const { entry, outcome, tookMs } = result;
  request.outcome = outcome;
  const isFound = entry.status === 200;
  // A 404 is JSON, whatever form was requested.
  const form = isFound ? requestedForm : undefined;
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
      body = await bodies.getKeyed(written, encoding, {
        client: request.client,
        reserve: () => admission.bytes.acquire(request.client, entry.data.length * WRITTEN_BYTES_A_BYTE),
        write: () => form.write(entry, target),
        nextTurn: () => admission.nextTurn('page', request.client),
      });
      reserveMemory(reply, admission, body.length, body);
    } else {
      // Requests that wait for the same response share its bodies, those of one spelling if they repeat it.
      const shared =
        requestedSpelling === undefined ? entry : `${entry.fetchedAt} ${key} ${requestedSpelling}`;
      reserveMemory(reply, admission, entry.data.length, hasOwnBody(meta) ? meta : shared);
      body = await bodies.get(entry, encoding, meta, request.client);
      if (outcome === 'hit' && !hasOwnBody(meta))
        hits.set(choiceOf(request), { key, entry: new WeakRef(entry), body: new WeakRef(body), nextPath });
    }
  }
  head.addVarying((name, value) => void reply.header(name, value));
  reply.code(head.status).headers(head.lasting());
  if (body) reply.headers(bodyHeaders(body, form?.contentType));
  return reply.send(body && (body.whole ?? Readable.from(body.parts)));
}

/** Sends a text, or streams lines. */
function sendText(
  reply: FastifyReply,
  answer: TextAnswer,
  parts: Pick<ServingParts, 'failureLog' | 'admission'>,
): FastifyReply {
  const { request } = reply;
  const { body, contentType, cacheControl, next } = answer;
  request.outcome = 'text';
  reply.headers({
    'cache-control': cacheControl,
    'content-type': contentType,
    ...listHeaders(answer),
    ...(next && { link: linkTo(request, pathOfNext(request.originalUrl, next)) }),
  });
  if (typeof body === 'string') return reply.send(body);
  // A HEAD request must not start the search for the lines.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const disconnect = new AbortController();
  request.releases.push(() => disconnect.abort());
  const { signal } = disconnect;
  return reply.send(Readable.from(watchLines(reply, body(signal), { ...parts, signal })));
}

/**
 * Each part of the lines begins in a turn of its own: making one may take as long as a request. Counts their bytes for
 * the log: a stream has no Content-Length. A failure after the head has been sent breaks the connection, so that only
 * the log can name it.
 */
async function* watchLines(
  { raw, request }: FastifyReply,
  lines: AsyncIterable<string | Buffer>,
  { signal, failureLog, admission }: Pick<ServingParts, 'failureLog' | 'admission'> & { signal: AbortSignal },
): AsyncGenerator<string | Buffer, void, undefined> {
  try {
    await admission.nextTurn('page', request.client);
    for await (const line of lines) {
      request.streamedBytes += Buffer.byteLength(line);
      yield line;
      await admission.nextTurn('page', request.client);
    }
  } catch (error) {
    // The client has left, so that the lines were aborted.
    if (signal.aborted) return;
    if (raw.headersSent) {
      const failure = asServiceError(error);
      request.outcome = failure.code;
      recordFailure(failureLog, failure, request.id);
    }
    throw error;
  }
}
