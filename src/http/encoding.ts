import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readWeights } from './accept.ts';

export type Encoding = 'identity' | 'gzip' | 'br';

/** Longer than any browser's or library's: not worth reading. */
const MAX_HEADER_LENGTH = 200;

/** The best of our encodings that a client takes (RFC 9110, section 12.5.3), plain where it takes none. */
export function chooseEncoding(header = ''): Encoding {
  if (header.length > MAX_HEADER_LENGTH) return 'identity';
  const offered = new Map(readWeights(header).map(({ name, quality }) => [name, quality]));
  const any = offered.get('*') ?? 0;
  const br = offered.get('br') ?? any;
  const zip = offered.get('gzip') ?? offered.get('x-gzip') ?? any;
  if (br > 0 && br >= zip) return 'br';
  return zip > 0 ? 'gzip' : 'identity';
}

/** A body as it goes over the wire. */
export interface EncodedBody {
  bytes: Buffer;
  encoding: Encoding;
}

/** How much work is put into making a body small. */
interface Effort {
  /** Smaller bodies are sent plain. */
  fromBytes: number;
  gzipLevel: number;
  brotliQuality: number;
}

/** For a body that is sent once: 640 kB in under 10 ms. */
export const ONCE: Effort = { fromBytes: 4_096, gzipLevel: 1, brotliQuality: 4 };

/** For a body that is sent again and again. Brotli's 5 costs about as much as gzip's 6; 11 would take a second. */
export const OFTEN: Effort = { fromBytes: 1_024, gzipLevel: 6, brotliQuality: 5 };

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Compresses off the event loop. */
export async function encodeBody(plain: Buffer, encoding: Encoding, effort: Effort): Promise<EncodedBody> {
  if (encoding === 'identity' || plain.length < effort.fromBytes)
    return { bytes: plain, encoding: 'identity' };
  if (encoding === 'gzip') return { bytes: await gzipAsync(plain, { level: effort.gzipLevel }), encoding };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort.brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  return { bytes: await brotliAsync(plain, { params }), encoding };
}
