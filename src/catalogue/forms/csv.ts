/** A table as CSV shows it: the names of the columns, and rows as records of which only those columns are shown. */
export interface Table {
  columns: readonly string[];
  rows: readonly object[];
}

const BOM = '\ufeff';
const NEEDS_QUOTES = /[",\r\n]|^[\s\u3000]|[\s\u3000]$/;
/** What spreadsheets take for the beginning of a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

function cell(value: unknown, isForSpreadsheets: boolean): string {
  if (value === undefined || value === null) return '';
  let text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isForSpreadsheets && typeof value === 'string' && FORMULA.test(text)) text = `'${text}`;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * RFC 4180: a header row, CRLF, quotes where they are needed and doubled within. Values are exactly those of JSON, and
 * what is absent is empty. With `bom` it is made for spreadsheets: a byte order mark tells them that it is UTF-8, and a
 * text that they would run as a formula has an apostrophe in front (titles are written by strangers).
 */
export function writeCsv({ columns, rows }: Table, { bom }: { bom: boolean }): string {
  const line = (values: readonly unknown[]) => `${values.map((value) => cell(value, bom)).join(',')}\r\n`;
  const lines = (rows as readonly Record<string, unknown>[]).map((row) =>
    line(columns.map((name) => row[name])),
  );
  return `${bom ? BOM : ''}${line(columns)}${lines.join('')}`;
}
