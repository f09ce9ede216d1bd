import { japanSeconds } from '../novels/japan-date.ts';
import { compareNcodes, ncodeToNumber } from '../novels/ncode.ts';
import type { NovelapiOrder } from '../novels/orders.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

interface Order {
  /** A whole number; undefined if unknown. */
  readonly by: (novel: CatalogueNovel) => number | undefined;
  readonly first: 'high' | 'low';
}

const lastup = (novel: CatalogueNovel): number | undefined => japanSeconds(novel.general_lastup);

/**
 * The sort key of each order. Unknown values are last in every order. Ties are sorted by Ncode, so that pages never
 * overlap.
 */
export const NOVEL_ORDERS: Readonly<Record<NovelapiOrder, Order>> = {
  new: { by: lastup, first: 'high' },
  favnovelcnt: { by: (novel) => novel.fav_novel_cnt, first: 'high' },
  reviewcnt: { by: (novel) => novel.review_cnt, first: 'high' },
  hyoka: { by: (novel) => novel.global_point, first: 'high' },
  hyokaasc: { by: (novel) => novel.global_point, first: 'low' },
  dailypoint: { by: (novel) => novel.daily_point, first: 'high' },
  weeklypoint: { by: (novel) => novel.weekly_point, first: 'high' },
  monthlypoint: { by: (novel) => novel.monthly_point, first: 'high' },
  quarterpoint: { by: (novel) => novel.quarter_point, first: 'high' },
  yearlypoint: { by: (novel) => novel.yearly_point, first: 'high' },
  impressioncnt: { by: (novel) => novel.impression_cnt, first: 'high' },
  hyokacnt: { by: (novel) => novel.all_hyoka_cnt, first: 'high' },
  hyokacntasc: { by: (novel) => novel.all_hyoka_cnt, first: 'low' },
  weekly: { by: (novel) => novel.weekly_unique, first: 'high' },
  lengthdesc: { by: (novel) => novel.length, first: 'high' },
  lengthasc: { by: (novel) => novel.length, first: 'low' },
  generalfirstup: { by: (novel) => japanSeconds(novel.general_firstup), first: 'high' },
  ncodeasc: { by: (novel) => ncodeToNumber(novel.ncode), first: 'low' },
  ncodedesc: { by: (novel) => ncodeToNumber(novel.ncode), first: 'high' },
  old: { by: lastup, first: 'low' },
};

/** Sorts after every value; finite, so that two unknown values tie. */
const MAX_KEY = Number.MAX_VALUE;

/** The novels in an order, as a new array. */
export function sortNovels(novels: readonly CatalogueNovel[], order: NovelapiOrder): CatalogueNovel[] {
  const { by, first } = NOVEL_ORDERS[order];
  const sign = first === 'high' ? -1 : 1;
  const keyOf = (value: number | undefined): number => (value === undefined ? MAX_KEY : sign * value);
  return novels
    .map((novel) => ({ novel, key: keyOf(by(novel)) }))
    .sort((a, b) => a.key - b.key || compareNcodes(a.novel.ncode, b.novel.ncode))
    .map(({ novel }) => novel);
}
