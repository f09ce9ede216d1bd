/** Input of CSV: the names of the columns, and the rows as records; other members of a record are omitted. */
export interface Table {
  columns: readonly string[];
  rows: Iterable<object>;
}

const BOM = '\ufeff';
const NEEDS_QUOTES = /[",\r\n]|^[\s\u3000]|[\s\u3000]$/;
/** The start of a formula in spreadsheets, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

function csvField(value: unknown, isForSpreadsheets: boolean): string {
  if (value === undefined || value === null) return '';
  let text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isForSpreadsheets && typeof value === 'string' && FORMULA.test(text)) text = `'${text}`;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * One record of RFC 4180, with CRLF at its end; absent values are empty. See `writeCsv` for spreadsheets. Readers skip
 * empty lines, so a single empty value is quoted.
 */
export function csvRecord(values: readonly unknown[], isForSpreadsheets = false): string {
  const line = values.map((value) => csvField(value, isForSpreadsheets)).join(',');
  return `${line === '' ? '""' : line}\r\n`;
}

/**
 * RFC 4180: a header row, CRLF, quotes only where needed. Values are exactly those of JSON; absent ones are empty.
 * `bom` is for spreadsheets: a byte order mark declares UTF-8, and an apostrophe before a text that would run as a
 * formula disarms it (titles are written by strangers).
 */
export const writeCsv = (table: Table, { bom }: { bom: boolean } = { bom: false }): string =>
  [...csvRecords(table, { bom })].join('');

/** The same, record by record. */
export function* csvRecords({ columns, rows }: Table, { bom }: { bom: boolean }): Generator<string> {
  yield `${bom ? BOM : ''}${csvRecord(columns)}`;
  for (const row of rows as Iterable<Record<string, unknown>>)
    yield csvRecord(
      columns.map((name) => row[name]),
      bom,
    );
}
