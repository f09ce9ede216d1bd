import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Admission } from '../limits/admission.ts';
import { memoize } from '../process/memoize.ts';

/** Longer headers come from no browser or library, and are ignored. */
const MAX_HEADER_LENGTH = 500;

/** Cached values of one header. */
export const MAX_MEMOIZED_HEADERS = 1_000;

/**
 * The items of a header in lower case, each with its weight (RFC 9110, section 12.4.2). An invalid weight counts as 1.
 */
function readWeights(header: string): { name: string; quality: number }[] {
  return header.split(',').map((text) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { name, quality: /^(?:1(?:\.0{0,3})?|0(?:\.\d{0,3})?)$/.test(weight) ? Number(weight) : 1 };
  });
}

/** How closely a range matches a type: 3 exactly, 2 as `text/*`, 1 as any type, 0 not at all. */
function closeness(range: string, type: string): number {
  if (range === type) return 3;
  if (range === '*/*') return 1;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1)) ? 2 : 0;
}

/**
 * The offered type that an Accept header prefers (RFC 9110, section 12.5.1): by weight, then by closest match, then
 * the first offered. If the header accepts none of them, the first offered: never responds 406.
 */
export function preferredType(header: string | undefined, offered: readonly string[]): string | undefined {
  const [first] = offered;
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return first;
  const ranges = readWeights(header);
  const rated = offered.map((type) => {
    let [quality, close] = [0, 0];
    for (const range of ranges) {
      const closer = closeness(range.name, type);
      if (closer > close) [quality, close] = [range.quality, closer];
    }
    return { type, quality, close };
  });
  const [best] = rated
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.close - a.close);
  return best?.type ?? first;
}

/** Returns a function that checks whether an Accept header prefers JSON to `others`. */
export function createJsonPreference(others: readonly string[]): (header: string | undefined) => boolean {
  if (others.length === 0) return () => true;
  const offered = ['application/json', ...new Set(others)];
  const prefersJson = memoize(
    MAX_MEMOIZED_HEADERS,
    (header) => preferredType(header, offered) === 'application/json',
  );
  return (header = '*/*') => prefersJson(header);
}

export type Encoding = 'identity' | 'gzip' | 'br';

const MAX_ENCODINGS_LENGTH = 200;

/** The best encoding that a client accepts (RFC 9110, section 12.5.3); plain if it accepts none. */
export function chooseEncoding(header = ''): Encoding {
  if (header.length > MAX_ENCODINGS_LENGTH) return 'identity';
  const offered = new Map(readWeights(header).map(({ name, quality }) => [name, quality]));
  const any = offered.get('*') ?? 0;
  const br = offered.get('br') ?? any;
  const zip = offered.get('gzip') ?? offered.get('x-gzip') ?? any;
  if (br > 0 && br >= zip) return 'br';
  return zip > 0 ? 'gzip' : 'identity';
}

/** Smaller bodies are not compressed. */
const COMPRESS_FROM_BYTES = 1_024;

/** Higher levels save a tenth of the bytes and take twice the time. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 4;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Compressing more takes milliseconds of one of the few threads that also read files. */
const LONG_COMPRESSION_BYTES = 65_536;

/** Compresses long bodies one by one, as the admission allows. */
export const createEncoder =
  (admission: Admission): typeof encodeBody =>
  (plain, encoding) => {
    const encode = () => encodeBody(plain, encoding);
    const isLong = encoding !== 'identity' && plain.length >= LONG_COMPRESSION_BYTES;
    return isLong ? admission.runCompression(encode) : encode();
  };

/** Compresses a body off the event loop. A short one is returned as it is. */
export async function encodeBody(
  plain: Buffer,
  encoding: Encoding,
  brotliQuality = BROTLI_QUALITY,
): Promise<Buffer> {
  if (encoding === 'identity' || plain.length < COMPRESS_FROM_BYTES) return plain;
  if (encoding === 'gzip') return gzipAsync(plain, { level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  return brotliAsync(plain, { params });
}
