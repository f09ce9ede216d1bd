import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointRequest, PublishedEndpoint } from './endpoint.ts';
import { refuseOtherMethods } from './failures.ts';
import { parseQueryString } from './query-string.ts';

/** An answer that is not JSON: a text, or lines that come as they are found. Nothing of it is kept. */
interface TextAnswer {
  body: string | AsyncIterable<string>;
  cacheControl: string;
  /** Names of query parameters that have no effect; there is no field to name them in. */
  ignored: readonly string[];
}

/** One path of a service whose answers are not JSON; its errors are. */
export interface TextEndpoint extends PublishedEndpoint {
  mediaType: string;
  /** Rejects with a ServiceError. */
  ask(request: EndpointRequest): Promise<TextAnswer>;
}

/** What an endpoint is asked with. */
export function endpointRequest({ params, query, headers, client }: FastifyRequest): EndpointRequest {
  return {
    path: params as Record<string, string>,
    query: parseQueryString((query as { text: string }).text),
    accept: headers.accept,
    client: client.key,
  };
}

/** Names what had no effect where the body has no place for it. */
export function nameIgnored(reply: FastifyReply, ignored: readonly string[]): void {
  if (ignored.length > 0) reply.header('x-ignored', ignored.map(encodeURIComponent).join(', '));
}

/** The one way in which texts, and lines that come as they are found, go out. */
export function sendText(
  reply: FastifyReply,
  { body, cacheControl, ignored, contentType }: TextAnswer & { contentType: string },
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

export function serveTextEndpoint(app: FastifyInstance, endpoint: TextEndpoint): void {
  app.get(endpoint.path, async (request, reply) => {
    const answer = await endpoint.ask(endpointRequest(request));
    return sendText(reply, { ...answer, contentType: `${endpoint.mediaType}; charset=utf-8` });
  });
  refuseOtherMethods(app, endpoint.path);
}
