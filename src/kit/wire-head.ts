import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES, ServerResponse as NodeServerResponse } from 'node:http';

/**
 * Node keeps the finished header text of an answer in `_header`; writing it ourselves saves the check of every
 * header on every answer, a fifth of a cached answer's whole cost (measured on Node 20.20). The member is not part
 * of Node's public interface, so it is looked for first, and without it the ordinary writeHead is used.
 */
interface WithHeaderText {
  _header: string | null;
}

const headerTextSupported = '_header' in NodeServerResponse.prototype || hasOwnHeaderText();

function hasOwnHeaderText(): boolean {
  const probe = new NodeServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never);
  return Object.hasOwn(probe, '_header') && (probe as unknown as WithHeaderText)._header === null;
}

/** A header block that is written again and again: names and values in turn, and the same as text. */
export interface WireHead {
  status: number;
  pairs: readonly string[];
  text: string;
}

export function createWireHead(status: number, pairs: readonly string[]): WireHead {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let i = 0; i < pairs.length; i += 2) text += `${pairs[i] ?? ''}: ${pairs[i + 1] ?? ''}\r\n`;
  return { status, pairs, text };
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

/** What changes per request: whole header lines, each with its line end. Made by this program, never unchecked input. */
export type HeaderLines = string;

/** Writes a constant head and the header lines that change per request. */
export function createHeadWriter(keepAliveTimeoutMs: number) {
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / 1000)}\r\n\r\n`;
  let dateSecond = 0;
  let ending = '';

  /** Date (whole seconds) and the connection headers, as Node would write them. */
  function endingAt(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== dateSecond) {
      dateSecond = second;
      ending = `Date: ${new Date(now).toUTCString()}\r\n${keepAlive}`;
    }
    return ending;
  }

  return function writeHeadOf(
    request: IncomingMessage,
    response: ServerResponse,
    head: WireHead,
    changing: HeaderLines,
    now: number,
  ): void {
    const plain =
      headerTextSupported &&
      response.shouldKeepAlive &&
      request.httpVersionMinor === 1 &&
      request.headers.connection === undefined;
    if (!plain) {
      response.writeHead(head.status, [...head.pairs, ...pairsOf(changing)]);
      return;
    }
    response.statusCode = head.status;
    (response as unknown as WithHeaderText)._header = head.text + changing + endingAt(now);
  };
}
