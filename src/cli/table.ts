import type { Style } from './style.ts';
import { displayWidth, pad, printable, truncate } from './text-width.ts';

export interface Column<Row> {
  header: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** May be cut down to so many columns when the terminal is narrow; the others keep their width. */
  least?: number;
  /** Left out when nothing else helps, the highest first; 0 (default): never. */
  dispensable?: number;
}

interface Laid {
  header: string;
  cells: string[];
  width: number;
  align: 'left' | 'right';
  least: number;
  dispensable: number;
}

const GAP = 2;

const totalWidth = (columns: readonly Laid[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));

/** Takes columns from the widest flexible ones until all fits; false when that is not enough. */
function squeeze(columns: readonly Laid[], available: number): boolean {
  for (let over = totalWidth(columns) - available; over > 0;) {
    const flexible = columns.filter(({ width, least }) => width > least).sort((a, b) => b.width - a.width);
    const [widest, second] = flexible;
    if (!widest) return false;
    const step = Math.max(1, widest.width - Math.max(widest.least, second?.width ?? 0));
    const taken = Math.min(over, step);
    widest.width -= taken;
    over -= taken;
  }
  return true;
}

function fit(columns: readonly Laid[], available: number): readonly Laid[] {
  const natural = columns.map(({ width }) => width);
  let kept = [...columns];
  for (;;) {
    for (const [i, column] of columns.entries()) column.width = natural[i] ?? 0;
    if (squeeze(kept, available)) return kept;
    const last = Math.max(...kept.map(({ dispensable }) => dispensable));
    if (last === 0) return kept;
    kept = kept.filter(({ dispensable }) => dispensable !== last);
  }
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
    return { header, cells, width, align, least: least ?? width, dispensable };
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
