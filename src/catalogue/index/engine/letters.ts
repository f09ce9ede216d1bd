import { KEY_LETTERS, KEY_WORDS } from './layout.ts';

const BLANKS = [
  ...[9, 10, 11, 12, 13, 0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
];

/**
 * 1 for UTF-16 units that no word can hold: the blanks of `\s`, which separate words, and 0, which fills keys up.
 * (A text that does hold U+0000 is odd, see records.ts.)
 */
export const IS_BLANK: Uint8Array = new Uint8Array(65_536);
for (const unit of [0, ...BLANKS]) IS_BLANK[unit] = 1;

/**
 * Writes the key of a position: its eight letters, up to a blank or the end of the text, filled up with zeros. Keys
 * sort as their letters do, unit by unit. Typed arrays are read with `as number` here and elsewhere: what is read is
 * in bounds, and a check in loops of a hundred million rounds costs seconds.
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

/** Negative where one key sorts before another. */
export function compareKeys(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number): number {
  for (let word = 0; word < KEY_WORDS; word++) {
    const difference = (a[aAt + word] as number) - (b[bAt + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A word of at most eight letters as the beginning of keys. */
export interface Prefix {
  readonly key: Uint32Array;
  /** The bits of a key that the word reaches to. */
  readonly mask: Uint32Array;
}

export function toUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

export function toPrefix(word: string): Prefix {
  const key = new Uint32Array(KEY_WORDS);
  const mask = new Uint32Array(KEY_WORDS);
  packKey(toUnits(word), 0, word.length, key, 0);
  for (let letter = 0; letter < word.length; letter++) {
    mask[letter >> 1] = (mask[letter >> 1] as number) | (letter % 2 === 0 ? 0xffff_0000 : 0xffff);
  }
  return { key, mask };
}

/** Negative where a key sorts before all keys that begin with the word, 0 where it begins with it. */
export function comparePrefix(keys: Uint32Array, at: number, { key, mask }: Prefix): number {
  for (let word = 0; word < KEY_WORDS; word++) {
    const bits = mask[word] as number;
    if (bits === 0) return 0;
    const difference = (((keys[at + word] as number) & bits) >>> 0) - (key[word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The letters two keys have in common from the first on. */
export function commonLetters(keys: Uint32Array, at: number, otherAt: number): number {
  for (let word = 0; word < KEY_WORDS; word++) {
    const difference = (keys[at + word] as number) ^ (keys[otherAt + word] as number);
    if (difference !== 0) return word * 2 + (difference >>> 16 === 0 ? 1 : 0);
  }
  return KEY_LETTERS;
}

/** The first letters of a key; null where it has fewer. */
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
