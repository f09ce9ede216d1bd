import { monthOf, zoneOffset } from './date-words.ts';

/** A date as a registry states it, before the registry's own order, zone and calendar are applied. */
export interface StatedDate {
  year: number;
  month: number;
  day: number;
  /** Second of the day; -1 where only a day is stated. */
  second: number;
  /** Minutes east of UTC; null where no zone is stated. */
  offset: number | null;
  /** Day and month were two numbers before the year, told apart only by the registry's own order. */
  numericOrder: boolean;
  /** The year had two digits among numbers only, so that even its place is the registry's own. */
  shortYear?: boolean;
}

const LONGEST = 80;
const DIGITS = /^\d+$/;
/** Blanks, `.`, `/`, `-`, `,` between the numbers of a date; ordinals and full stops are dropped before. */
const TOKEN = /\d+|\p{L}[\p{L}\p{M}]*|[:+\-./,@#()]/gu;

/** Reads the first date in a value; null where there is none that can be read without guessing. */
export function readStatedDate(value: string): StatedDate | null {
  return readIso(value) ?? readTokens(value.slice(0, LONGEST));
}

function digitsAt(text: string, at: number, count: number): number {
  let number = 0;
  for (let i = at; i < at + count; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** `YYYY-MM-DD`, with or without time and zone: what most registries send, so it gets a way of its own. */
function readIso(value: string): StatedDate | null {
  const year = digitsAt(value, 0, 4);
  const separator = value.charCodeAt(4);
  if (year < 0 || (separator !== 45 && separator !== 47 && separator !== 46)) return null;
  const month = digitsAt(value, 5, 2);
  const day = digitsAt(value, 8, 2);
  if (month < 0 || day < 0 || value.charCodeAt(7) !== separator) return null;
  if (digitsAt(value, 10, 1) >= 0) return null;
  const date: StatedDate = { year, month, day, second: -1, offset: null, numericOrder: false };
  const joint = value.charCodeAt(10);
  if (joint === 84 || joint === 116 || joint === 32) readTime(value, 11, date);
  return check(date);
}

/** Reads `HH:MM[:SS[.fff]]` and the zone behind it into `date`. */
function readTime(value: string, from: number, date: StatedDate): void {
  let at = from;
  while (value.charCodeAt(at) === 32) at++;
  const hourDigits = digitsAt(value, at, 2) >= 0 ? 2 : 1;
  const hour = digitsAt(value, at, hourDigits);
  at += hourDigits;
  if (hour < 0 || hour > 24 || value.charCodeAt(at) !== 58) return;
  const minute = digitsAt(value, at + 1, 2);
  if (minute < 0 || minute > 59) return;
  at += 3;
  let second = 0;
  if (value.charCodeAt(at) === 58 && digitsAt(value, at + 1, 2) >= 0) {
    second = Math.min(digitsAt(value, at + 1, 2), 59);
    at += 3;
    if (value.charCodeAt(at) === 46 || value.charCodeAt(at) === 44) {
      at++;
      while (digitsAt(value, at, 1) >= 0) at++;
    }
  }
  date.second = hour * 3600 + minute * 60 + second;
  date.offset = zoneOffset(value, at);
}

interface Token {
  text: string;
  at: number;
}

/** Every other shape: cut into numbers, words and marks, then looked at from left to right. */
function readTokens(value: string): StatedDate | null {
  const tokens: Token[] = [];
  for (const match of value.matchAll(TOKEN)) tokens.push({ text: match[0], at: match.index });
  const date = readNamedMonth(tokens) ?? readNumbers(tokens);
  if (date === null) return null;
  const colon = tokens.findIndex((token) => token.text === ':');
  const hour = tokens[colon - 1];
  if (date.second < 0 && hour !== undefined && DIGITS.test(hour.text)) readTime(value, hour.at, date);
  return check(date);
}

/** `12-Jul-2013`, `2nd April, 2001`, `Mar 25 01:57:22 PDT 2009`, `2008-May-06`. */
function readNamedMonth(tokens: Token[]): StatedDate | null {
  const index = tokens.findIndex((token) => monthOf(token.text) > 0);
  const name = tokens[index];
  if (name === undefined) return null;
  let year = -1;
  let day = -1;
  for (const [at, token] of tokens.entries()) {
    if (!DIGITS.test(token.text) || tokens[at - 1]?.text === ':' || tokens[at + 1]?.text === ':') continue;
    if (tokens[at - 1]?.text === '+' || token.text.length > 4) continue;
    const number = Number(token.text);
    if (token.text.length === 4 && year < 0) year = number;
    else if (token.text.length <= 2 && day < 0) day = number;
    else if (token.text.length === 2 && year < 0) year = number + (number < 70 ? 2000 : 1900);
  }
  if (year < 0 || day < 0) return null;
  return { year, month: monthOf(name.text), day, second: -1, offset: null, numericOrder: false };
}

/** `20130814`, `2010. 03. 22.`, `14.07.2000`, `7/31/2019`; leading words and addresses are passed over. */
function readNumbers(tokens: Token[]): StatedDate | null {
  for (let at = 0; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? '';
    if (!DIGITS.test(text)) continue;
    const packed = readPacked(text);
    if (packed !== null) return packed;
    const [second, third] = [numberAfter(tokens, at), numberAfter(tokens, at + 2)];
    if (second === null || third === null) continue;
    const first = Number(text);
    const base = { second: -1, offset: null };
    const thirdText = tokens[at + 4]?.text ?? '';
    if (text.length === 4) return { ...base, year: first, month: second, day: third, numericOrder: false };
    if (third >= 1000 && text.length <= 2) {
      return { ...base, year: third, month: second, day: first, numericOrder: true };
    }
    if (text.length <= 2 && thirdText.length === 2) {
      const year = third + (third < 70 ? 2000 : 1900);
      return { ...base, year, month: second, day: first, numericOrder: true, shortYear: true };
    }
  }
  return null;
}

/** The number two tokens on, where the token between is a date's separator. */
function numberAfter(tokens: Token[], at: number): number | null {
  const separator = tokens[at + 1]?.text;
  const number = tokens[at + 2]?.text;
  if (separator === undefined || number === undefined || !DIGITS.test(number) || number.length > 4)
    return null;
  return separator === '.' || separator === '/' || separator === '-' ? Number(number) : null;
}

/** `YYYYMMDD`, `YYYYMMDDHHMMSS`. */
function readPacked(text: string): StatedDate | null {
  if (text.length !== 8 && text.length !== 14) return null;
  const date: StatedDate = {
    year: digitsAt(text, 0, 4),
    month: digitsAt(text, 4, 2),
    day: digitsAt(text, 6, 2),
    second: -1,
    offset: null,
    numericOrder: false,
  };
  if (date.year < 1970 || date.month > 12 || date.day > 31) return null;
  if (text.length === 14) {
    date.second = digitsAt(text, 8, 2) * 3600 + digitsAt(text, 10, 2) * 60 + digitsAt(text, 12, 2);
  }
  return date;
}

/** `0001-01-01` means never at CentralNic; `0000-00-00` means nothing at all. */
function check(date: StatedDate): StatedDate | null {
  const high = Math.max(date.month, date.day);
  const low = Math.min(date.month, date.day);
  if (
    date.year < 1300 ||
    low < 1 ||
    high > 31 ||
    (date.month > 12 && !(date.numericOrder && date.day <= 12))
  ) {
    return null;
  }
  return date;
}
