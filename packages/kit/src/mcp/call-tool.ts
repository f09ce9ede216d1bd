import type { CallToolResult } from '@modelcontextprotocol/server';
import { MAX_URL_LENGTH } from '../http/parse-failures.ts';
import { isRecord } from '../process/json.ts';
import { DEFAULT_COUNT, InvalidArgument } from './openapi-tools.ts';
import type { Tool, ToolArguments } from './openapi-tools.ts';

/** A service's response to a GET. */
interface ServiceReply {
  status: number;
  /** Parsed JSON; an NDJSON response as the array of its lines. */
  body: unknown;
  retryAfterSeconds?: number | undefined;
  /** The data are invented. */
  isSample: boolean;
}

/** GET of a URL without a host. Rejects when the service is unreachable. */
export type CallService = (url: string, signal?: AbortSignal) => Promise<ServiceReply>;

/** Larger results would fill an agent's context with one call. */
const MAX_RESULT_CHARACTERS = 60_000;

function withoutMembers(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutMembers(item, names));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMembers(member, names)]));
}

const positive = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : fallback;

/** The requested rows, with the total so that the client can page. */
function requestedRows(body: unknown, args: ToolArguments): unknown {
  if (!isRecord(body) || !Array.isArray(body['data'])) return body;
  const rows: unknown[] = body['data'];
  const first = positive(args['first'], 1);
  const data = rows.slice(first - 1, first - 1 + positive(args['count'], DEFAULT_COUNT));
  return { ...body, data, page: { first, count: data.length, total: rows.length } };
}

function failure(body: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] };
}

function toolResult(reply: ServiceReply, { compact }: Tool, args: ToolArguments): CallToolResult {
  const omitted = args['include_raw'] === true ? [] : (compact.omit ?? []);
  const body = withoutMembers(reply.body, omitted);
  const error = isRecord(body) ? body['error'] : undefined;
  // "Not registered" is a result, not a failed call.
  const isResult = reply.status === 200 || (isRecord(error) && error['code'] === 'not_registered');
  const { status, retryAfterSeconds } = reply;
  if (!isResult) return failure({ error: error ?? body, status, retryAfterSeconds });
  const shown = compact.isPaged ? requestedRows(body, args) : body;
  const marked = reply.isSample ? { sample: true, result: shown } : shown;
  const text = JSON.stringify(marked);
  if (text.length <= MAX_RESULT_CHARACTERS) {
    const structuredContent = { ...(reply.isSample && { sample: true }), result: shown };
    return { content: [{ type: 'text', text }], structuredContent };
  }
  return failure({
    error: {
      code: 'result_too_large',
      message: `The result has ${text.length} characters, above ${MAX_RESULT_CHARACTERS}. Request fewer rows (lim, count) or fewer fields (of).`,
    },
  });
}

/** Calls a tool. A wrong argument, or a service that is unreachable, is a result with its remedy. */
export async function callTool(
  tool: Tool,
  call: CallService,
  args: ToolArguments,
  signal: AbortSignal | undefined,
): Promise<CallToolResult> {
  let url: string;
  try {
    url = tool.urlOf(args);
  } catch (error) {
    if (!(error instanceof InvalidArgument)) throw error;
    return failure({ error: { code: 'invalid_parameter', message: error.message } });
  }
  if (url.length > MAX_URL_LENGTH) {
    const message = `The arguments have ${url.length} characters as a URL, above ${MAX_URL_LENGTH}.`;
    return failure({ error: { code: 'uri_too_long', message }, status: 414 });
  }
  let reply: ServiceReply;
  try {
    reply = await call(url, signal);
  } catch {
    return failure({
      error: { code: 'unreachable', message: 'The service is unreachable. Try again later.' },
    });
  }
  return toolResult(reply, tool, args);
}
