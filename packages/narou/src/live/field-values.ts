import type { Problems } from './read-list.ts';

export type FieldKind = 'text' | 'datetime' | 'integer' | 'flag';

/** `0000-00-00 00:00:00` states no time, nor does the beginning of 1970: the site opened in 2004. */
const DATE_TIME = /^2\d{3}-(?!00)\d\d-(?!00)\d\d \d\d:\d\d:\d\d$/;

/** Maximum characters of one text. The site allows 1,000 for the longest. */
const MAX_LETTERS = 20_000;

/** Whether a text is longer than any that the site allows. Its field is omitted, the rest of its record is served. */
export const isOverlong = (value: unknown): value is string =>
  typeof value === 'string' && value.length > MAX_LETTERS;

const asNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : undefined;
};

const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function character(code: number, entity: string): string {
  const valid = code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : entity;
}

/**
 * Undoes the HTML escaping of the upstream's strings exactly once: `&amp;lt;` becomes `&lt;`, which is what the
 * author wrote. Entities that the upstream does not produce (`&hearts;`) stay.
 */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity: string, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return character(Number.parseInt(hex, 16), entity);
    if (decimal !== undefined) return character(Number(decimal), entity);
    return NAMED[(name ?? '').toLowerCase()] ?? entity;
  });
}

/** What strict parsers of JSON and XML refuse: halves of characters, non-characters, ASCII controls but white space. */
const UNPRINTABLE = /(?![\t\n\r\u007f-\u009f])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** A text as its author wrote it, without what no reader can show. */
export const readText = (text: string): string => decodeEntities(text).replace(UNPRINTABLE, '');

/**
 * A field in its published type. A number written as text, a text that is a number and a flag that is a boolean are
 * converted and reported; anything else is reported and omitted (undefined): half an author's id is no id.
 */
export function readField(value: unknown, kind: FieldKind, name: string, problems: Problems): unknown {
  if (kind === 'text') {
    if (typeof value === 'string') return readText(value);
    problems.note('mistyped_field', name);
    // JSON.parse makes Infinity of a number that is too long.
    return Number.isFinite(value) ? String(value) : undefined;
  }
  if (kind === 'datetime') {
    if (typeof value === 'string' && DATE_TIME.test(value)) return value;
    problems.note('mistyped_field', name);
    return undefined;
  }
  if (kind === 'flag') {
    if (value === 0 || value === 1) return value;
  } else if (Number.isSafeInteger(value)) return value;
  problems.note('mistyped_field', name);
  const number = asNumber(value);
  if (number === undefined) return undefined;
  if (kind === 'flag') return number === 0 || number === 1 ? number : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** An unknown field: passed on, with its text decoded. */
export function readUnknownField(value: unknown): unknown {
  return typeof value === 'string' ? readText(value) : value;
}
