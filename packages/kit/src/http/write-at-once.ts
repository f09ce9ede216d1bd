import { executionAsyncResource } from 'node:async_hooks';
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Admission } from '../limits/admission.ts';
import type { Clock } from '../process/clock.ts';
import { bodyHeaders } from './response-headers.ts';
import type { AddHeader, CommonHeaders, Headers, ResponseHead } from './response-headers.ts';
import { MAX_COPIED_BYTES } from './shared-bodies.ts';
import type { Body } from './shared-bodies.ts';

// Only this file uses private members of Node: writeHead and end copy and check the same headers for every response.
// If the members are missing, or the request is unusual (HTTP/1.0, Connection: close), Fastify sends the same response.

/** Node stores the finished head of a response in `_header`. Seen in Node 20, 22 and 24. */
interface WithHead {
  _header?: string | null;
  _headerSent?: boolean;
}

const HAS_HEAD = ((): boolean => {
  const probe = new ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never);
  const { _header, _headerSent } = probe as unknown as WithHead;
  return _header === null && _headerSent === false;
})();

/**
 * Keeps one record of process.nextTick alive. If a full garbage collection finds none, V8 forgets their shape. Node 20
 * then makes each of the six records of a response five times slower, a third of the response's time. Node 22 and 24 do
 * not need it.
 */
const kept: { record?: object } = {};
process.nextTick(() => {
  kept.record = executionAsyncResource();
});

/** Whether Node would add the same lines to the head as we do. Browsers send keep-alive, other clients nothing. */
export function canWriteAtOnce({ httpVersionMinor, headers: { connection } }: IncomingMessage): boolean {
  return (
    HAS_HEAD &&
    httpVersionMinor === 1 &&
    (connection === undefined || connection === 'keep-alive' || connection === 'Keep-Alive')
  );
}

/** The Date line, formatted once a second. */
function createDateLine(): (now: number) => string {
  let second = Number.NaN;
  let line = '';
  return (now) => {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      line = `Date: ${new Date(now).toUTCString()}\r\n`;
    }
    return line;
  };
}

const headerLines = (headers: Headers): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

export interface WriterOptions {
  admission: Admission;
  clock: Clock;
  common: CommonHeaders;
}

/** Writes a response with its body, or its head alone. */
type WriteAtOnce = (reply: FastifyReply, head: ResponseHead, body: Body) => void;

/** Writes responses from memory; small ones as one buffer in one system call. See `canWriteAtOnce`. */
export function createWriteAtOnce(app: FastifyInstance, options: WriterOptions): WriteAtOnce {
  const { admission, clock, common } = options;
  const dateLine = createDateLine();
  const ending = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(app.server.keepAliveTimeout / 1000)}\r\n\r\n`;

  /** Guards the rest of a response that the socket did not accept at once. */
  function guardUnsentBytes(reply: FastifyReply, body: Body): void {
    const { raw, request } = reply;
    body.releaseBuffer();
    reply.limitWriteTime(body.length);
    const isShared = body.length > MAX_COPIED_BYTES;
    raw.once('close', admission.addBytes(request.client, body.length, isShared ? body : raw));
  }

  return function writeAtOnce(reply, { status, addVarying, lasting }, body) {
    const { raw, request } = reply;
    const { socket } = request.raw;
    const isUnchanged = status === 304;
    const isHeadAlone = isUnchanged || request.method === 'HEAD';
    let opening = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    const add: AddHeader = (name, value) => {
      opening += `${name}: ${value}\r\n`;
    };
    common.addFor(request, add);
    addVarying(add);
    opening += dateLine(clock.now());
    const lines = () =>
      headerLines({ ...common.always, ...lasting(), ...(isUnchanged ? undefined : bodyHeaders(body)) }) +
      ending;
    const whole = isHeadAlone || body.length > MAX_COPIED_BYTES ? undefined : body.withHead(opening, lines);
    reply.hijack();
    raw.statusCode = status;
    (raw as WithHead)._header = opening;
    (raw as WithHead)._headerSent = true;
    // All bytes of the response before are sent: `Connections` starts no request earlier.
    socket.write(whole ?? opening + lines(), 'latin1');
    if (!isHeadAlone && !whole) for (const part of body.parts) socket.write(part);
    if (socket.writableLength > 0) guardUnsentBytes(reply, body);
    raw.end();
    request.logAccess(status, isHeadAlone ? 0 : body.length);
  };
}
