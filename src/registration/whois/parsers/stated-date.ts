import { isMark, tokensOf, type Token } from './date-tokens.ts';
import { zoneOffset } from './date-words.ts';

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
  shortYear: boolean;
}

/** Reads the first date in a value; null where there is none that can be read without guessing. */
export function readStatedDate(value: string): StatedDate | null {
  const iso = readIso(value);
  if (iso !== null) return check(iso);
  const tokens = tokensOf(value);
  const date = readNamedMonth(tokens) ?? readNumbers(value, tokens);
  if (date === null) return null;
  if (date.second < 0) readClock(value, tokens, date);
  return check(date);
}

function stated(year: number, month: number, day: number): StatedDate {
  return { year, month, day, second: -1, offset: null, numericOrder: false, shortYear: false };
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

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** `YYYY-MM-DD`, with or without time and zone: what most registries send, so it gets a way of its own. */
function readIso(value: string): StatedDate | null {
  const separator = value.charCodeAt(4);
  if (separator !== 45 && separator !== 47 && separator !== 46) return null;
  if (value.charCodeAt(7) !== separator || isDigitAt(value, 10)) return null;
  const year = digitsAt(value, 0, 4);
  const month = digitsAt(value, 5, 2);
  const day = digitsAt(value, 8, 2);
  if (year < 0 || month < 0 || day < 0) return null;
  const date = stated(year, month, day);
  const joint = value.charCodeAt(10);
  if (joint === 84 || joint === 116 || joint === 32) readTime(value, 11, date);
  return date;
}

/** Reads `HH:MM[:SS[.fff]]` and the zone behind it into `date`. */
function readTime(value: string, from: number, date: StatedDate): void {
  let at = from;
  while (value.charCodeAt(at) === 32) at++;
  const width = isDigitAt(value, at + 1) ? 2 : 1;
  const hour = digitsAt(value, at, width);
  const minute = digitsAt(value, at + width + 1, 2);
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || value.charCodeAt(at + width) !== 58) return;
  at += width + 3;
  let second = 0;
  if (value.charCodeAt(at) === 58 && digitsAt(value, at + 1, 2) >= 0) {
    second = Math.min(digitsAt(value, at + 1, 2), 59);
    at += 3;
    if ((value.charCodeAt(at) === 46 || value.charCodeAt(at) === 44) && isDigitAt(value, at + 1)) {
      at++;
      while (isDigitAt(value, at)) at++;
    }
  }
  date.second = hour * 3600 + minute * 60 + second;
  date.offset = zoneOffset(value, at);
}

/** The time of day, where a colon stands between two numbers. */
function readClock(value: string, tokens: readonly Token[], date: StatedDate): void {
  for (let at = 1; at < tokens.length; at++) {
    const hour = tokens[at - 1];
    if (!isMark(tokens[at], 58) || hour?.kind !== 'number') continue;
    readTime(value, hour.at, date);
    return;
  }
}

/** `12-Jul-2013`, `2nd April, 2001`, `Mar 25 01:57:22 PDT 2009`, `2008-May-06`. */
function readNamedMonth(tokens: readonly Token[]): StatedDate | null {
  const month = tokens.find(({ kind }) => kind === 'month');
  if (month === undefined) return null;
  let year = -1;
  let day = -1;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== 'number' || token.length > 4) continue;
    // Parts of a time, and the hours of a zone.
    if (isMark(tokens[at - 1], 58) || isMark(tokens[at + 1], 58) || isMark(tokens[at - 1], 43)) continue;
    if (token.length === 4 && year < 0) year = token.value;
    else if (token.length <= 2 && day < 0) day = token.value;
    else if (token.length === 2 && year < 0) year = fullYear(token.value);
  }
  return year < 0 || day < 0 ? null : stated(year, month.value, day);
}

function fullYear(short: number): number {
  return short + (short < 70 ? 2000 : 1900);
}

/** `20130814`, `2010. 03. 22.`, `14.07.2000`, `7/31/2019`; leading words and addresses are passed over. */
function readNumbers(value: string, tokens: readonly Token[]): StatedDate | null {
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at];
    if (first?.kind !== 'number') continue;
    if (first.length === 8 || first.length === 14) {
      const packed = readPacked(value, first);
      if (packed !== null) return packed;
    }
    const second = numberAfter(tokens, at);
    const third = numberAfter(tokens, at + 2);
    if (second === null || third === null) continue;
    if (first.length === 4 && third.length <= 2) return stated(first.value, second.value, third.value);
    if (first.length > 2 || second.length > 2 || third.length === 3) continue;
    if (third.length !== 4 && third.length !== 2) continue;
    const year = third.length === 4 ? third.value : fullYear(third.value);
    const date = stated(year, second.value, first.value);
    date.numericOrder = true;
    date.shortYear = third.length === 2;
    return date;
  }
  return null;
}

/** The number two tokens on, where the token between is a date's separator. */
function numberAfter(tokens: readonly Token[], at: number): Token | null {
  const separator = tokens[at + 1];
  const number = tokens[at + 2];
  if (number?.kind !== 'number' || number.length > 4) return null;
  return isMark(separator, 46) || isMark(separator, 47) || isMark(separator, 45) ? number : null;
}

/** `YYYYMMDD`, `YYYYMMDDHHMMSS`. */
function readPacked(value: string, { at, length }: Token): StatedDate | null {
  const date = stated(digitsAt(value, at, 4), digitsAt(value, at + 4, 2), digitsAt(value, at + 6, 2));
  if (date.year < 1970 || date.month > 12 || date.day > 31) return null;
  if (length === 14) {
    date.second =
      digitsAt(value, at + 8, 2) * 3600 + digitsAt(value, at + 10, 2) * 60 + digitsAt(value, at + 12, 2);
  }
  return date;
}

/** `0001-01-01` means never at CentralNic; `0000-00-00` means nothing at all. */
function check(date: StatedDate): StatedDate | null {
  const high = Math.max(date.month, date.day);
  const low = Math.min(date.month, date.day);
  if (date.year < 1300 || low < 1 || high > 31) return null;
  return date.month > 12 && !(date.numericOrder && date.day <= 12) ? null : date;
}
