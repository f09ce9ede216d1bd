/*
 * Compares a line with the known sentences by first and last word. This excludes nearly all lines, at a tenth of the cost
 * of masking.
 */

/** Replaces words that masking may change: numbers, hosts, addresses, non-ASCII words. */
const ANY = '*';
const PLAIN_WORD = /^[a-z]+$/;

const plainOrAny = (word: string) => (PLAIN_WORD.test(word) ? word : ANY);

/** First word of a masked sentence. */
export function firstWordOf(masked: string): string {
  const end = masked.indexOf(' ');
  return plainOrAny(end < 0 ? masked : masked.slice(0, end));
}

/** Last word of a masked sentence. */
export function lastWordOf(masked: string): string {
  return plainOrAny(masked.slice(masked.lastIndexOf(' ') + 1));
}

/** The first word of a line in lower case, or `ANY`. */
export function firstWord(line: string): string {
  let start = 0;
  while (start < line.length && !isWordChar(line.charCodeAt(start))) start++;
  let end = start;
  while (end < line.length && isWordChar(line.charCodeAt(end))) end++;
  let next = end;
  while (isNameChar(line.charCodeAt(next))) next++;
  return isGlue(line, next) || line.charCodeAt(start - 1) === DOT ? ANY : wordAt(line, start, end);
}

/** The last word of a line in lower case, or `ANY`. */
export function lastWord(line: string): string {
  let end = line.length;
  while (end > 0 && !isWordChar(line.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > 0 && isWordChar(line.charCodeAt(start - 1))) start--;
  let previous = start - 1;
  while (isNameChar(line.charCodeAt(previous))) previous--;
  return isGlue(line, previous) ? ANY : wordAt(line, start, end);
}

function wordAt(line: string, start: number, end: number): string {
  for (let at = start; at < end; at++) {
    const code = line.charCodeAt(at) | 32;
    if (code < 97 || code > 122) return ANY;
  }
  return line.slice(start, end).toLowerCase();
}

const HYPHEN = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const AT = 64;
const UNDERSCORE = 95;

/** Whether a separator of a host, an address or a URL joins two words. A zone starts with a dot. */
function isGlue(line: string, at: number): boolean {
  const char = line.charCodeAt(at);
  if (char === DOT) return isWordChar(line.charCodeAt(at + 1));
  return char === AT || char === SLASH || (char === COLON && line.charCodeAt(at + 1) === SLASH);
}

function isNameChar(code: number): boolean {
  return code === HYPHEN || code === UNDERSCORE || isWordChar(code);
}

/** An ASCII letter or digit, or a non-ASCII character. */
function isWordChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code > 127
  );
}
