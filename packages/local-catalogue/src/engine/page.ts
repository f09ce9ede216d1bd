import { NOVELAPI_ORDERS } from '@mokuroku/narou';
import type { NovelapiOrder } from '@mokuroku/narou';
import { hasBit, listBits, setBit } from './bitmaps.ts';
import type { Bits } from './bitmaps.ts';
import { sortKey } from './orders.ts';
import type { RankedIds } from './orders.ts';
import type { Plan } from './plan.ts';
import { findHits } from './find-hits.ts';
import type { Hits } from './find-hits.ts';
import type { Segment } from './segment.ts';

/** Up to this many ranks, sorting is faster than a scan of a bitmap. */
const SORTED_RANKS = 256;

/** Measured costs: checking an id of an order, setting a bit in the bitmap of ranks, the bitmap itself. */
const STEP_OF_WALK = 1;
const STEP_OF_RANKING = 3;
const COST_OF_BITMAP = 1 / 16;

/** The ids of the hits in an order, from the `skip`th on, at most `rows`. Does not change the hits. */
function pageOf(segment: Segment, hits: Hits, ranking: RankedIds, skip: number, rows: number): Uint32Array {
  const length = Math.max(0, Math.min(rows, hits.count - skip));
  if (length === 0) return new Uint32Array(0);
  if (hits.count === segment.size) return ranking.ids.slice(skip, skip + length);
  if (hits.ids !== null && hits.count <= SORTED_RANKS) {
    const ranks = hits.ids.slice(0, hits.count).map((id) => ranking.ranks[id] as number);
    return rankedIds(ranks.sort().subarray(skip, skip + length), ranking);
  }
  if (hits.ids === null) {
    const steps = (skip + length) * (segment.size / hits.count);
    if (steps * STEP_OF_WALK < hits.count * STEP_OF_RANKING + segment.size * COST_OF_BITMAP)
      return walk(hits.bits, ranking.ids, skip, length);
  }
  return pageByRanks(segment.scratch.ranks, hits, ranking, skip, length);
}

const rankedIds = (ranks: Uint32Array, ranking: RankedIds): Uint32Array =>
  ranks.map((rank) => ranking.ids[rank] as number);

const BLOCK = 64;

/** Scans an order from its start for hits. */
function walk(bits: Bits, ids: Uint32Array, skip: number, length: number): Uint32Array {
  const page = new Uint32Array(length);
  let hitsToSkip = skip;
  let walked = 0;
  // In blocks, without a branch per id: mispredicted branches take three times as long.
  for (; walked + BLOCK <= ids.length; walked += BLOCK) {
    let inBlock = 0;
    for (let at = walked; at < walked + BLOCK; at++) {
      const id = ids[at] as number;
      inBlock += ((bits[id >>> 5] as number) >>> (id & 31)) & 1;
    }
    if (inBlock > hitsToSkip) break;
    hitsToSkip -= inBlock;
  }
  for (let count = 0; count < length; walked++) {
    const id = ids[walked] as number;
    if (!hasBit(bits, id)) continue;
    if (hitsToSkip > 0) hitsToSkip -= 1;
    else page[count++] = id;
  }
  return page;
}

/** Marks the ranks of all hits in a bitmap, which is cheaper than any sort. */
function pageByRanks(
  marked: Bits,
  hits: Hits,
  { ids, ranks }: RankedIds,
  skip: number,
  length: number,
): Uint32Array {
  marked.fill(0);
  if (hits.ids !== null) {
    for (let at = 0; at < hits.count; at++) setBit(marked, ranks[hits.ids[at] as number] as number);
  } else {
    for (let word = 0; word < hits.bits.length; word++) {
      for (let rest = hits.bits[word] as number; rest !== 0; rest &= rest - 1) {
        setBit(marked, ranks[word * 32 + 31 - Math.clz32(rest & -rest)] as number);
      }
    }
  }
  const page = new Uint32Array(length);
  listBits(marked, skip, page);
  return rankedIds(page, { ids, ranks });
}

/** A record of the open index. */
export interface IndexRow {
  readonly segment: Segment;
  readonly id: number;
}

/** The hits of a plan in all segments, valid until the next query. */
export interface IndexMatches {
  readonly total: number;
  readonly parts: readonly { readonly segment: Segment; readonly hits: Hits }[];
}

export function findMatches(segments: readonly Segment[], plan: Plan): IndexMatches {
  const parts = segments.map((segment) => ({ segment, hits: findHits(segment, plan) }));
  return { total: parts.reduce((sum, { hits }) => sum + hits.count, 0), parts };
}

/** Some rows of a result in an order. The hits are read before the first row. */
export function* rowsInOrder(
  { total, parts }: IndexMatches,
  order: NovelapiOrder,
  skip: number,
  rows: number,
): Generator<IndexRow, void, undefined> {
  // Hits of other segments only move a row back, so each segment needs no more than these rows.
  let hitsToSkip = skip;
  const pages = parts.map(({ segment, hits }) => {
    const first = Math.max(0, skip - (total - hits.count));
    hitsToSkip -= first;
    return {
      segment,
      ids: pageOf(segment, hits, segment.rankings[order], first, skip + rows - first),
      at: 0,
    };
  });
  for (let count = -hitsToSkip; count < rows; count++) {
    let next: IndexRow | undefined;
    let from: (typeof pages)[number] | undefined;
    for (const page of pages) {
      if (page.at === page.ids.length) continue;
      const row = { segment: page.segment, id: page.ids[page.at] as number };
      if (next === undefined || compareRows(row, next, order) < 0) [next, from] = [row, page];
    }
    if (next === undefined || from === undefined) return;
    from.at += 1;
    if (count >= 0) yield next;
  }
}

function compareRows(a: IndexRow, b: IndexRow, order: NovelapiOrder): number {
  const { field, first } = NOVELAPI_ORDERS[order];
  const keyOf = ({ segment, id }: IndexRow): number => sortKey(segment.columns[field][id] as number, first);
  const ncodeOf = ({ segment, id }: IndexRow): number => segment.columns.ncode[id] as number;
  return keyOf(a) - keyOf(b) || ncodeOf(a) - ncodeOf(b);
}
