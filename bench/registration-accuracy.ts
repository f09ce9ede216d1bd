import {
  contradictionsOf,
  list,
  plain,
  type Contradiction,
  type Fields,
  type LabelledAnswer,
} from './registration-labels.ts';

interface Row extends LabelledAnswer {
  got: Partial<Record<keyof Fields, unknown>>;
}

const HOURS_14 = 14 * 3600 * 1000;

function sameSet(got: unknown, expected: unknown): boolean {
  const [a, b] = [new Set(list(got).map(plain)), new Set(list(expected).map(plain))];
  return a.size === b.size && [...a].every((item) => b.has(item));
}

/** The same day, or within 14 hours, the largest offset of a time zone. */
function sameDay(got: unknown, expected: string): boolean {
  const text = typeof got === 'string' ? got.trim() : '';
  if (text.slice(0, 10) === expected.slice(0, 10)) return true;
  const difference = Date.parse(text) - Date.parse(expected);
  return difference >= -HOURS_14 && difference <= HOURS_14 + (expected.length === 10 ? 86_400_000 : 0);
}

function isRight(field: keyof Fields, got: unknown, expected: unknown): boolean {
  if (field.endsWith('Date')) return sameDay(got, String(expected));
  if (field === 'nameServers' || field === 'status') return sameSet(got, expected);
  return plain(got) === plain(expected);
}

const FIELDS: readonly (keyof Fields)[] = [
  'domainName',
  'registrar',
  'creationDate',
  'expirationDate',
  'updatedDate',
  'nameServers',
  'status',
];

/** Every stated value of a field: whether it was parsed correctly, and how its label contradicts the text. */
function classify(
  rows: readonly Row[],
  field: keyof Fields,
): { isRight: boolean; against: Contradiction | null }[] {
  const stated = rows.filter(({ expected }) => expected[field] !== undefined);
  const against = contradictionsOf(field, stated);
  return stated.map(({ expected, got }, at) => ({
    isRight: isRight(field, got[field], expected[field]),
    against: against[at] ?? null,
  }));
}

const share = (values: readonly { isRight: boolean }[]): string =>
  ((100 * values.filter((value) => value.isRight).length) / Math.max(1, values.length)).toFixed(1);

/** Share of values parsed correctly, by field: of all values, and of those with a consistent label. */
export function accuracy(rows: readonly Row[]): string {
  return FIELDS.map((field) => {
    const values = classify(rows, field);
    const whereRight = values.filter(({ against }) => against === null);
    return `    ${field.padEnd(15)} ${share(values).padStart(5)}% of ${String(values.length).padEnd(4)}  where the label is right ${share(whereRight).padStart(5)}% of ${whereRight.length}`;
  }).join('\n');
}

/** The number of labels that contradict their texts, and how many of these the parser agrees with. */
export function contradictions(rows: readonly Row[]): string {
  return FIELDS.flatMap((field) => {
    const values = classify(rows, field).filter(({ against }) => against !== null);
    return [...new Set(values.map(({ against }) => against))].map((reason) => {
      const of = values.filter(({ against }) => against === reason);
      const right = of.filter((value) => value.isRight).length;
      return `    ${field.padEnd(15)} ${reason ?? ''}: ${of.length}, parsed as labelled: ${right}`;
    });
  }).join('\n');
}
