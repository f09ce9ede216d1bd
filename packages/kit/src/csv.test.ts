import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecord, writeCsv } from './csv.ts';

/** RFC 4180, to the letter: throws where a text is not. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const [, quoted, plain, end] = field.exec(text) ?? [];
    if (end === undefined) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const plain = { bom: false };

describe('CSV', () => {
  it('is a header row and rows, with CRLF, quoted where it must be', () => {
    const rows = [
      { a: 1, b: 'x' },
      { a: 'a,b', b: 'say "no"', c: 'not shown' },
      { a: 'two\nlines', b: null },
    ];
    expect(writeCsv({ columns: ['a', 'b'], rows }, plain)).toBe(
      'a,b\r\n1,x\r\n"a,b","say ""no"""\r\n"two\nlines",\r\n',
    );
    expect(writeCsv({ columns: ['a', 'b'], rows: [] }, plain)).toBe('a,b\r\n');
  });

  it('has a record for every row, with absent values empty', () => {
    expect(csvRecord(['plain', 1, null])).toBe('plain,1,\r\n');
    expect(csvRecord(['日本', undefined, ' x '])).toBe('日本,," x "\r\n');
    expect(csvRecord([undefined])).toBe('""\r\n');
  });

  it('preserves any text', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"', '\r\n', ',', ' a ', '　', '=1+1', '\ufeff', "'"));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (rows) => {
        const csv = writeCsv({ columns: ['a', 'b'], rows: rows.map(([a, b]) => ({ a, b })) }, plain);
        expect(readCsv(csv)).toEqual([['a', 'b'], ...rows]);
      }),
    );
  });

  it.each(['=1+1', '+81', '-5', '@A1', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠A'])(
    'for spreadsheets, %j is no longer a formula; without it the value is unchanged',
    (title) => {
      const table = { columns: ['n', 'title'], rows: [{ n: -1, title }] };
      const [, row] = readCsv(writeCsv(table, { bom: true }).slice(1));
      expect(row).toEqual(['-1', `'${title}`]);
      expect(readCsv(writeCsv(table, plain))[1]).toEqual(['-1', title]);
    },
  );

  it('begins with a byte order mark for spreadsheets only', () => {
    const table = { columns: ['題'], rows: [] };
    expect(writeCsv(table, { bom: true })).toBe('\ufeff題\r\n');
    expect(writeCsv(table, plain)).toBe('題\r\n');
  });
});
