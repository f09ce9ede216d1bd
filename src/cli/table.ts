import type { Style } from './style.ts';
import { displayWidth, pad, printable, truncate } from './text-width.ts';

export interface Column<Row> {
  header: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** May be cut down to so many columns when the terminal is narrow; columns without it keep their width. */
  least?: number;
  /** Left out when cutting is not enough, the highest first; 0 (default): never. */
  dispensable?: number;
}

interface Laid {
  header: string;
  cells: string[];
  width: number;
  align: 'left' | 'right';
  least: number;
  isFlexible: boolean;
  dispensable: number;
}

const GAP = 2;

const totalWidth = (columns: readonly Laid[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));

/** Takes columns from the widest flexible ones until all fits; false when that is not enough. */
function squeeze(columns: readonly Laid[], available: number, leastOf: (column: Laid) => number): boolean {
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

function fit(columns: readonly Laid[], available: number): readonly Laid[] {
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

/**
 * Rows under headers, with columns that line up whatever the script. `columns` of the terminal undefined: nothing is
 * cut, for files and pipes.
 */
export function renderTable<Row>(
  table: readonly Column<Row>[],
  rows: readonly Row[],
  columns: number | undefined,
  style: Style,
): string {
  const laid = table.map(({ header, value, align = 'left', least, dispensable = 0 }): Laid => {
    const cells = rows.map((row) => printable(value(row)));
    const width = Math.max(displayWidth(header), ...cells.map(displayWidth));
    return {
      header,
      cells,
      width,
      align,
      least: Math.min(least ?? width, width),
      isFlexible: least !== undefined,
      dispensable,
    };
  });
  const shown = columns === undefined ? laid : fit(laid, columns);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const column = shown[i];
        if (!column) return '';
        const isLast = i === shown.length - 1 && column.align === 'left';
        const cut = truncate(cell, column.width);
        return isLast ? cut : pad(cut, column.width, column.align);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const header = style.dim(line(shown.map((column) => column.header)));
  const body = rows.map((_, i) => `${line(shown.map(({ cells }) => cells[i] ?? ''))}\n`);
  return `${header}\n${body.join('')}`;
}
