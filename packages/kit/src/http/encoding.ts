import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'br';

/** Smaller bodies are not compressed. */
const COMPRESS_FROM_BYTES = 1_024;

/** Higher levels save a tenth of the bytes and take twice the time. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 4;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

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
