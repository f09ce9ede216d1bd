import { decodeEntities } from './entities.ts';
import type { Problems } from './problems.ts';

export type FieldKind = 'text' | 'datetime' | 'integer' | 'flag';

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Letters of one text. The site allows 1,000 for the longest. */
const MOST_LETTERS = 20_000;

/** Whether a text is longer than any that the site allows. Its field is left out, and its record is served without. */
export const isOverlong = (value: unknown): boolean =>
  typeof value === 'string' && value.length > MOST_LETTERS;

const asNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : undefined;
};

/**
 * A field in the type that is published. A number written as text or with a fraction, a text that is a number and a
 * flag that is a boolean are converted and noted; what cannot be converted is noted and left out (undefined).
 */
export function readField(value: unknown, kind: FieldKind, name: string, problems: Problems): unknown {
  if (kind === 'text') {
    if (typeof value === 'string') return decodeEntities(value);
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
  return Number.isSafeInteger(Math.round(number)) ? Math.round(number) : undefined;
}

/** A field that this service does not know: it goes through, text decoded like all text. */
export function readUnknownField(value: unknown): unknown {
  return typeof value === 'string' ? decodeEntities(value) : value;
}

export type RawRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
