import { formatWholeNumber } from './output.ts';
import { createStyle, translated } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import type { Text } from '@mokuroku/kit';
import { displayWidth, pad, terminalText, printableLines, renderPairs, truncate } from './text-width.ts';
import type { Pair } from './text-width.ts';

/** Properties of the terminal that a text depends on. */
export type Screen = Pick<Terminal, 'columns' | 'outHasColour' | 'language'>;

export interface TableColumn<Row> {
  /** In capitals if the script has them; field names of the API are unchanged. */
  header: Text | { field: string };
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** Minimum width if the terminal is narrow; columns without it keep their width. */
  minWidth?: number;
  /** The column that names the row: cut last. */
  isKey?: boolean;
  /** Replaces a cell that does not fit; otherwise the cell is cut. */
  shorten?: (cell: string) => string;
  /** Hidden if cutting is not enough, the highest first; 0 (default): never. */
  dispensable?: number;
}

/** A column of whole numbers. */
export const countColumn = <Row>(
  header: TableColumn<Row>['header'],
  read: (row: Row) => number | undefined,
  dispensable = 0,
): TableColumn<Row> => ({
  header,
  value: (row) => formatWholeNumber(read(row)),
  align: 'right',
  dispensable,
});

interface MeasuredColumn extends Pick<TableColumn<never>, 'align' | 'isKey' | 'shorten'> {
  header: string;
  cells: string[];
  width: number;
  minWidth: number;
  isFlexible: boolean;
  dispensable: number;
}

const GAP = 2;

const totalWidth = (columns: readonly MeasuredColumn[], of: 'width' | 'minWidth'): number =>
  columns.reduce((sum, column) => sum + column[of], GAP * (columns.length - 1));

/** Narrows the widest columns until all fit, none below its floor; false if that is not enough. */
function narrowColumns(
  columns: readonly MeasuredColumn[],
  available: number,
  floorOf: (column: MeasuredColumn) => number,
): boolean {
  for (let over = totalWidth(columns, 'width') - available; over > 0; over--) {
    const [widest] = columns.filter((each) => each.width > floorOf(each)).sort((a, b) => b.width - a.width);
    if (!widest) return false;
    widest.width--;
  }
  return true;
}

/** Minimum width of flexible columns once all optional columns are hidden. */
const HARD_MIN_WIDTH = 6;

/** The floors of columns in a terminal that is narrower and narrower. */
const FLOORS: readonly ((column: MeasuredColumn) => number)[] = [
  ({ minWidth }) => minWidth,
  ({ minWidth, isFlexible }) => (isFlexible ? Math.min(minWidth, HARD_MIN_WIDTH) : minWidth),
  ({ minWidth, isFlexible, isKey }) => (isFlexible || isKey ? Math.min(minWidth, HARD_MIN_WIDTH) : minWidth),
];

/** Hides dispensable columns until the others fit at their minimum width, and narrows these. */
function fitColumns(columns: readonly MeasuredColumn[], available: number): readonly MeasuredColumn[] {
  let visible = columns;
  while (totalWidth(visible, 'minWidth') > available) {
    const last = Math.max(...visible.map(({ dispensable }) => dispensable));
    if (last === 0) break;
    visible = visible.filter(({ dispensable }) => dispensable !== last);
  }
  FLOORS.some((floorOf) => narrowColumns(visible, available, floorOf));
  return visible;
}

function measureColumn<Row>(column: TableColumn<Row>, rows: readonly Row[], screen: Screen): MeasuredColumn {
  const { header: named, value, minWidth, dispensable = 0 } = column;
  const header = 'field' in named ? named.field : translated(screen, named).toUpperCase();
  const cells = rows.map((row) => terminalText(value(row)));
  // Not the spread of all cells, which fails above some hundred thousand.
  const width = cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), displayWidth(header));
  const isFlexible = minWidth !== undefined;
  return {
    ...column,
    header,
    cells,
    width,
    minWidth: Math.min(minWidth ?? width, width),
    isFlexible,
    dispensable,
  };
}

/** Rows below headers, aligned in any script. Without `columns` (files, pipes) nothing is truncated. */
export function renderTable<Row>(
  table: readonly TableColumn<Row>[],
  rows: readonly Row[],
  screen: Screen,
): string {
  const measured = table.map((column) => measureColumn(column, rows, screen));
  const shown = screen.columns === undefined ? measured : fitColumns(measured, screen.columns);
  const fitCell = (text: string, { width, shorten }: MeasuredColumn): string =>
    truncate(shorten && displayWidth(text) > width ? shorten(text) : text, width);
  const lineOf = (cellOf: (column: MeasuredColumn) => string): string =>
    shown
      .map((column) => pad(fitCell(cellOf(column), column), column.width, column.align))
      .join(' '.repeat(GAP))
      .trimEnd();
  const header = createStyle(screen.outHasColour).dim(lineOf((column) => column.header));
  const body = rows.map((_, i) => `${lineOf(({ cells }) => cells[i] ?? '')}\n`);
  return `${header}\n${body.join('')}`;
}

export type TableFact = readonly [label: Text, value: string | undefined];

/** Labels on the left, wrapped values on the right; facts without a value are skipped. */
export function renderFacts(facts: readonly TableFact[], screen: Screen): string {
  const pairs = facts.flatMap(([label, value]): Pair[] =>
    value ? [[translated(screen, label), printableLines(value)]] : [],
  );
  const { dim } = createStyle(screen.outHasColour);
  return renderPairs(pairs, { columns: screen.columns ?? 100, style: dim });
}
