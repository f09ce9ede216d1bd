import { wholeNumber } from './output.ts';
import { say, translated } from './say.ts';
import type { Phrase } from './say.ts';
import { createStyle } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { displayWidth, pad, printable, printableLines, renderPairs, truncate } from './text-width.ts';
import type { Pair } from './text-width.ts';

/** What of a terminal a text depends on. */
export type Screen = Pick<Terminal, 'columns' | 'outHasColour' | 'language'>;

export interface Column<Row> {
  /** In capitals where there are such; the name of a field of the API stands as it is. */
  header: Phrase | { field: string };
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** May be cut down to so many columns when the terminal is narrow; columns without it keep their width. */
  least?: number;
  /** Left out when cutting is not enough, the highest first; 0 (default): never. */
  dispensable?: number;
}

/** A column of whole numbers. */
export const counted = <Row>(
  header: Column<Row>['header'],
  of: (row: Row) => number | undefined,
  dispensable = 0,
): Column<Row> => ({ header, value: (row) => wholeNumber(of(row)), align: 'right', dispensable });

interface LaidColumn {
  header: string;
  cells: string[];
  width: number;
  align: 'left' | 'right';
  least: number;
  isFlexible: boolean;
  dispensable: number;
}

const GAP = 2;

const totalWidth = (columns: readonly LaidColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));

/** Takes columns from the widest flexible ones until all fits; false when that is not enough. */
function squeeze(
  columns: readonly LaidColumn[],
  available: number,
  leastOf: (column: LaidColumn) => number,
): boolean {
  for (let over = totalWidth(columns) - available; over > 0;) {
    const flexible = columns.filter((each) => each.width > leastOf(each)).sort((a, b) => b.width - a.width);
    const [widest, second] = flexible;
    if (!widest) return false;
    const step = Math.max(1, widest.width - Math.max(leastOf(widest), second?.width ?? 0));
    const taken = Math.min(over, step);
    widest.width -= taken;
    over -= taken;
  }
  return true;
}

/** When every column that can go is gone, the flexible ones may become as narrow as this. */
const HARD_LEAST = 6;

function fit(columns: readonly LaidColumn[], available: number): readonly LaidColumn[] {
  const natural = columns.map(({ width }) => width);
  let kept = [...columns];
  for (;;) {
    for (const [i, column] of columns.entries()) column.width = natural[i] ?? 0;
    if (squeeze(kept, available, ({ least }) => least)) return kept;
    const last = Math.max(...kept.map(({ dispensable }) => dispensable));
    if (last === 0) break;
    kept = kept.filter(({ dispensable }) => dispensable !== last);
  }
  squeeze(kept, available, ({ least, isFlexible }) => (isFlexible ? Math.min(least, HARD_LEAST) : least));
  return kept;
}

function lay<Row>(column: Column<Row>, rows: readonly Row[], screen: Screen): LaidColumn {
  const { value, align = 'left', least, dispensable = 0 } = column;
  const { header: named } = column;
  const header = typeof named === 'string' ? say(screen, named).toUpperCase() : named.field;
  const cells = rows.map((row) => printable(value(row)));
  const width = Math.max(displayWidth(header), ...cells.map(displayWidth));
  const isFlexible = least !== undefined;
  return { header, cells, width, align, least: Math.min(least ?? width, width), isFlexible, dispensable };
}

/** Rows under headers that line up whatever the script; in files and pipes (no `columns`) nothing is cut. */
export function renderTable<Row>(
  table: readonly Column<Row>[],
  rows: readonly Row[],
  screen: Screen,
): string {
  const laid = table.map((column) => lay(column, rows, screen));
  const shown = screen.columns === undefined ? laid : fit(laid, screen.columns);
  const lineOf = (cellOf: (column: LaidColumn) => string): string =>
    shown
      .map((column) => pad(truncate(cellOf(column), column.width), column.width, column.align))
      .join(' '.repeat(GAP))
      .trimEnd();
  const header = createStyle(screen.outHasColour).dim(lineOf((column) => column.header));
  const body = rows.map((_, i) => `${lineOf(({ cells }) => cells[i] ?? '')}\n`);
  return `${header}\n${body.join('')}`;
}

export type Fact = readonly [label: string, value: string | undefined];

/** Labels on the left, values on the right, long ones wrapped; facts without a value are left out. */
export function renderFacts(facts: readonly Fact[], screen: Screen): string {
  const pairs = facts.flatMap(([label, value]): Pair[] =>
    value ? [[translated(screen, label), printableLines(value)]] : [],
  );
  const { dim } = createStyle(screen.outHasColour);
  return renderPairs(pairs, { columns: screen.columns ?? 100, style: dim });
}
