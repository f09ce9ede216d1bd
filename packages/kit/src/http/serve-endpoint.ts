import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asServiceError } from '../errors.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import type { Admission } from '../limits/admission.ts';
import type { ClientIdentity } from '../limits/rules.ts';
import { hasOwnBody } from './answer.ts';
import type { AnswerRequest } from './answer.ts';
import { addLink } from './response-writer.ts';
import type { SendResponse } from './response-writer.ts';
import type { Endpoint, TextAnswer } from './endpoint.ts';
import { recordFailure } from './error-handler.ts';
import type { CachedResponses } from './cached-response.ts';
import type { ReserveMemory } from './admit-request.ts';
import { parseQueryString } from './query-string.ts';
import { downloadAs, nameIgnored, totalCount } from './response-headers.ts';
import { whenClosed } from './when-closed.ts';

interface ServingParts {
  answerRequest: AnswerRequest;
  failureLog: ThrottledLog;
  admission: Admission;
  reserveMemory: ReserveMemory;
  sendResponse: SendResponse;
  cachedResponses: CachedResponses;
}

/**
 * Serves the requests that the fast path (`answerFromMemory`) does not: answers them and writes the response.
 */
export function serveEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  { answerRequest, failureLog, admission, reserveMemory, sendResponse, cachedResponses }: ServingParts,
): void {
  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = await answerRequest(endpoint, {
      path: request.params as Record<string, string>,
      query: parseQueryString((request.query as { text: string }).text),
      accept: request.headers.accept,
      client: request.client.key,
      requestId: request.id,
      reserveMemory: (body, bytes) => reserveMemory(reply, body, bytes),
    });
    if ('body' in answer) return sendText(reply, answer, { failureLog, admission });
    const { question, result } = answer;
    await sendResponse(reply, result, question);
    // Work for later requests comes after this response.
    if (!hasOwnBody(question) && question.form === undefined) {
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
  parts: Pick<ServingParts, 'failureLog' | 'admission'>,
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
  return reply.send(Readable.from(watchLines(reply, body(signal), { ...parts, signal })));
}

/** Each part of the lines starts in turn, as a request does: making one may take as long. */
async function* inTurn<Part>(
  parts: AsyncIterable<Part>,
  client: ClientIdentity,
  admission: Admission,
): AsyncGenerator<Part, void, undefined> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      await admission.acquire({ client, work: 'page' }).granted;
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * Counts the bytes of the lines for the log: a stream has no Content-Length. A failure after the head has been sent
 * breaks the connection, so that only the log can name it.
 */
async function* watchLines(
  { raw, request }: FastifyReply,
  lines: AsyncIterable<string | Buffer>,
  { signal, failureLog, admission }: Pick<ServingParts, 'failureLog' | 'admission'> & { signal: AbortSignal },
): AsyncGenerator<string | Buffer, void, undefined> {
  try {
    for await (const line of inTurn(lines, request.client, admission)) {
      request.streamedBytes += Buffer.byteLength(line);
      yield line;
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
