import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES, ServerResponse as NodeServerResponse } from 'node:http';

/**
 * Node keeps the finished header text of an answer in `_header`; writing it ourselves saves the check of every
 * header on every answer, a fifth of a cached answer's whole cost (measured on Node 20.20). The members are not part
 * of Node's public interface, so they are looked for first, and without them the ordinary writeHead is used.
 */
interface WithHeaderText {
  _header?: string | null;
  _headerSent?: boolean;
}

const headerTextSupported = hasHeaderText();

function hasHeaderText(): boolean {
  const probe = new NodeServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never);
  const inner = probe as unknown as WithHeaderText;
  return inner._header === null && inner._headerSent === false;
}

/** What is written of the time: the text holds while the clock is in `from` to before `until` (milliseconds). */
export interface TimedLines {
  from: number;
  until: number;
  /** Age and Cache-Status, as header lines. */
  ofAnswer: string;
  /** All of the head behind the lines of the single request, the blank line included. */
  text: string;
}

/** A header block that is written again and again: names and values in turn, and the same as text. */
export interface WireHead {
  status: number;
  pairs: readonly string[];
  statusLine: string;
  lines: string;
  /** The last that was made: good for a second at most. */
  timed?: TimedLines;
}

/** Header lines that stand in every head, named and as text. */
export interface CommonLines {
  pairs: readonly string[];
  lines: string;
}

function linesOf(pairs: readonly string[]): string {
  let lines = '';
  for (let i = 0; i < pairs.length; i += 2) lines += `${pairs[i] ?? ''}: ${pairs[i + 1] ?? ''}\r\n`;
  return lines;
}

export const commonLines = (pairs: readonly string[]): CommonLines => ({ pairs, lines: linesOf(pairs) });

const NOTHING: CommonLines = commonLines([]);

export function createWireHead(
  status: number,
  pairs: readonly string[],
  common: CommonLines = NOTHING,
): WireHead {
  const lines = common.lines + linesOf(pairs);
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  return { status, pairs: [...common.pairs, ...pairs], statusLine, lines };
}

/** `Name: value\r\n...` as names and values in turn. */
function pairsOf(lines: string): string[] {
  const pairs: string[] = [];
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) pairs.push(line.slice(0, colon), line.slice(colon + 2));
  }
  return pairs;
}

/** Whole header lines, each with its line end. Made by this program, never unchecked input. */
export type HeaderLines = string;

/** Whether the head may go out as text: what Node would add is then what we add. Browsers send `keep-alive`. */
export function takesHeadText(request: IncomingMessage, response: ServerResponse): boolean {
  if (!headerTextSupported || !response.shouldKeepAlive || request.httpVersionMinor !== 1) return false;
  const { connection } = request.headers;
  return connection === undefined || connection === 'keep-alive' || connection === 'Keep-Alive';
}

/** The head is on its way (or about to be): Node writes none of its own. */
export function setHeadText(response: ServerResponse, status: number, text: string, sent: boolean): void {
  response.statusCode = status;
  const inner = response as unknown as WithHeaderText;
  inner._header = text;
  inner._headerSent = sent;
}

/** The head by Node's own means: for HTTP/1.0, closing connections, and a Node that keeps no header text. */
export function writeCheckedHead(response: ServerResponse, head: WireHead, lines: HeaderLines): void {
  response.writeHead(head.status, [...head.pairs, ...pairsOf(lines)]);
}

/** Date (whole seconds) and the connection headers, as Node would write them, with the blank line. */
export function createHeadEnding(keepAliveTimeoutMs: number): (now: number) => string {
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / 1000)}\r\n\r\n`;
  let ofSecond = Number.NaN;
  let ending = '';
  return (now) => {
    const second = Math.floor(now / 1000);
    if (second !== ofSecond) {
      ofSecond = second;
      ending = `Date: ${new Date(now).toUTCString()}\r\n${keepAlive}`;
    }
    return ending;
  };
}
