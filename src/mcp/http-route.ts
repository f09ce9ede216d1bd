import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createMcpHandler, originValidationResponse } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asServiceError, toErrorBody } from '../errors.ts';
import type { RouteExtension, RouteParts } from '../http/app.ts';
import { parseQueryString } from '../http/query-string.ts';
import { requireAdmission } from '../http/rate-limit.ts';
import { whenClosed } from '../http/when-closed.ts';
import { addPreflight } from '../http/response-headers.ts';
import { VERSION } from '../process/version.ts';
import type { CallService, ServiceReply } from './call-tool.ts';
import { parseBody } from './http-service.ts';
import { createMcpServer } from './mcp-server.ts';
import { OPENAPI_DOCUMENT, readTools } from './openapi-tools.ts';

interface McpRouteOptions {
  /** Name of the service in the URIs of its resources: `catalogue`. */
  name: string;
  withAdult: boolean;
  isSample: boolean;
  /** Host names of web pages that may call it; `*` means any. */
  origins: readonly string[];
  /** Timeout for receiving the body of a message. */
  messageTimeoutMs?: number;
}

const MCP_PATH = '/mcp';
const MCP_METHODS = 'POST, OPTIONS';

/** A tool call is far smaller. */
const MAX_MESSAGE_BYTES = 65_536;
/** Size of a message and its result beside the data: see MAX_RESULT_CHARACTERS. */
const MESSAGE_BYTES = 256_000;

const DESCRIPTION = `Agents: \`POST ${MCP_PATH}\` speaks the Model Context Protocol (Streamable HTTP, stateless); its
tools are the operations below. Each message counts as one request.`;

/**
 * Closes the connection of an incomplete message: Node's own timeouts do not apply while a request is being handled.
 */
function limitArrival({ raw }: FastifyRequest, timeoutMs: number): void {
  const timer = setTimeout(() => raw.destroy(), timeoutMs);
  raw.once('close', () => {
    clearTimeout(timer);
  });
}

function toWebRequest({ raw }: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const body = Readable.toWeb(raw) as NonNullable<RequestInit['body']>;
  return new Request(`http://localhost${MCP_PATH}`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
    signal,
  });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'no-store');
  const type = response.headers.get('content-type');
  if (type === null) return reply.send();
  reply.type(type);
  if (!type.startsWith('text/event-stream')) return reply.send(await response.text());
  return reply.send(Readable.fromWeb(response.body as WebStream));
}

/** Calls the endpoints for one message. */
function createMessageCall(
  { callEndpoint, reserveMemory, limiter }: RouteParts,
  reply: FastifyReply,
  isSample: boolean,
) {
  const { id: requestId, client } = reply.request;
  let calls = 0;

  /** Throws `overloaded` or `rate_limited`. */
  async function admitFurtherCall(): Promise<void> {
    await reserveMemory(reply, {}, MESSAGE_BYTES);
    await requireAdmission(limiter, client.key);
  }

  const call: CallService = async ({ operationId: name, path, query }, signal): Promise<ServiceReply> => {
    try {
      // The message itself is counted already; each further call of a batch counts as a request.
      if (calls++ > 0) await admitFurtherCall();
    } catch (error) {
      const refusal = asServiceError(error);
      const { status, retryAfterSeconds } = refusal;
      return { status, body: toErrorBody(refusal), retryAfterSeconds, isSample };
    }
    const { status, contentType, text, retryAfterSeconds } = await callEndpoint({
      name,
      requestId,
      path,
      query: parseQueryString(query),
      client: client.key,
      signal: signal ?? AbortSignal.any([]),
      reserveMemory: (body, bytes) => reserveMemory(reply, body, bytes),
    });
    return { status, body: parseBody(text, contentType), retryAfterSeconds, isSample };
  };
  return call;
}

/**
 * `POST /mcp`: the tools of one service over Streamable HTTP. No session is kept: each message has its own server
 * object, so any replica can handle it.
 */
export function createMcpRoute(options: McpRouteOptions): RouteExtension {
  const { name, withAdult, isSample, origins, messageTimeoutMs = 10_000 } = options;
  function add(app: FastifyInstance, parts: RouteParts): void {
    const readDocument = () => readTools(OPENAPI_DOCUMENT.parse(parts.document()), { withAdult });
    let tools: ReturnType<typeof readTools> | undefined;

    async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      request.outcome = 'mcp';
      // The calls of a batch run until the response ends.
      reply.raw.setMaxListeners(0);
      await parts.reserveMemory(reply, reply, MESSAGE_BYTES);
      const disconnect = new AbortController();
      whenClosed(reply.raw, () => {
        disconnect.abort();
      });
      const service = {
        name,
        ...(tools ??= readDocument()),
        call: createMessageCall(parts, reply, isSample),
      };
      const handler = createMcpHandler(() => createMcpServer({ services: [service], version: VERSION }), {
        maxRequestBodySize: MAX_MESSAGE_BYTES,
        // A stream of notifications would be a session; nothing changes here.
        maxSubscriptions: 0,
      });
      limitArrival(request, messageTimeoutMs);
      const message = toWebRequest(request, disconnect.signal);
      const refusal = origins.includes('*') ? undefined : originValidationResponse(message, [...origins]);
      return sendResponse(reply, refusal ?? (await handler.fetch(message)));
    }

    app.route({ method: ['GET', 'HEAD'], url: MCP_PATH, config: { methods: MCP_METHODS }, handler: respond });
    addPreflight(app, MCP_PATH, MCP_METHODS);
  }
  return { description: DESCRIPTION, add };
}
