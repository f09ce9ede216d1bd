import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseCache } from '../cache/response-cache.ts';
import { asServiceError } from '../errors.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { addLink } from './response-writer.ts';
import type { SendResponse } from './response-writer.ts';
import { hasOwnBody } from './endpoint.ts';
import type { Endpoint, TextAnswer } from './endpoint.ts';
import { noteFailure } from './error-handler.ts';
import type { CachedResponses } from './cached-response.ts';
import type { ReserveMemory } from './overload.ts';
import { parseQueryString } from './query-string.ts';
import { downloadAs, nameIgnored, totalCount } from './response-headers.ts';
import { whenClosed } from './when-closed.ts';

interface ServingParts {
  cache: ResponseCache;
  failureLog: ThrottledLog;
  reserveMemory: ReserveMemory;
  sendResponse: SendResponse;
  cachedResponses: CachedResponses;
}

/** Buffered lines of a stream: the maximum read ahead of the client. */
const STREAM_BYTES = 65_536;

/**
 * Serves the requests that the fast path (`answerFromMemory`) does not: parses them, reads the cache or loads, and
 * writes the response.
 */
export function serveEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  { cache, failureLog, reserveMemory, sendResponse, cachedResponses }: ServingParts,
): void {
  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const question = await endpoint.ask({
      path: request.params as Record<string, string>,
      query: parseQueryString((request.query as { text: string }).text),
      accept: request.headers.accept,
      client: request.client.key,
      reportFailure: (error) => noteFailure(failureLog, error, request.id),
    });
    if ('body' in question) {
      await reserveMemory(reply, question, STREAM_BYTES + (question.memoryBytes ?? 0));
      return sendText(reply, question, failureLog);
    }
    const result = await cache.get(question, question.policy);
    if (result.failure !== undefined) {
      const reason = describeFailure(result.failure);
      failureLog.logOncePerPeriod(
        'warn',
        'stale',
        { id: request.id, key: question.key, reason },
        'served stale',
      );
    }
    // Clients that wait for the same response share its bodies.
    const isOwn = hasOwnBody(question);
    await reserveMemory(reply, isOwn ? question : result.entry, result.entry.data.length);
    await sendResponse(reply, result, question);
    // Work for later requests comes after this response.
    if (!isOwn && question.form === undefined) {
      cachedResponses.storeUrl(request.originalUrl, question.key, question.next);
    }
    return reply;
  }
  // Fastify's automatic HEAD routes would give a 304 a Content-Length of 0.
  app.route({ method: ['GET', 'HEAD'], url: endpoint.path, handler: respond });
}

/** Sends a text, or streams lines. */
function sendText(
  reply: FastifyReply,
  { body, contentType, cacheControl, ignored, extension, total, next }: TextAnswer,
  failureLog: ThrottledLog,
): FastifyReply {
  reply.request.outcome = 'text';
  nameIgnored(reply, ignored);
  addLink(reply, next);
  reply.header('cache-control', cacheControl).type(contentType);
  reply.headers(
    Object.fromEntries([...totalCount(total), ...downloadAs(reply.request.originalUrl, extension)]),
  );
  if (typeof body === 'string') return reply.send(body);
  // A HEAD request must not start the search for the lines.
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
  const disconnect = new AbortController();
  whenClosed(reply.raw, () => {
    disconnect.abort();
  });
  const { signal } = disconnect;
  return reply.send(Readable.from(watchLines(reply, body(signal), { signal, failureLog })));
}

/**
 * Counts the bytes of the lines for the log: a stream has no Content-Length. A failure after the head has been sent
 * breaks the connection, so that only the log can name it.
 */
async function* watchLines(
  { raw, request }: FastifyReply,
  lines: AsyncIterable<string | Buffer>,
  { signal, failureLog }: { signal: AbortSignal; failureLog: ThrottledLog },
): AsyncGenerator<string | Buffer, void, undefined> {
  try {
    for await (const line of lines) {
      request.streamedBytes += Buffer.byteLength(line);
      yield line;
    }
  } catch (error) {
    // The client has left, so that the lines were aborted.
    if (signal.aborted) return;
    if (raw.headersSent) {
      const failure = asServiceError(error);
      request.outcome = failure.code;
      noteFailure(failureLog, failure, request.id);
    }
    throw error;
  }
}
