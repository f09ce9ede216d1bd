const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const AMPERSAND = 0x26;

/** The upstream's responses are lists of records of plain values; an unknown field may be nested deeper. */
const MAX_DEPTH = 16;

/** 500 novels with all fields are 20,000; a history of 25 years in all rankings is 40,000. */
const MAX_VALUES = 100_000;

/**
 * Why a body is too deep or too large to be parsed: in memory a few bytes of `[[[` or `{},{},` become a hundred times
 * as many. Undefined if it may be parsed, whether it is JSON or not. HTML entities count as values, because each is
 * decoded. One pass over the bytes.
 */
export function excessOf(bytes: Buffer): string | undefined {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i++;
        while (i < bytes.length && bytes[i] !== QUOTE) {
          if (bytes[i] === AMPERSAND) values++;
          i += bytes[i] === BACKSLASH ? 2 : 1;
        }
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        if (++depth > MAX_DEPTH) return `it is more than ${MAX_DEPTH} levels deep`;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case COMMA:
        values++;
    }
    if (values > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
  }
  return undefined;
}
