import { decodeEntities } from './entities.ts';
import type { Problems } from './problems.ts';

export type FieldKind = 'text' | 'number';

/**
 * A field in the type that is published. A number written as text, a text that is a number and a boolean flag are
 * converted and noted; whatever cannot be converted is noted and left out (undefined).
 */
export function readField(value: unknown, kind: FieldKind, name: string, problems: Problems): unknown {
  if (kind === 'number') {
    if (typeof value === 'number') return value;
    problems.note('mistyped_field', name);
    if (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value)) return Number(value);
    return typeof value === 'boolean' ? Number(value) : undefined;
  }
  if (typeof value === 'string') return decodeEntities(value);
  problems.note('mistyped_field', name);
  return typeof value === 'number' ? String(value) : undefined;
}

/** A field that this service does not know: it goes through, text decoded like all text. */
export function readUnknownField(value: unknown): unknown {
  return typeof value === 'string' ? decodeEntities(value) : value;
}

export type RawRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
