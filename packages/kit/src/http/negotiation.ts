import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { Turns } from '../limits/turns.ts';

/** No browser sends more items; thousands would cost as much as a search. */
const MAX_ITEMS = 100;

/** The items of a header in lower case with their weights (RFC 9110, section 12.4.2); an invalid one is not above 0. */
const readWeights = (header: string): Map<string, number> =>
  new Map(
    header.split(',', MAX_ITEMS).map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      return [name, Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)];
    }),
  );

/** What a header prefers of what is offered, the first of equals; undefined if it accepts none. */
function preferred<Item>(offered: readonly Item[], weightOf: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  let greatest = 0;
  for (const item of offered) {
    const weight = weightOf(item);
    if (weight > greatest) [best, greatest] = [item, weight];
  }
  return best;
}

/** Weights have three decimals (RFC 9110, section 12.4.2): of equal ones, a name comes before a range. */
const NAMED_FIRST = 0.0001;

/** The offered type that an Accept header prefers; if it accepts none, the first. Never responds 406. */
export function preferredType(header = '', offered: readonly string[]): string | undefined {
  const weights = readWeights(header);
  const weightOf = (type: string) => {
    const ofRange = weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0;
    return weights.get(type) ?? ofRange - NAMED_FIRST;
  };
  return preferred(offered, weightOf) ?? offered[0];
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The encoding that a client prefers (RFC 9110, section 12.5.3); plain if it accepts none. */
export function chooseEncoding(header = ''): Encoding {
  const weights = readWeights(header);
  return preferred(ENCODINGS, (name) => weights.get(name) ?? weights.get('*') ?? 0) ?? 'identity';
}

/** Smaller bodies are not compressed. */
const COMPRESS_FROM_BYTES = 1_024;

/** Higher ones save a tenth of the bytes and take twice the time. */
const BROTLI_QUALITY = 4;

/** Each has memory of its own, ten times a short body. More than there can be of the largest bodies. */
const compressions = new Turns(8);

/** A thread compresses as much before it serves another body: a millisecond. */
const COMPRESSED_AT_ONCE = 65_536;

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += COMPRESSED_AT_ONCE)
    yield bytes.subarray(at, at + COMPRESSED_AT_ONCE);
}

/** Compresses a body off the event loop, those of several clients in turn. A short one is returned as it is. */
export async function encodeBody(
  plain: Buffer,
  encoding: Encoding,
  client?: string,
  brotliQuality = BROTLI_QUALITY,
): Promise<Buffer> {
  if (encoding === 'identity' || plain.length < COMPRESS_FROM_BYTES) return plain;
  await compressions.enter(undefined, client);
  try {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    // From a slice alone it takes a large body for a short one.
    const params = { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_SIZE_HINT]: plain.length };
    const compressor = encoding === 'gzip' ? createGzip() : createBrotliCompress({ params });
    return Buffer.concat(await Readable.from(slicesOf(plain)).pipe(compressor).toArray());
  } finally {
    compressions.leave();
  }
}
