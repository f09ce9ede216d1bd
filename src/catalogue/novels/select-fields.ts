import { FIELD_LABELS } from './genres.ts';
import { findOfField } from './of-fields.ts';
import type { OfCode } from './of-fields.ts';

/** The fields that a code selects: its own, and the label beside a genre. */
export function selectedFields(code: OfCode): readonly string[] {
  const field = findOfField(code)?.field ?? code;
  return FIELD_LABELS[field] ? [field, `${field}_label`] : [field];
}
