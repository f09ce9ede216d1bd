import type { Json } from '@mokuroku/kit';
import type { NovelRecord, OverlongText } from '../source/index.ts';
import { FIELD_LABELS } from '../novels/genres.ts';
import { NCODE_PATTERN } from '../novels/ncode.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { OF_FIELDS, SERVED_CODES } from '../novels/of-fields.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import { identifierOf, isOverlong, readField, readText } from './read-rows.ts';
import type { FieldKind, Problems } from './read-rows.ts';

interface KnownField {
  field: string;
  kind: FieldKind;
  /** Published beside a code as `<field>_label`. */
  labels: ReadonlyMap<number, string> | undefined;
}

/** By the name that the upstream uses. */
const KNOWN_FIELDS = new Map<string, KnownField>(
  OF_FIELDS.map(({ field, type }) => {
    const kind = type === 'string' ? 'text' : type;
    return [field, { field, kind, labels: FIELD_LABELS[field] }];
  }),
);
// Without `of` the upstream says `novel_type`, with it `noveltype` (manual of novelapi).
KNOWN_FIELDS.set('novel_type', { field: 'noveltype', kind: 'integer', labels: undefined });

/** The field that `opt=weekly` adds to a record, beside the codes of `of`. */
export const WEEKLY_UNIQUE: KnownField = { field: 'weekly_unique', kind: 'integer', labels: undefined };
KNOWN_FIELDS.set(WEEKLY_UNIQUE.field, WEEKLY_UNIQUE);

/** Collects the issues of read records. */
export interface RecordIssues {
  readonly problems: Problems;
  readonly overlong: OverlongText[];
  /** The latest time that a record may state (`YYYY-MM-DD HH:MM:SS`). */
  readonly latest: string;
}

function setField(
  record: NovelRecord,
  knownField: KnownField,
  raw: Json,
  name: string,
  { problems, overlong, latest }: RecordIssues,
): void {
  const { field, kind, labels } = knownField;
  const text = raw[name];
  if (isOverlong(text)) {
    const ncode = identifierOf(raw['ncode']).slice(0, 10);
    overlong.push({ ncode, field, length: text.length });
    problems.note('overlong_text', `${field} of ${ncode}`);
    return;
  }
  const value = readField(raw[name], kind, field, problems);
  if (value === undefined) return;
  // Of an update of the upstream's own (`updated_at`) nothing follows.
  if (kind === 'datetime' && field !== 'updated_at' && (value as string) > latest) {
    problems.note('mistyped_field', field);
    return;
  }
  record[field] = field === 'ncode' ? (value as string).toUpperCase() : value;
  if (labels === undefined) return;
  const label = labels.get(value as number);
  if (label === undefined) problems.note('unknown_code', `${field} ${value as number}`);
  // A code without a label has an empty one: the field is always a string.
  record[`${field}_label`] = label ?? '';
}

/** Converts one raw record to its published form; undefined without an Ncode. */
export type NovelReader = (raw: Json) => NovelRecord | undefined;

/** Reads the fields of `of`; without it all, known to this service or not, in the upstream's order. */
export function novelReader(
  upstream: NovelInterface,
  { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
  issues: RecordIssues,
): NovelReader {
  const codes = of ? ['n', ...of] : SERVED_CODES[upstream];
  const expected = new Set<string>(
    OF_FIELDS.flatMap(({ code, field }) => (codes.includes(code) ? [field] : [])),
  );
  if (opt === 'weekly') expected.add(WEEKLY_UNIQUE.field);
  return (raw) => {
    if (typeof raw['ncode'] !== 'string' || !NCODE_PATTERN.test(raw['ncode'])) return undefined;
    const record: NovelRecord = {};
    for (const name in raw) {
      const knownField = KNOWN_FIELDS.get(name);
      if (knownField !== undefined) {
        if (of === undefined || expected.has(knownField.field))
          setField(record, knownField, raw, name, issues);
      } else if (of === undefined && name !== '__proto__' && !isOverlong(raw[name])) {
        const value = raw[name];
        record[name] = typeof value === 'string' ? readText(value) : value;
      }
    }
    for (const field of expected)
      if (raw[field] === undefined && !(field in record)) issues.problems.note('missing_field', field);
    return record;
  };
}
