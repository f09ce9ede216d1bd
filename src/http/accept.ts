import { remember } from '../process/remember.ts';
import type { Encoding } from './encoding.ts';

/** Longer than any browser's or library's: not worth reading. */
const MAX_HEADER_LENGTH = 500;

/** Different ones of a name whose meaning is remembered. */
export const MAX_HEADERS = 1_000;

/** What a header lists, in small letters, each with its weight (RFC 9110, section 12.4.2); 1 for one that is none. */
function readWeights(header: string): { name: string; quality: number }[] {
  return header.split(',').map((text) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { name, quality: /^(?:1(?:\.0{0,3})?|0(?:\.\d{0,3})?)$/.test(weight) ? Number(weight) : 1 };
  });
}

/** How closely a range means a type: 3 by its name, 2 `text/*`, 1 any type, 0 not at all. */
function closeness(range: string, type: string): number {
  if (range === type) return 3;
  if (range === '*/*') return 1;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1)) ? 2 : 0;
}

/**
 * Which of the types offered an Accept header prefers (RFC 9110, section 12.5.1): the one it wants most, among equals
 * the one it names more closely, among those the one offered first. That one also where the header wants none of them:
 * nobody is refused an answer for his header.
 */
export function preferredType(header: string | undefined, offered: readonly string[]): string | undefined {
  const [first] = offered;
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return first;
  const ranges = readWeights(header);
  let best = { type: first, quality: 0, close: 0 };
  for (const type of offered) {
    let mine = { type, quality: 0, close: 0 };
    for (const { name: range, quality } of ranges) {
      const close = closeness(range, type);
      if (close > mine.close) mine = { type, quality, close };
    }
    const isBetter =
      mine.quality > best.quality || (mine.quality === best.quality && mine.close > best.close);
    if (mine.quality > 0 && isBetter) best = mine;
  }
  return best.type;
}

/** Whether a header wants JSON, whatever else there is. */
export function createJsonJudge(others: readonly string[]): (header: string | undefined) => boolean {
  if (others.length === 0) return () => true;
  const offered = ['application/json', ...new Set(others)];
  const judge = remember(MAX_HEADERS, (header) => preferredType(header, offered) === 'application/json');
  return (header = '*/*') => judge(header);
}

/** Longer than any browser's or library's: not worth reading. */
const MAX_ENCODINGS_LENGTH = 200;

/** The best of our encodings that a client takes (RFC 9110, section 12.5.3), plain where it takes none. */
export function chooseEncoding(header = ''): Encoding {
  if (header.length > MAX_ENCODINGS_LENGTH) return 'identity';
  const offered = new Map(readWeights(header).map(({ name, quality }) => [name, quality]));
  const any = offered.get('*') ?? 0;
  const br = offered.get('br') ?? any;
  const zip = offered.get('gzip') ?? offered.get('x-gzip') ?? any;
  if (br > 0 && br >= zip) return 'br';
  return zip > 0 ? 'gzip' : 'identity';
}
