import { integerSchema } from '@mokuroku/kit/http';
import type { LoadedData } from '@mokuroku/kit/cache';
import { FIRST_LAGGING_COUNT } from '@mokuroku/narou';
import type { SearchPage } from '@mokuroku/narou/source';
import type { CatalogueAnswer, EndpointMeta } from './catalogue-answer.ts';

// What all searches have: a page of the matches, their number, the next page.

/** `meta.upstreamAllCount`, on searches. */
export const ALL_COUNT = {
  upstreamAllCount: integerSchema(
    'Number of all matches upstream; from 1,000 on it may be up to 4 hours old.',
    '取得元での全件数。1,000 以上では最大 4 時間前のもの。',
    1432,
  ).optional(),
};

interface Rows {
  st: number;
  lim: number;
}

/** `maxStart` is the last position of the source. */
export function searchAnswer(
  page: SearchPage<object>,
  { lim }: Rows,
  maxStart: number | null,
  meta: EndpointMeta,
): CatalogueAnswer {
  const { allCount, unreadable = 0 } = page;
  // Sources without a last position count exactly. The upstream's count may lag: only a short page is the last.
  const mayLag = maxStart !== null && (allCount ?? 0) >= FIRST_LAGGING_COUNT;
  return {
    data: page.json ?? page.items,
    mayContinue: mayLag && page.items.length + unreadable === lim,
    meta: allCount === undefined ? meta : { ...meta, upstreamAllCount: allCount },
    from: [page],
  };
}

/** The page after the one that begins at `st`, within the source's positions. */
export const nextRows =
  ({ st, lim }: Rows, maxStart: number | null) =>
  ({ total = 0, mayContinue: isFull = false }: Pick<LoadedData, 'total' | 'mayContinue'>) =>
    st + lim <= Math.min(isFull ? Infinity : total, maxStart ?? Infinity)
      ? { st: String(st + lim) }
      : undefined;
