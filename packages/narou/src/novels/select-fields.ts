import { FIELD_LABELS } from './genres.ts';
import { OF_FIELDS, findOfField, ofCodesServedBy } from './of-fields.ts';
import type { NovelInterface, OfCode } from './of-fields.ts';

/** The fields that a code selects: its own, and the label beside a genre. */
export function selectedFields(code: OfCode): readonly string[] {
  const field = findOfField(code)?.field ?? code;
  return FIELD_LABELS[field] ? [field, `${field}_label`] : [field];
}

/** The fields of a whole record, in its order. `gensaku`, which no code selects, comes before the keywords. */
const wholeFields = (codes: readonly OfCode[]): string[] =>
  codes.flatMap((code) => (code === 'k' ? ['gensaku', ...selectedFields(code)] : selectedFields(code)));

/** The fields of both interfaces. */
export const PUBLISHED_FIELDS = wholeFields(OF_FIELDS.map(({ code }) => code));

/** The fields of a record with these codes, in its order; without codes all known fields. */
export function recordFields(upstream: NovelInterface, of: readonly string[] | undefined): string[] {
  const codes = ofCodesServedBy(upstream);
  return of ? codes.filter((code) => of.includes(code)).flatMap(selectedFields) : wholeFields(codes);
}
