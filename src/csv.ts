/** A table as CSV shows it: the names of the columns, and rows as records of which only those columns are shown. */
export interface Table {
  columns: readonly string[];
  rows: readonly object[];
}

const BOM = '\ufeff';
const NEEDS_QUOTES = /[",\r\n]|^[\s\u3000]|[\s\u3000]$/;
/** What spreadsheets take for the beginning of a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

function csvField(value: unknown, isForSpreadsheets: boolean): string {
  if (value === undefined || value === null) return '';
  let text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isForSpreadsheets && typeof value === 'string' && FORMULA.test(text)) text = `'${text}`;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * One record of RFC 4180, CRLF at its end; what is absent is empty. See `writeCsv` for spreadsheets. Readers skip an
 * empty line, so an empty value that stands alone is quoted.
 */
export function csvRecord(values: readonly unknown[], isForSpreadsheets = false): string {
  const line = values.map((value) => csvField(value, isForSpreadsheets)).join(',');
  return `${line === '' ? '""' : line}\r\n`;
}

/**
 * RFC 4180: a header row, CRLF, quotes where they are needed and doubled within. Values are exactly those of JSON, and
 * what is absent is empty. With `bom` it is made for spreadsheets: a byte order mark tells them that it is UTF-8, and a
 * text that they would run as a formula has an apostrophe in front (titles are written by strangers).
 */
export function writeCsv({ columns, rows }: Table, { bom }: { bom: boolean } = { bom: false }): string {
  const lines = (rows as readonly Record<string, unknown>[]).map((row) =>
    csvRecord(
      columns.map((name) => row[name]),
      bom,
    ),
  );
  return `${bom ? BOM : ''}${csvRecord(columns)}${lines.join('')}`;
}
