import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError, toErrorBody } from '../errors.ts';

interface ParseFailure extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** A packet that begins with a line this long is, or continues, a request line. */
const LONG_LINE_BYTES = 4_096;

function describe(failure: ParseFailure): ServiceError {
  if (failure.code === 'HPE_HEADER_OVERFLOW') {
    const lineEnd = failure.rawPacket?.indexOf('\r\n') ?? 0;
    if (lineEnd < 0 || lineEnd > LONG_LINE_BYTES) return new ServiceError('uri_too_long');
    return new ServiceError('invalid_parameter', { message: 'The request headers are too large.' });
  }
  return new ServiceError('invalid_parameter', { message: 'This is not a well-formed HTTP request.' });
}

/** Requests that never became one (broken HTTP, header overflow): answered in the common error form, then closed. */
export function answerClientError(failure: ParseFailure, socket: Duplex): void {
  // Timed-out and reset connections have nobody left to read an answer.
  if (!socket.writable || failure.code === 'ECONNRESET' || failure.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.destroy();
    return;
  }
  const error = describe(failure);
  const body = JSON.stringify(toErrorBody(error));
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nAccess-Control-Allow-Origin: *\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}
