import { monthOf } from './date-words.ts';

const LONGEST = 80;
const MOST_TOKENS = 24;

/** A number, a word that names a month, or a mark between them; other words and blanks are left out. */
export interface Token {
  kind: 'number' | 'month' | 'mark';
  /** The number, the month from 1 to 12, or the mark's character code. */
  value: number;
  length: number;
  at: number;
}

/** Cuts a value of any other shape, to be looked at from left to right. */
export function tokensOf(value: string): Token[] {
  const tokens: Token[] = [];
  const end = Math.min(value.length, LONGEST);
  let at = 0;
  while (at < end && tokens.length < MOST_TOKENS) {
    const start = at;
    const code = value.charCodeAt(at++);
    if (isDigit(code)) {
      while (at < end && isDigit(value.charCodeAt(at))) at++;
      const length = at - start;
      tokens.push({
        kind: 'number',
        value: length > 14 ? -1 : Number(value.slice(start, at)),
        length,
        at: start,
      });
    } else if (isLetter(code)) {
      while (at < end && isLetter(value.charCodeAt(at))) at++;
      const month = monthOf(value.slice(start, at));
      if (month > 0) tokens.push({ kind: 'month', value: month, length: at - start, at: start });
    } else if (code > 32) {
      tokens.push({ kind: 'mark', value: code, length: 1, at: start });
    }
  }
  return tokens;
}

function isLetter(code: number): boolean {
  return ((code | 32) >= 97 && (code | 32) <= 122) || (code > 0xa0 && code !== 0x3000);
}

export function isMark(token: Token | undefined, code: number): boolean {
  return token?.kind === 'mark' && token.value === code;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
