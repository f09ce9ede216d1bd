import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseCache } from '../cache/response-cache.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { addLink } from './answers.ts';
import type { SendAnswer } from './answers.ts';
import type { Endpoint, TextAnswer } from './endpoint.ts';
import { refuseOtherMethods } from './failures.ts';
import type { CachedResponses } from './cached-response.ts';
import type { HoldBody } from './overload.ts';
import { parseQueryString } from './query-string.ts';
import { downloadAs, nameIgnored, totalCount } from './response-headers.ts';

interface Served {
  cache: ResponseCache;
  troubles: ThrottledLog;
  holdBody: HoldBody;
  sendAnswer: SendAnswer;
  cachedResponses: CachedResponses;
}

/** Lines that wait for their reader: no more than this are fetched ahead. */
const STREAM_BYTES = 65_536;

/** The way of an answer that is not ready in memory: understood, looked up or loaded, written. */
export function serveEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  { cache, troubles, holdBody, sendAnswer, cachedResponses }: Served,
): void {
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const question = await endpoint.ask({
      path: request.params as Record<string, string>,
      query: parseQueryString((request.query as { text: string }).text),
      accept: request.headers.accept,
      client: request.client.key,
    });
    if ('body' in question) {
      await holdBody(reply, question, STREAM_BYTES + (question.heldBytes ?? 0));
      return sendText(reply, question);
    }
    const { ignored, echo, form, policy, next } = question;
    const result = await cache.get(question, policy);
    if (result.failure !== undefined) {
      const reason = describeFailure(result.failure);
      troubles.note('warn', 'stale', { id: request.id, key: question.key, reason }, 'served stale');
    }
    // All that is composed of one answer is shared by those who wait for it.
    await holdBody(reply, result.answer, result.answer.data.length);
    await sendAnswer(reply, result, question);
    // What is for the next request comes when this one has its answer.
    if (ignored.length === 0 && echo === undefined && form === undefined) {
      cachedResponses.remember(request.originalUrl, question.key, next);
    }
    return reply;
  }
  // Fastify's own HEAD routes would give a 304 a Content-Length of 0.
  app.route({ method: ['GET', 'HEAD'], url: endpoint.path, handler: answer });
  refuseOtherMethods(app, endpoint.path);
}

/** The one way in which texts, and lines that come as they are found, go out. */
function sendText(
  reply: FastifyReply,
  { body, contentType, cacheControl, ignored, extension, total, next }: TextAnswer,
): FastifyReply {
  reply.request.outcome = 'text';
  nameIgnored(reply, ignored);
  addLink(reply, next);
  reply.header('cache-control', cacheControl).type(contentType);
  reply.headers(
    Object.fromEntries([...totalCount(total), ...downloadAs(reply.request.originalUrl, extension)]),
  );
  if (typeof body === 'string') return reply.send(body);
  // Who wants the head alone must not cause the work of the lines.
  return reply.send(Readable.from(reply.request.method === 'HEAD' ? [] : counted(reply.request, body)));
}

/** The lines, their bytes counted for the log: no header says how many there will be. */
async function* counted(
  request: FastifyRequest,
  lines: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer, void, undefined> {
  for await (const line of lines) {
    request.streamedBytes += Buffer.byteLength(line);
    yield line;
  }
}
