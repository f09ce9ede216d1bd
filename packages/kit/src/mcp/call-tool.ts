import type { CallToolResult } from '@modelcontextprotocol/server';
import { shownText } from '../http/parameter.ts';
import { nearestWord } from '../nearest.ts';
import { isRecord } from '../process/json.ts';
import type { Json } from '../process/json.ts';
import { DEFAULT_COUNT } from './openapi-tools.ts';
import type { Tool, ToolArguments } from './openapi-tools.ts';

/** A service's response to a GET. */
interface ServiceReply {
  status: number;
  /** An NDJSON response is the array of its lines. */
  body: Json | unknown[];
  retryAfterSeconds?: number | undefined;
  /** The data are invented. */
  isSample: boolean;
}

/** There is no response, or it is none of a service of mokuroku. */
export class NoReply extends Error {
  readonly code: 'unreachable' | 'not_json';

  constructor(code: NoReply['code'], cause: unknown) {
    const messages = {
      unreachable: 'The service is unreachable. Try again later.',
      not_json: 'The response is not from this service: it is no JSON, too large or nested too deep.',
    };
    super(messages[code], { cause });
    this.code = code;
  }
}

/** GET of a URL without a host. Rejects with NoReply. */
export type CallService = (url: string, signal?: AbortSignal) => Promise<ServiceReply>;

/** Larger results would fill an agent's context with one call. */
export const MAX_RESULT_CHARACTERS = 25_000;
/** Arguments that make a result smaller. */
const NARROWING = ['lim', 'count', 'of', 'from', 'include_raw'];

function withoutMembers(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutMembers(item, names));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMembers(member, names)]));
}

/** What a tool makes of a reply by itself: these arguments are not sent. */
interface Selection {
  first: number;
  count: number;
  withRaw: boolean;
}

function positiveOf(args: ToolArguments, name: string, fallback: number): number {
  const value = Number(args[name] ?? fallback);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`Invalid ${name}: not a whole number from 1.`);
}

function selectionOf(args: ToolArguments): Selection {
  const withRaw = args['include_raw'] ?? false;
  if (typeof withRaw !== 'boolean') throw new Error('Invalid include_raw: not true or false.');
  return { first: positiveOf(args, 'first', 1), count: positiveOf(args, 'count', DEFAULT_COUNT), withRaw };
}

/** Changes the lists of a result: its lines, its rows, or those of each record. */
function withRows(body: ServiceReply['body'], change: (rows: unknown[]) => unknown[]): Json {
  const inMembers = (record: unknown) =>
    isRecord(record)
      ? Object.fromEntries(
          Object.entries(record).map(([name, value]) => [name, Array.isArray(value) ? change(value) : value]),
        )
      : record;
  if (Array.isArray(body)) return { data: change(body) };
  const { data } = body;
  if (!Array.isArray(data)) return { ...body, data: inMembers(data) };
  const areLists = data.some((row) => isRecord(row) && Object.values(row).some(Array.isArray));
  return { ...body, data: areLists ? data.map(inMembers) : change(data) };
}

/** The requested rows, as many of them as `textOf` has space for, with the total so that the client can page. */
function textOfRows(
  body: ServiceReply['body'],
  { first, count: most }: Selection,
  textOf: (shown: unknown) => string,
): string {
  let total = 0;
  withRows(body, (rows) => {
    total = Math.max(total, rows.length);
    return rows;
  });
  let count = Math.min(most, Math.max(0, total - first + 1));
  for (;;) {
    const end = first - 1 + count;
    const shown = withRows(body, (rows) => rows.slice(first - 1, end));
    const text = textOf({ ...shown, page: { first, count, total } });
    if (count <= 1 || text.length <= MAX_RESULT_CHARACTERS) return text;
    count = Math.floor(count * 0.8);
  }
}

const failure = (code: string, message: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ error: { code, message } }) }],
});

const namesOf = ({ inputSchema }: Tool): string[] => Object.keys(inputSchema['properties'] as object);

/** Throws an Error that names a wrong argument. An unknown one is wrong: the result would look like an answer to it. */
function requestOf(tool: Tool, args: ToolArguments): { url: string; selection: Selection } {
  const names = namesOf(tool);
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown === undefined) return { url: tool.urlOf(args), selection: selectionOf(args) };
  const near = nearestWord(unknown, names);
  throw new Error(
    `There is no argument ${shownText(unknown)}. ${near === undefined ? `Arguments: ${names.join(', ')}.` : `Did you mean ${near}?`}`,
  );
}

function toolResult(reply: ServiceReply, tool: Tool, selection: Selection): CallToolResult {
  const omitted = selection.withRaw ? [] : (tool.compact.omit ?? []);
  const body = withoutMembers(reply.body, omitted) as typeof reply.body;
  const error = isRecord(body) ? body['error'] : undefined;
  // "Not registered" is a result, not a failed call.
  const isResult = reply.status === 200 || (isRecord(error) && error['code'] === 'not_registered');
  const { status, retryAfterSeconds } = reply;
  const textOf = (shown: unknown) => JSON.stringify(reply.isSample ? { sample: true, result: shown } : shown);
  const text = !isResult
    ? JSON.stringify({ error: error ?? body, status, retryAfterSeconds })
    : tool.isPaged
      ? textOfRows(body, selection, textOf)
      : textOf(body);
  if (text.length <= MAX_RESULT_CHARACTERS)
    return { ...(!isResult && { isError: true }), content: [{ type: 'text', text }] };
  const remedies = namesOf(tool).filter((name) => NARROWING.includes(name));
  const advice = remedies.length > 0 ? ` Request less: ${remedies.join(', ')}.` : '';
  const message = `The result has ${text.length} characters, above ${MAX_RESULT_CHARACTERS}.${advice}`;
  return failure('result_too_large', message);
}

/** Calls a tool. A wrong argument, or a service that is unreachable or no service of mokuroku, is a result, too. */
export async function callTool(
  tool: Tool,
  call: CallService,
  args: ToolArguments,
  signal: AbortSignal | undefined,
): Promise<CallToolResult> {
  let request: ReturnType<typeof requestOf>;
  try {
    request = requestOf(tool, args);
  } catch (error) {
    return failure('invalid_parameter', (error as Error).message);
  }
  try {
    return toolResult(await call(request.url, signal), tool, request.selection);
  } catch (error) {
    if (error instanceof NoReply) return failure(error.code, error.message);
    throw error;
  }
}
