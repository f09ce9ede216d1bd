import { FIELD_LABELS } from './genres.ts';
import { findOfField } from './of-fields.ts';
import type { OfCode } from './of-fields.ts';

/** The fields that a code selects: its own, and the label that stands beside a genre. */
export function fieldsOf(code: OfCode): readonly string[] {
  const field = findOfField(code)?.field ?? code;
  return FIELD_LABELS[field] ? [field, `${field}_label`] : [field];
}

/**
 * Of a published record the fields of these names, in their order: what the upstream would have brought, had it been
 * asked for them alone. A field that the record does not have is left out.
 */
export function selectFields(
  record: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
  );
}
