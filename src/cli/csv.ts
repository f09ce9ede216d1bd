const NEEDS_QUOTES = /[",\r\n]/;

function field(value: Field): string {
  const text = value === null || value === undefined ? '' : String(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Field = string | number | null | undefined;

/** One record as RFC 4180 has it: CRLF at its end, quotes only where they are needed. UTF-8 without a mark. */
export function csvRecord(fields: readonly Field[]): string {
  return `${fields.map(field).join(',')}\r\n`;
}

/** A header line and the records. */
export function renderCsv(header: readonly string[], records: readonly (readonly Field[])[]): string {
  return [header, ...records].map(csvRecord).join('');
}
