import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { answerParseFailure } from './failures.ts';

/** What is said to a client whose request could not be read, and whether its connection is let go at once. */
function told(failure: { code?: string; rawPacket?: unknown }, isWritable = true) {
  const socket = new PassThrough();
  if (!isWritable) socket.end();
  answerParseFailure(Object.assign(new Error('unreadable'), failure), socket);
  const text = String((socket.read() as Buffer | null) ?? '');
  return { text, isDestroyed: socket.destroyed, isEnded: socket.writableEnded };
}

describe('a request that cannot be read', () => {
  it.each(['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT'])('because of %s is let go without a word', (code) => {
    expect(told({ code })).toEqual({ text: '', isDestroyed: true, isEnded: false });
  });

  it('is let go without a word where nobody listens any more', () => {
    expect(told({ code: 'HPE_INVALID_METHOD' }, false)).toMatchObject({ text: '', isDestroyed: true });
  });

  it('behind the last one of a connection has nobody to be told', () => {
    expect(told({ code: 'HPE_CLOSED_CONNECTION' })).toEqual({ text: '', isDestroyed: false, isEnded: false });
  });

  it.each([
    ['HPE_INVALID_METHOD', undefined, 400, 'invalid_parameter'],
    ['HPE_HEADER_OVERFLOW', Buffer.from('GET /aaaa'), 414, 'uri_too_long'],
    ['HPE_HEADER_OVERFLOW', Buffer.from('GET /a HTTP/1.1\r\nX-A: b'), 431, 'headers_too_large'],
    ['HPE_HEADER_OVERFLOW', undefined, 431, 'headers_too_large'],
  ])('(%s) is told in the common form: %s', (code, rawPacket, status, errorCode) => {
    const { text, isEnded } = told({ code, rawPacket });
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(isEnded).toBe(true);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(head).toContain('Cache-Control: no-store');
    expect(head).toContain('Connection: close');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toMatchObject({ error: { code: errorCode } });
  });
});
