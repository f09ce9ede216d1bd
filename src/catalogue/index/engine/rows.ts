import type { NovelapiOrder } from '../../novels/orders.ts';
import { ORDERS } from './orders.ts';
import { pageOf } from './page.ts';
import type { Plan } from './plan.ts';
import { findHits } from './question.ts';
import type { Hits } from './question.ts';
import type { Segment } from './segment.ts';

/** A record of the open index. */
export interface Row {
  readonly segment: Segment;
  readonly id: number;
}

/** What a plan finds in all segments; good until the next question. */
export interface Answer {
  readonly total: number;
  readonly parts: readonly { readonly segment: Segment; readonly hits: Hits }[];
}

export function answer(segments: readonly Segment[], plan: Plan): Answer {
  const parts = segments.map((segment) => ({ segment, hits: findHits(segment, plan) }));
  return { total: parts.reduce((sum, { hits }) => sum + hits.count, 0), parts };
}

/** Some rows of an answer in an order. */
export function rowsOf({ total, parts }: Answer, order: NovelapiOrder, skip: number, rows: number): Row[] {
  // A row of one segment comes as much later among all as there are hits in the others: more need not be looked at.
  let left = skip;
  const pages = parts.map(({ segment, hits }) => {
    const first = Math.max(0, skip - (total - hits.count));
    left -= first;
    const ids = pageOf(segment, hits, segment.rankings[order], first, skip + rows - first);
    return Array.from(ids, (id) => ({ segment, id }));
  });
  const [merged = [], ...others] = pages;
  return others.reduce((all, page) => merge(all, page, order), merged).slice(left, left + rows);
}

function merge(some: readonly Row[], others: readonly Row[], order: NovelapiOrder): Row[] {
  const merged: Row[] = [];
  let next = 0;
  for (const row of some) {
    for (; next < others.length && compareRows(others[next] as Row, row, order) < 0; next++) {
      merged.push(others[next] as Row);
    }
    merged.push(row);
  }
  return [...merged, ...others.slice(next)];
}

function compareRows(a: Row, b: Row, order: NovelapiOrder): number {
  const { column, first } = ORDERS[order];
  const valueOf = ({ segment, id }: Row): number => segment.columns[column][id] as number;
  const ncodeOf = ({ segment, id }: Row): number => segment.columns.ncode[id] as number;
  const difference = first === 'high' ? valueOf(b) - valueOf(a) : valueOf(a) - valueOf(b);
  return difference || ncodeOf(a) - ncodeOf(b);
}
