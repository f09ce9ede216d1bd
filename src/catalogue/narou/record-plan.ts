import { OF_FIELDS, findOfField, ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { OfSelection } from '../catalogue-source.ts';
import { knownBytes } from './byte-tape.ts';
import type { KnownBytes } from './byte-tape.ts';
import { knownField } from './novel-fields.ts';
import type { KnownField } from './novel-fields.ts';

/** One member of every record of an answer: how its key is read and written, and what its value is. */
export interface PlannedField {
  /** The published name. */
  field: string;
  /** `"title":` as the upstream writes it. */
  rawKey: KnownBytes;
  /** The same behind the value before it: `,"title":`. */
  nextRawKey: KnownBytes;
  /** The key as published, where that is another one. */
  publishedKey: KnownBytes | undefined;
  /** `unknown`: a text or a whole number, passed through. */
  kind: KnownField['kind'] | 'unknown';
  /** By code, `,"genre_label":"..."`. */
  labels: ReadonlyMap<number, KnownBytes> | undefined;
}

/** The members of every record, in their order. */
export type RecordPlan = readonly PlannedField[];

function planField(name: string): PlannedField {
  const known = knownField(name);
  const field = known?.field ?? name;
  const labels = [...(known?.labels ?? [])].map(([code, label]): [number, KnownBytes] => [
    code,
    knownBytes(`,${JSON.stringify(`${field}_label`)}:${JSON.stringify(label)}`),
  ]);
  return {
    field,
    rawKey: knownBytes(`"${name}":`),
    nextRawKey: knownBytes(`,"${name}":`),
    publishedKey: field === name ? undefined : knownBytes(`"${field}":`),
    kind: known?.kind ?? 'unknown',
    labels: known?.labels && new Map(labels),
  };
}

const KNOWN_PLANS = new Map(
  [...OF_FIELDS.map((row) => row.field), 'novel_type', 'gensaku'].map((name) => [name, planField(name)]),
);

/** A key at the start of a text: plain names only, as all of the upstream's are. */
const KEY = /^"([a-z0-9_]{1,40})":/;

/** The member whose key stands at the start of a text; null where none of a plain name does. */
export function fieldAt(text: string): PlannedField | null {
  const name = KEY.exec(text)?.[1];
  if (name === undefined || name === '__proto__') return null;
  return KNOWN_PLANS.get(name) ?? planField(name);
}

/**
 * Whether records of this plan are what was asked for: exactly the fields of `of` in the order of the table, or
 * without it at least all that the interface has. Others have to be put in order, or have something to report.
 */
export function isPlanFor(plan: RecordPlan, upstream: NovelInterface, of: OfSelection): boolean {
  const fields = plan.map(({ field }) => field);
  if (new Set(fields).size !== fields.length) return false;
  const expected = (of ?? ofCodesServedBy(upstream)).map((code) => findOfField(code)?.field ?? code);
  if (of === undefined) return expected.every((field) => fields.includes(field));
  return expected.length === fields.length && expected.every((field, i) => field === fields[i]);
}
