import type { PhpRecord, PhpValue } from './php-json.ts';

const scalar = (value: PhpValue): string => {
  if (value === null) return 'N;';
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  return Number.isInteger(value) ? `i:${value};` : `d:${value};`;
};

const record = (row: PhpRecord): string => {
  const pairs = Object.entries(row).map(([key, value]) => scalar(key) + scalar(value));
  return `a:${pairs.length}:{${pairs.join('')}}`;
};

/** Writes a list of records as PHP's `serialize` does; lengths of strings are in bytes of UTF-8. */
export function toPhpSerialized(rows: readonly PhpRecord[]): string {
  return `a:${rows.length}:{${rows.map((row, index) => scalar(index) + record(row)).join('')}}`;
}
