import type { NOVELAPI_ORDERS } from '../novels/orders.ts';
import type { CatalogueNovel } from '../../sample/novels/catalogue-novel.ts';

export type NovelOrder = keyof typeof NOVELAPI_ORDERS;

type Measure = (novel: CatalogueNovel) => number;

const MEASURES: Readonly<Record<NovelOrder, { of: Measure; first: 'high' | 'low' }>> = {
  new: { of: (novel) => novel.lastupAt, first: 'high' },
  favnovelcnt: { of: (novel) => novel.fav_novel_cnt, first: 'high' },
  reviewcnt: { of: (novel) => novel.review_cnt, first: 'high' },
  hyoka: { of: (novel) => novel.global_point, first: 'high' },
  hyokaasc: { of: (novel) => novel.global_point, first: 'low' },
  dailypoint: { of: (novel) => novel.daily_point, first: 'high' },
  weeklypoint: { of: (novel) => novel.weekly_point, first: 'high' },
  monthlypoint: { of: (novel) => novel.monthly_point, first: 'high' },
  quarterpoint: { of: (novel) => novel.quarter_point, first: 'high' },
  yearlypoint: { of: (novel) => novel.yearly_point, first: 'high' },
  impressioncnt: { of: (novel) => novel.impression_cnt, first: 'high' },
  hyokacnt: { of: (novel) => novel.all_hyoka_cnt, first: 'high' },
  hyokacntasc: { of: (novel) => novel.all_hyoka_cnt, first: 'low' },
  weekly: { of: (novel) => novel.weekly_unique, first: 'high' },
  lengthdesc: { of: (novel) => novel.length, first: 'high' },
  lengthasc: { of: (novel) => novel.length, first: 'low' },
  generalfirstup: { of: (novel) => novel.firstupAt, first: 'high' },
  ncodeasc: { of: () => 0, first: 'low' },
  ncodedesc: { of: (novel) => novel.index, first: 'high' },
  old: { of: (novel) => novel.lastupAt, first: 'low' },
};

/**
 * The novels in an order, as a new array. The order is total: where the measure ties, the lower Ncode comes
 * first, so that pages never overlap. (The upstream documents no second key.)
 */
export function sortNovels(novels: readonly CatalogueNovel[], order: NovelOrder): CatalogueNovel[] {
  const { of, first } = MEASURES[order];
  const sign = first === 'high' ? -1 : 1;
  return [...novels].sort((a, b) => sign * (of(a) - of(b)) || a.index - b.index);
}
