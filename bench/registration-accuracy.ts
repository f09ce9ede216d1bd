/** The parsed fields that an answer may state. */
export interface Fields {
  domainName: string;
  registrar: string;
  creationDate: string;
  expirationDate: string;
  updatedDate: string;
  nameServers: string[];
  status: string[];
}

interface Row {
  expected: Partial<Fields>;
  got: Partial<Record<keyof Fields, unknown>>;
}

const HOURS_14 = 14 * 3600 * 1000;

const plain = (value: unknown): string =>
  String(value)
    .replace(/https?:\S+/g, '')
    .replace(/\([^)]*\)/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter(Boolean) : value === undefined || value === null ? [] : [value];

function sameSet(got: unknown, expected: unknown): boolean {
  const [a, b] = [new Set(list(got).map(plain)), new Set(list(expected).map(plain))];
  return a.size === b.size && [...a].every((item) => b.has(item));
}

/** The same day, or within the 14 hours that zones can part. */
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

/** Share of the stated values that were read right, field by field. */
export function accuracy(rows: readonly Row[]): string {
  const fields: (keyof Fields)[] = [
    'domainName',
    'registrar',
    'creationDate',
    'expirationDate',
    'updatedDate',
    'nameServers',
    'status',
  ];
  return fields
    .map((field) => {
      const stated = rows.filter(({ expected }) => expected[field] !== undefined);
      const right = stated.filter(({ expected, got }) => isRight(field, got[field], expected[field]));
      return `${field} ${((100 * right.length) / Math.max(1, stated.length)).toFixed(1)}%`;
    })
    .join('  ');
}
