import { describe, expect, it } from 'vitest';
import { LABELS } from './labels.ts';
import { renderTable } from './table.ts';
import type { TableColumn } from './table.ts';
import { displayWidth } from './text-width.ts';

interface Row {
  code: string;
  title: string;
  writer: string;
  points: number;
}

const ROWS: Row[] = [
  { code: 'N1', title: '猫背の錬金術師は仕立屋に恋をする', writer: '白瀬しおり', points: 7 },
  { code: 'N22', title: 'short', writer: 'べに色', points: 12_345 },
];

const COLUMNS: TableColumn<Row>[] = [
  { header: { field: 'CODE' }, value: ({ code }) => code },
  { header: LABELS.title, value: ({ title }) => title, minWidth: 10 },
  { header: LABELS.author, value: ({ writer }) => writer, dispensable: 1 },
  { header: LABELS.points, value: ({ points }) => String(points), align: 'right' },
];

const screen = (columns?: number) => ({ columns, outHasColour: false, language: 'en' as const });
const render = (columns?: number) => renderTable(COLUMNS, ROWS, screen(columns)).trimEnd().split('\n');

describe('a table', () => {
  it('aligns its columns whatever the script, and truncates nothing in a pipe', () => {
    expect(render()).toEqual([
      'CODE  TITLE                             AUTHOR      POINTS',
      'N1    猫背の錬金術師は仕立屋に恋をする  白瀬しおり       7',
      'N22   short                             べに色       12345',
    ]);
  });

  it.each([80, 58, 57, 50, 40, 34, 22])('fits %i columns, each line as wide as the others', (columns) => {
    const widths = render(columns).map(displayWidth);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(new Set(widths).size).toBe(1);
  });

  it('truncates flexible columns first and then drops the dispensable ones', () => {
    expect(render(40)[1]).toBe('N1    猫背の錬金術…   白瀬しおり       7');
    expect(render(30)[0]).toBe('CODE  TITLE             POINTS');
  });

  it('truncates the name of a row last, and uses the short form of a cell if it has one', () => {
    const columns: TableColumn<Row>[] = [
      { header: LABELS.name, value: ({ writer }) => writer, isKey: true },
      {
        header: LABELS.expires,
        value: () => '2031-04-09 (in 4 years)',
        minWidth: 10,
        shorten: (text) => text.slice(0, 10),
      },
    ];
    const row = [{ code: '', title: '', writer: 'a-rather-long-name.example', points: 0 }];
    const lineIn = (width: number) => renderTable(columns, row, screen(width)).trimEnd().split('\n')[1];
    expect(lineIn(51)).toBe('a-rather-long-name.example  2031-04-09 (in 4 years)');
    expect(lineIn(50)).toBe('a-rather-long-name.example  2031-04-09');
    expect(lineIn(38)).toBe('a-rather-long-name.example  2031-04-09');
    expect(lineIn(34)).toBe('a-rather-long-name.example  2031-…');
    expect(lineIn(30)).toBe('a-rather-long-name.ex…  2031-…');
  });

  it('has any number of rows', () => {
    const rows = Array.from({ length: 1_000_000 }, (_, row) => row);
    const table = renderTable([{ header: { field: 'n' }, value: String }], rows, screen());
    expect(table.endsWith('\n999999\n')).toBe(true);
  });

  it('keeps a row on one line whatever its text', () => {
    const rows = [{ code: 'N1', title: 'a\nb\u001b[2Jc', writer: '', points: 0 }];
    expect(renderTable(COLUMNS, rows, screen()).trimEnd().split('\n')).toHaveLength(2);
    expect(renderTable(COLUMNS, rows, screen())).not.toContain('\u001b');
  });
});
