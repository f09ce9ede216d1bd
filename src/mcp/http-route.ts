import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createMcpHandler, originValidationResponse } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteExtension, RouteParts } from '../http/app.ts';
import { parseQueryString } from '../http/query-string.ts';
import { whenClosed } from '../http/when-closed.ts';
import { addPreflight } from '../http/response-headers.ts';
import { text } from '../process/text.ts';
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
/** Size of a message and its result, as text and structured, beside the data: see MAX_RESULT_CHARACTERS. */
const MESSAGE_BYTES = 384_000;

const DESCRIPTION = text(
  `Agents: \`POST ${MCP_PATH}\` speaks the Model Context Protocol (Streamable HTTP, stateless); its
tools are the operations below. Each message counts as one request.`,
  `エージェント: \`POST ${MCP_PATH}\` は Model Context Protocol（Streamable HTTP、ステートレス）に対応し、以下の操作をツールとして
提供します。1 つのメッセージを 1 回のリクエストと数えます。`,
);

/**
 * Closes the connection of an incomplete message: Node's own timeouts do not apply while a request is being handled.
 */
function limitArrival({ raw }: FastifyRequest, timeoutMs: number): void {
  const timer = setTimeout(() => raw.destroy(), timeoutMs);
  raw.once('close', () => {
    clearTimeout(timer);
  });
}

/** An error of JSON-RPC without the id of a message. */
const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/** The text of a message, or a refusal of its form. */
async function readMessage({ raw }: FastifyRequest): Promise<string | Response> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = raw.headers;
  if (!JSON_TYPE.test(type) || encoding !== 'identity')
    return rpcError(415, -32_000, 'Send application/json in UTF-8, not compressed.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_MESSAGE_BYTES)
      return rpcError(413, -32_000, `A message has at most ${MAX_MESSAGE_BYTES} bytes.`);
  }
  return Buffer.concat(chunks).toString();
}

function parseMessage(text: string): { message: unknown } | Response {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return rpcError(400, -32_700, 'The message is not JSON.');
  }
  // Since revision 2025-06-18 of the protocol.
  if (Array.isArray(message))
    return rpcError(400, -32_600, 'No batches: send each message as a request of its own.');
  return { message };
}

function toWebRequest({ raw }: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers, signal });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'no-store');
  const type = response.headers.get('content-type');
  if (type === null) return reply.send();
  reply.type(type);
  if (!type.startsWith('text/event-stream')) return reply.send(await response.text());
  return reply.send(Readable.fromWeb(response.body as WebStream));
}

/** Calls the endpoint of a message. */
const createMessageCall =
  ({ callEndpoint, reserveMemory }: RouteParts, reply: FastifyReply, isSample: boolean): CallService =>
  async ({ operationId: name, path, query }, signal = AbortSignal.any([])): Promise<ServiceReply> => {
    const request = {
      requestId: reply.request.id,
      path,
      query: parseQueryString(query),
      client: reply.request.client.key,
      reserveMemory: (body: object, bytes: number) => reserveMemory(reply, body, bytes),
    };
    const { status, contentType, text, retryAfterSeconds } = await callEndpoint(name, request, signal);
    return { status, body: parseBody(text, contentType), retryAfterSeconds, isSample };
  };

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
        // A stream of notifications would be a session; nothing changes here.
        maxSubscriptions: 0,
      });
      const head = toWebRequest(request, disconnect.signal);
      const refusal = origins.includes('*') ? undefined : originValidationResponse(head, [...origins]);
      if (refusal) return sendResponse(reply, refusal);
      limitArrival(request, messageTimeoutMs);
      const text = await readMessage(request).catch(() =>
        rpcError(400, -32_700, 'The message is incomplete.'),
      );
      const parsed = typeof text === 'string' ? parseMessage(text) : text;
      if (parsed instanceof Response) return sendResponse(reply, parsed);
      return sendResponse(reply, await handler.fetch(head, { parsedBody: parsed.message }));
    }

    app.route({ method: ['GET', 'HEAD'], url: MCP_PATH, config: { methods: MCP_METHODS }, handler: respond });
    addPreflight(app, MCP_PATH, MCP_METHODS);
  }
  return { description: DESCRIPTION, add };
}
