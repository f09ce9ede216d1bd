import { GENRE_LABELS, NOCGENRE_LABELS } from '../novels/genres.ts';
import { OF_FIELDS, findOfField, ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import type { NovelRecord, OfSelection } from '../catalogue-source.ts';
import { readField, readUnknownField } from './field-values.ts';
import type { FieldKind, RawRecord } from './field-values.ts';
import type { Problems } from './problems.ts';

export interface KnownField {
  /** The published name. */
  field: string;
  kind: FieldKind;
  /** Published beside a code as `<field>_label`. */
  labels?: ReadonlyMap<number, string>;
}

const LABELS: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  genre: GENRE_LABELS,
  nocgenre: NOCGENRE_LABELS,
};

const KNOWN = new Map<string, KnownField>(
  OF_FIELDS.map(({ field, type }) => {
    const kind = type === 'integer' || type === 'flag' ? type : 'text';
    const labels = LABELS[field];
    return [field, labels ? { field, kind, labels } : { field, kind }];
  }),
);
// Without `of` the upstream says `novel_type`, with it `noveltype` (manual of novelapi).
KNOWN.set('novel_type', { field: 'noveltype', kind: 'integer' });

/** The published field of a name that the upstream uses. */
export const knownField = (name: string): KnownField | undefined => KNOWN.get(name);

/** A code without a label keeps an empty one, so that the field is there and a string. */
function labelOf(labels: ReadonlyMap<number, string>, code: unknown, field: string, problems: Problems) {
  const label = labels.get(code as number);
  if (label === undefined) problems.note('unknown_code', `${field} ${String(code)}`);
  return label ?? '';
}

function setField(record: NovelRecord, known: KnownField, raw: unknown, problems: Problems): void {
  const { field, kind, labels } = known;
  let value = readField(raw, kind, field, problems);
  if (value === undefined) return;
  if (field === 'ncode') value = (value as string).toUpperCase();
  record[field] = value;
  if (labels) record[`${field}_label`] = labelOf(labels, value, field, problems);
}

/** Reads one raw record to its published form. */
export type NovelReader = (raw: RawRecord) => NovelRecord;

/** All fields, in the upstream's order, known to this service or not. */
function wholeReader(upstream: NovelInterface, problems: Problems): NovelReader {
  const expected = ofCodesServedBy(upstream).map((code) => findOfField(code)?.field ?? code);
  return (raw) => {
    const record: NovelRecord = {};
    let knownCount = 0;
    for (const name in raw) {
      const known = KNOWN.get(name);
      if (known !== undefined) {
        knownCount++;
        setField(record, known, raw[name], problems);
      } else if (name !== '__proto__') {
        record[name] = readUnknownField(raw[name]);
      }
    }
    if (knownCount < expected.length) {
      for (const field of expected) if (!(field in record)) problems.note('missing_field', field);
    }
    return record;
  };
}

/** The fields of these codes and nothing else, whatever the upstream sends beside them. */
function selectingReader(of: readonly OfCode[], problems: Problems): NovelReader {
  const selected = of
    .map((code) => KNOWN.get(findOfField(code)?.field ?? ''))
    .filter((known) => known !== undefined);
  return (raw) => {
    const record: NovelRecord = {};
    for (const known of selected) {
      const { field } = known;
      const value = raw[field] ?? (field === 'noveltype' ? raw['novel_type'] : undefined);
      if (value === undefined) problems.note('missing_field', field);
      else setField(record, known, value, problems);
    }
    return record;
  };
}

export function novelReader(upstream: NovelInterface, of: OfSelection, problems: Problems): NovelReader {
  return of === undefined ? wholeReader(upstream, problems) : selectingReader(of, problems);
}
