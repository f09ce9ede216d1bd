const TAB = 9;
const SPACE = 32;
const HASH = 35;
const ASTERISK = 42;
const HYPHEN = 45;
const DOT = 46;

/** Blank within a line: space, tab, CR, NUL (seen in the wild), no-break and ideographic space. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === 13 || code === 0 || code === 0xa0 || code === 0x3000;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isAsciiLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

/** `%`, `#`, `>`, `;` and `//` open remarks in WHOIS texts. */
export function isRemark(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 37 || code === HASH || code === 62 || code === 59) return true;
  return code === 47 && text.charCodeAt(at + 1) === 47;
}

function afterBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Offset behind asterisks, or behind a hyphen with a blank: lists and boxes are drawn with them. */
export function afterBullet(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === ASTERISK) at++;
  if (at === start && text.charCodeAt(at) === HYPHEN && isBlank(text.charCodeAt(at + 1))) at++;
  return at === start ? start : afterBlanks(text, at, end);
}

/** Offset behind an enumerator such as `1a.`, `2)` or `12. `; the same offset where there is none. */
export function afterEnumerator(text: string, start: number, end: number): number {
  if (!isDigit(text.charCodeAt(start))) return start;
  let at = start + 1;
  if (isDigit(text.charCodeAt(at))) at++;
  if (isAsciiLetter(text.charCodeAt(at))) at++;
  const mark = text.charCodeAt(at);
  return (mark === DOT || mark === 41) && isBlank(text.charCodeAt(at + 1))
    ? afterBlanks(text, at + 1, end)
    : start;
}

/** A drawn line such as `-----` or `=====` under a heading: no content and no gap. */
export function isRule(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  if (code !== HYPHEN && code !== 61 && code !== 95 && code !== 43) return false;
  for (let at = start + 1; at < end; at++) {
    const next = text.charCodeAt(at);
    if (next !== code && !isBlank(next)) return false;
  }
  return end - start > 1;
}
