import type { ByteTape } from './byte-tape.ts';
import { decodeEntities } from './entities.ts';

// JSON strings of the upstream, from their bytes to our bytes: `\uXXXX` becomes UTF-8, `\/` a slash, HTML entities
// their character. Whatever is unusual makes the copy give up; the caller then takes the slow and general way.

const QUOTE = 0x22;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const SEMICOLON = 0x3b;

/** `\uXXXX`. */
const ESCAPE_LENGTH = 6;
const ESCAPED_UNIT = 0x5c75;

/** 1 for bytes that end a run of plain ones: controls, quote, ampersand, backslash. */
const STOPS = new Uint8Array(256);
STOPS.fill(1, 0, 0x20);
for (const byte of [QUOTE, AMPERSAND, BACKSLASH]) STOPS[byte] = 1;

/**
 * The code unit of `XXXX`; above 0xffff where it is none. All four digits at once: each byte's low half, and 9 more
 * where bit 6 says that it is a letter. A digit must come out under 10 and a letter from 10 to 15, from a byte whose
 * high half is 3, or 4 or 6.
 */
function codeUnitAt(input: DataView, at: number): number {
  const text = input.getInt32(at);
  const letters = (text >> 6) & 0x0101_0101;
  const values = (text & 0x0f0f_0f0f) + letters * 9;
  const isHex =
    (((text | (letters << 5)) & 0xf0f0_f0f0) | 0) === 0x3030_3030 + letters * 0x30 &&
    (values & 0x1010_1010) === 0 &&
    ((values + 0x0606_0606) & 0x1010_1010) === letters << 4;
  if (!isHex) return 0x1_0000;
  return ((values >> 12) & 0xf000) | ((values >> 8) & 0xf00) | ((values >> 4) & 0xf0) | (values & 0xf);
}

/** Escapes that JSON.stringify writes the same way: `\" \\ \b \f \n \r \t`. */
const KEPT_ESCAPES = new Uint8Array(256);
for (const character of '"\\bfnrt') KEPT_ESCAPES[character.charCodeAt(0)] = 1;

/** The longest entity, `&#x10ffff;`. */
const MAX_ENTITY = 10;

interface Entity {
  /** What stands for it in JSON. */
  bytes: Buffer;
  /** Of the entity as it was read. */
  length: number;
}

const asJson = (decoded: string) => Buffer.from(JSON.stringify(decoded).slice(1, -1));

/** What PHP's htmlspecialchars makes, which is nearly all that ever comes. */
const USUAL_ENTITIES = ['&amp;', '&quot;', '&lt;', '&gt;', '&#039;'].map((text) => ({
  read: Buffer.from(text),
  bytes: asJson(decodeEntities(text)),
  length: text.length,
}));

function startsAt(input: Buffer, at: number, text: Buffer): boolean {
  for (let i = 1; i < text.length; i++) if (input[at + i] !== text[i]) return false;
  return true;
}

/** The entity at an ampersand; null where there is none. */
function entityAt(input: Buffer, at: number): Entity | null {
  for (const usual of USUAL_ENTITIES) if (startsAt(input, at, usual.read)) return usual;
  const semicolon = input.subarray(at, at + MAX_ENTITY).indexOf(SEMICOLON);
  if (semicolon < 0) return null;
  const text = input.toString('latin1', at, at + semicolon + 1);
  // Escapes and the like within: not for this way.
  if (!/^&[#0-9a-z]+;$/i.test(text)) return null;
  const decoded = decodeEntities(text);
  return decoded === text ? null : { bytes: asJson(decoded), length: text.length };
}

/** Writes a code unit (and the second of a pair) as UTF-8; the number of input bytes taken, 0 for what is unusual. */
function copyCodeUnit(tape: ByteTape, at: number, end: number): number {
  const { inputView, output } = tape;
  if (at + ESCAPE_LENGTH > inputView.byteLength) return 0;
  const unit = codeUnitAt(inputView, at + 2);
  if (unit < 0x800) {
    // Controls, quotes, ampersands and backslashes have forms of their own.
    if (unit < 0x80) {
      if (STOPS[unit] === 1) return 0;
      output[end] = unit;
      tape.end = end + 1;
      return 6;
    }
    output[end] = 0xc0 | (unit >> 6);
    output[end + 1] = 0x80 | (unit & 0x3f);
    tape.end = end + 2;
    return 6;
  }
  return copyPair(tape, at, end, unit);
}

function copyPair(tape: ByteTape, at: number, end: number, high: number): number {
  const { input, inputView, output } = tape;
  if (high > 0xdbff || at + 2 * ESCAPE_LENGTH > input.length) return 0;
  if (input[at + 6] !== BACKSLASH || input[at + 7] !== LOWER_U) return 0;
  const low = codeUnitAt(inputView, at + 8);
  if (low < 0xdc00 || low > 0xdfff) return 0;
  const point = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  output[end] = 0xf0 | (point >> 18);
  output[end + 1] = 0x80 | ((point >> 12) & 0x3f);
  output[end + 2] = 0x80 | ((point >> 6) & 0x3f);
  output[end + 3] = 0x80 | (point & 0x3f);
  tape.end = end + 4;
  return 12;
}

/** Copies an entity, or the ampersand alone; the number of input bytes taken, 0 for what is unusual. */
function copyAmpersand(tape: ByteTape, at: number, end: number): number {
  const entity = entityAt(tape.input, at);
  if (entity === null) {
    tape.output[end] = AMPERSAND;
    tape.end = end + 1;
    return 1;
  }
  if (entity.bytes.length > entity.length) return 0;
  tape.output.set(entity.bytes, end);
  tape.end = end + entity.bytes.length;
  return entity.length;
}

/** Copies what follows a backslash; the number of input bytes taken with it, 0 for what is unusual. */
function copyEscape(tape: ByteTape, at: number, end: number): number {
  const { input, output } = tape;
  const next = input[at + 1] as number;
  if (next === LOWER_U) return copyCodeUnit(tape, at, end);
  if (next === 0x2f) {
    output[end] = 0x2f;
    tape.end = end + 1;
    return 2;
  }
  if (KEPT_ESCAPES[next] !== 1) return 0;
  output[end] = BACKSLASH;
  output[end + 1] = next;
  tape.end = end + 2;
  return 2;
}

/**
 * Copies a string from quote to quote. The bytes must be UTF-8. False for what is not a string, or has something
 * unusual in it (a lone surrogate, an escaped ampersand ...): nothing of the tape counts then.
 */
export function copyText(tape: ByteTape): boolean {
  const { input, inputView, output, outputView } = tape;
  const lastEscape = input.length - ESCAPE_LENGTH;
  let { at, end } = tape;
  if (input[at] !== QUOTE) return false;
  output[end++] = QUOTE;
  at++;
  for (;;) {
    let byte = input[at] as number;
    while (STOPS[byte] === 0) {
      output[end++] = byte;
      byte = input[++at] as number;
    }
    if (byte === QUOTE) {
      output[end] = QUOTE;
      tape.at = at + 1;
      tape.end = end + 1;
      return true;
    }
    if (byte === BACKSLASH) {
      // The most frequent by far, and so written out here: runs of kana, kanji and their punctuation.
      const first = at;
      while (at <= lastEscape && inputView.getUint16(at) === ESCAPED_UNIT) {
        const unit = codeUnitAt(inputView, at + 2);
        if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) || unit > 0xffff) break;
        const utf8 = ((unit & 0xf000) << 12) | ((unit & 0xfc0) << 10) | ((unit & 0x3f) << 8);
        outputView.setInt32(end, 0xe080_8000 | utf8);
        end += 3;
        at += ESCAPE_LENGTH;
      }
      if (at > first) continue;
    }
    if (byte !== BACKSLASH && byte !== AMPERSAND) return false;
    const taken = byte === BACKSLASH ? copyEscape(tape, at, end) : copyAmpersand(tape, at, end);
    if (taken === 0) return false;
    at += taken;
    ({ end } = tape);
  }
}
