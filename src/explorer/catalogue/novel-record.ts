import type { AdultNovel, Novel, RankingEntry } from '../../client/index.ts';

/** A novel of either catalogue; which fields are there depends on what was asked for. */
export type AnyNovel = Partial<Novel & AdultNovel>;

/** A place of a ranking; a novel that is gone has no fields of its own. */
export type RankedNovel = RankingEntry & AnyNovel;

export const PROGRESSES = ['ongoing', 'complete', 'short', 'stopped'] as const;
export type Progress = (typeof PROGRESSES)[number];

/** Where a novel stands; undefined when the record does not say. */
export function progressOf(novel: AnyNovel): Progress | undefined {
  if (novel.noveltype === 2) return 'short';
  if (novel.end === undefined) return undefined;
  if (novel.end === 0) return 'complete';
  return novel.isstop === 1 ? 'stopped' : 'ongoing';
}

/** Keywords come as one text, separated by blanks of either width. */
export function keywordsOf(novel: AnyNovel): string[] {
  return (novel.keyword ?? '').split(/[\s\u3000]+/).filter((word) => word !== '');
}

/** What a list is sorted by: the code of `of` that brings it, its field, and how it is written. */
export interface Figure {
  code: 'gp' | 'dp' | 'wp' | 'mp' | 'qp' | 'yp' | 'f' | 'r' | 'imp' | 'ah' | 'l' | 'gl' | 'gf' | 'n';
  field: keyof AnyNovel & keyof FigureLabels;
}

/** Labels of figures, by field. */
export interface FigureLabels {
  global_point: string;
  daily_point: string;
  weekly_point: string;
  monthly_point: string;
  quarter_point: string;
  yearly_point: string;
  fav_novel_cnt: string;
  review_cnt: string;
  impression_cnt: string;
  all_hyoka_cnt: string;
  length: string;
  general_lastup: string;
  general_firstup: string;
  ncode: string;
}

const OVERALL: Figure = { code: 'gp', field: 'global_point' };
const LENGTH: Figure = { code: 'l', field: 'length' };
const LATEST: Figure = { code: 'gl', field: 'general_lastup' };
const NCODE: Figure = { code: 'n', field: 'ncode' };
const RATERS: Figure = { code: 'ah', field: 'all_hyoka_cnt' };

/** By the values of `order`. Of `weekly` (readers of the week) the catalogue tells the order, but no figure. */
const FIGURES: Readonly<Record<string, Figure>> = {
  hyoka: OVERALL,
  hyokaasc: OVERALL,
  dailypoint: { code: 'dp', field: 'daily_point' },
  weeklypoint: { code: 'wp', field: 'weekly_point' },
  monthlypoint: { code: 'mp', field: 'monthly_point' },
  quarterpoint: { code: 'qp', field: 'quarter_point' },
  yearlypoint: { code: 'yp', field: 'yearly_point' },
  favnovelcnt: { code: 'f', field: 'fav_novel_cnt' },
  reviewcnt: { code: 'r', field: 'review_cnt' },
  impressioncnt: { code: 'imp', field: 'impression_cnt' },
  hyokacnt: RATERS,
  hyokacntasc: RATERS,
  lengthdesc: LENGTH,
  lengthasc: LENGTH,
  new: LATEST,
  old: LATEST,
  generalfirstup: { code: 'gf', field: 'general_firstup' },
  ncodeasc: NCODE,
  ncodedesc: NCODE,
};

/** The figure that an order sorts by; undefined where the catalogue does not tell it. */
export const figureOf = (order: string): Figure | undefined =>
  Object.hasOwn(FIGURES, order) ? FIGURES[order] : undefined;
