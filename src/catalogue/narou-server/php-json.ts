/** What a record of the upstream can hold. An empty record is an empty PHP array, and so a list: `[]`. */
export type PhpValue = string | number | null;
export type PhpRecord = Readonly<Record<string, PhpValue>>;

// PHP escapes the slash and everything outside ASCII, but leaves DEL as it is.
const ESCAPED = /["\\/\u0000-\u001f\u0080-\uffff]/g;

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const escapeUnit = (unit: string): string =>
  SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Writes a list of records as PHP's `json_encode` does with its default flags: compact, `\/`, and lower-case
 * `\uXXXX` for everything outside ASCII (recorded answers of 2016 to 2026).
 */
export function toPhpJson(rows: readonly PhpRecord[]): string {
  return `[${rows.map(rowToJson).join(',')}]`;
}

const rowToJson = (row: PhpRecord): string => {
  const pairs = Object.entries(row).map(([key, value]) => `"${key}":${valueToJson(value)}`);
  return pairs.length === 0 ? '[]' : `{${pairs.join(',')}}`;
};

const valueToJson = (value: PhpValue): string =>
  typeof value === 'string' ? `"${value.replace(ESCAPED, escapeUnit)}"` : String(value);
