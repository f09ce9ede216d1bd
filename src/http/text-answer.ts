import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TextAnswer } from './endpoint.ts';

/** Names what had no effect where the body has no place for it. */
export function nameIgnored(reply: FastifyReply, ignored: readonly string[]): void {
  if (ignored.length > 0) reply.header('x-ignored', ignored.map(encodeURIComponent).join(', '));
}

/** The one way in which texts, and lines that come as they are found, go out. */
export function sendText(
  reply: FastifyReply,
  { body, contentType, cacheControl, ignored }: TextAnswer,
): FastifyReply {
  reply.request.outcome = 'text';
  nameIgnored(reply, ignored);
  reply.header('cache-control', cacheControl).type(contentType);
  if (typeof body === 'string') return reply.send(body);
  // Who wants the head alone must not cause the work of the lines.
  return reply.send(Readable.from(reply.request.method === 'HEAD' ? [] : counted(reply.request, body)));
}

/** The lines, their bytes counted for the log: no header says how many there will be. */
async function* counted(
  request: FastifyRequest,
  lines: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) {
    request.streamedBytes += Buffer.byteLength(line);
    yield line;
  }
}
