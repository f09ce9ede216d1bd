import type { PhpRecord, PhpValue } from './php-json.ts';
import type { NarouServerSwitches } from './switches.ts';

const mapValues = (row: PhpRecord, change: (value: PhpValue) => PhpValue): PhpRecord =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, change(value)]));

const CHANGES: Readonly<Record<NarouServerSwitches['record'], (row: PhpRecord) => PhpRecord>> = {
  normal: (row) => row,
  // As records of 2020 had it.
  extraField: (row) => ({ ...row, pc_or_k: 2 }),
  numbersAsStrings: (row) => mapValues(row, (value) => (typeof value === 'number' ? String(value) : value)),
  noNcode: (row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'ncode')),
  nullStrings: (row) => mapValues(row, (value) => (typeof value === 'string' ? null : value)),
  floats: (row) => mapValues(row, (value) => (typeof value === 'number' ? value + 0.5 : value)),
};

/** The rows with the fault that the switch `record` sets. */
export function spoilRows(rows: readonly PhpRecord[], { record }: NarouServerSwitches): readonly PhpRecord[] {
  return record === 'normal' ? rows : rows.map(CHANGES[record]);
}
