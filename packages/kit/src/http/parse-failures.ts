import { ERRORS, ServiceError } from '../errors.ts';

/** Node's error for bytes that are not a request. */
export interface ParseFailure extends Error {
  code?: string | undefined;
  /** The packet with the fault: a Buffer. */
  rawPacket?: unknown;
  /** Position of the fault in the packet. */
  bytesParsed?: number | undefined;
}

/** 500 codes of 7 characters with encoded commas are 5 kB. */
export const MAX_URL_LENGTH = 8_192;

/** Scheme and host of a request target that is a whole address. */
export const WHOLE_ADDRESS = /^https?:\/\/([^/?]+)/i;

/** In Latin-1, one character a byte. */
const REQUEST_LINE = /^(?:GET|HEAD) (\/[\x21-\x7e\x80-\xff]*) HTTP\/1\.[01]\r?$/;
const BEYOND_ASCII = /[^\x21-\x7e]+/g;

/** The encoded form of an address with plain UTF-8, as `curl '.../?q=図書'` sends it. */
function encodedTarget({ code, rawPacket, bytesParsed = 0 }: ParseFailure): string | undefined {
  if (code !== 'HPE_INVALID_URL' || !Buffer.isBuffer(rawPacket)) return undefined;
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const end = rawPacket.indexOf('\n', bytesParsed);
  const [, target] = REQUEST_LINE.exec(rawPacket.toString('latin1', start, Math.max(start, end))) ?? [];
  if (target === undefined) return undefined;
  const text = Buffer.from(target, 'latin1').toString();
  // Without UTF-8 the characters are unknown.
  if (text.includes('\ufffd')) return undefined;
  const encoded = text.replace(BEYOND_ASCII, encodeURIComponent);
  return encoded.length > MAX_URL_LENGTH ? undefined : encoded;
}

const REQUEST_LINE_ALONE = /^[A-Z]{3,20} [^\r\n]+$/;

/** The error for bytes that are not a request. */
export function parseError(failure: ParseFailure): ServiceError {
  const { code, rawPacket } = failure;
  if (code !== 'HPE_HEADER_OVERFLOW') {
    const address = encodedTarget(failure);
    const hint = address && ` Its address must be percent-encoded: ${address}`;
    const message = `This is not a well-formed HTTP request.${hint ?? ''}`;
    return new ServiceError(ERRORS.invalid_parameter, { message });
  }
  // If the packet contains only a request line, the URL is the part that is too long.
  const isUrl = Buffer.isBuffer(rawPacket) && REQUEST_LINE_ALONE.test(rawPacket.toString('latin1'));
  return new ServiceError(isUrl ? ERRORS.uri_too_long : ERRORS.headers_too_large);
}
