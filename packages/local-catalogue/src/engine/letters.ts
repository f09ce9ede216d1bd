import { KEY_LETTERS, KEY_WORDS } from './layout.ts';

const BLANKS = [
  9, 10, 11, 12, 13, 0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff, 0x2000, 0x2001,
  0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a,
];

/**
 * 1 for UTF-16 units that no word contains: the blanks of `\s`, which separate words, and 0, which pads keys. (A text
 * with U+0000 is not indexed, see `isOversized`.)
 */
export const IS_BLANK: Uint8Array = new Uint8Array(65_536);
for (const unit of [0, ...BLANKS]) IS_BLANK[unit] = 1;

/**
 * Writes the key of a position: its eight letters, up to a blank or the end of the text, padded with zeros. Keys sort
 * like their letters, by UTF-16 unit. Typed arrays are read with `as number` here and elsewhere: all reads are in
 * bounds, and a check in loops of a hundred million rounds takes seconds.
 */
export function packKey(units: Uint16Array, at: number, end: number, key: Uint32Array, keyAt: number): void {
  let from = at;
  for (let word = keyAt; word < keyAt + KEY_WORDS; word++) {
    const high = from < end ? (units[from] as number) : 0;
    const low = from + 1 < end ? (units[from + 1] as number) : 0;
    const isHighBlank = IS_BLANK[high] === 1;
    const isLowBlank = isHighBlank || IS_BLANK[low] === 1;
    key[word] = ((isHighBlank ? 0 : high) << 16) | (isLowBlank ? 0 : low);
    from = isLowBlank ? end : from + 2;
  }
}

/** Negative if the first key sorts before the second. */
export function compareKeys(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number): number {
  for (let word = 0; word < KEY_WORDS; word++) {
    const difference = (a[aAt + word] as number) - (b[bAt + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function toUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** The least or the greatest key that begins with a word of at most eight letters. */
export function keyOfWord(word: string, padding: '\0' | '\uffff'): Uint32Array {
  const key = new Uint32Array(KEY_WORDS);
  packKey(toUnits(word.padEnd(KEY_LETTERS, padding)), 0, KEY_LETTERS, key, 0);
  return key;
}

/** Length of the common prefix of two keys, in letters. */
export function commonLetters(keys: Uint32Array, at: number, otherAt: number): number {
  for (let word = 0; word < KEY_WORDS; word++) {
    const difference = (keys[at + word] as number) ^ (keys[otherAt + word] as number);
    if (difference !== 0) return word * 2 + (difference >>> 16 === 0 ? 1 : 0);
  }
  return KEY_LETTERS;
}

/** The first letters of a key; null if it has fewer. */
export function lettersOf(keys: Uint32Array, at: number, count: number): string | null {
  let text = '';
  for (let letter = 0; letter < count; letter++) {
    const pair = keys[at + (letter >> 1)] as number;
    const unit = letter % 2 === 0 ? pair >>> 16 : pair & 0xffff;
    if (unit === 0) return null;
    text += String.fromCharCode(unit);
  }
  return text;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Meaning of a letter after a backslash, except for `u` with four digits. */
const ESCAPED = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }).map(
    ([letter, meaning]) => [letter.charCodeAt(0), meaning.charCodeAt(0)],
  ),
);

/** Length of a UTF-8 character by its first byte; 0 for an escape. */
const LETTER_BYTES = Uint8Array.from({ length: 256 }, (_, first) =>
  first === BACKSLASH ? 0 : first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4,
);

/** Bytes of the letter at a place of a JSON text. */
function bytesAt(json: Uint8Array, at: number): number {
  return LETTER_BYTES[json[at] as number] || (ESCAPED.has(json[at + 1] as number) ? 2 : 6);
}

/** Decodes the letter at a place of a JSON text; `bytes`: its length, from `bytesAt`. */
function letterAt(json: Uint8Array, at: number, bytes: number): number {
  const first = json[at] as number;
  if (bytes === 1) return first;
  if (bytes === 6) return Number.parseInt(String.fromCharCode(...json.subarray(at + 2, at + 6)), 16);
  if (first === BACKSLASH) return ESCAPED.get(json[at + 1] as number) as number;
  let letter = first & (0xff >> (bytes + 1));
  for (let next = at + 1; next < at + bytes; next++) letter = (letter << 6) | ((json[next] as number) & 0x3f);
  return letter;
}

/**
 * Reads letters (UTF-16 units) of a text from its JSON (UTF-8, after the quote), from the `skip`th on, as many as fit.
 * Returns how many the text had.
 */
export function readLetters(json: Uint8Array, begin: number, skip: number, units: Uint16Array): number {
  let at = begin;
  let lettersLeft = skip;
  while (lettersLeft > 0) {
    if (((json[at] as number) & 0xf0) === 0xe0) {
      at += 3; // Most letters by far: a branch for them saves half the time.
      lettersLeft -= 1;
      continue;
    }
    const bytes = bytesAt(json, at);
    lettersLeft -= bytes === 4 ? 2 : 1;
    at += bytes;
  }
  let count = 0;
  if (lettersLeft < 0) units[count++] = lowHalf(letterAt(json, at - 4, 4)); // The first is the second of a pair.
  while (count < units.length && json[at] !== QUOTE) {
    const bytes = bytesAt(json, at);
    const letter = letterAt(json, at, bytes);
    units[count++] = bytes === 4 ? 0xd7c0 + (letter >> 10) : letter;
    if (bytes === 4 && count < units.length) units[count++] = lowHalf(letter);
    at += bytes;
  }
  return count;
}

const lowHalf = (letter: number): number => 0xdc00 + (letter & 0x3ff);
