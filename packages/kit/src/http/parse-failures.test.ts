import { describe, expect, it } from 'vitest';
import { classifyParseFailure } from './parse-failures.ts';

const classify = (failure: { code?: string; rawPacket?: unknown }) =>
  classifyParseFailure(Object.assign(new Error('unreadable'), failure));

describe('a request that cannot be read', () => {
  it.each(['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT'])('because of %s has its connection closed', (code) => {
    expect(classify({ code })).toBe('close');
  });

  it('after the last one of a connection is ignored', () => {
    expect(classify({ code: 'HPE_CLOSED_CONNECTION' })).toBe('ignore');
  });

  it.each([
    ['HPE_INVALID_METHOD', undefined, 400, 'invalid_parameter'],
    ['HPE_HEADER_OVERFLOW', Buffer.from('GET /aaaa'), 414, 'uri_too_long'],
    ['HPE_HEADER_OVERFLOW', Buffer.from('GET /a HTTP/1.1\r\nX-A: b'), 431, 'headers_too_large'],
    ['HPE_HEADER_OVERFLOW', undefined, 431, 'headers_too_large'],
  ])('(%s) is an error of the table: %s', (code, rawPacket, status, errorCode) => {
    expect(classify({ code, rawPacket })).toMatchObject({ status, code: errorCode });
  });
});
