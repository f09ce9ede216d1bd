import type { AdultNovel, Novel, RankingEntry, RankingHistoryEntry } from '../../client/index.ts';

/** A novel of either catalogue; the request determines its fields. */
export type AnyNovel = Partial<Novel & AdultNovel>;

/** A rank; a deleted novel has no fields of its own. */
export type RankedNovel = RankingEntry & AnyNovel;

/** Several novels side by side with their histories. */
export interface ComparedNovels {
  novel: AnyNovel;
  history: RankingHistoryEntry[];
}

/** Keywords arrive as one text, separated by half- or full-width spaces. */
export function keywordList(novel: AnyNovel): string[] {
  return (novel.keyword ?? '').split(/[\s\u3000]+/).filter((word) => word !== '');
}

/** The codes of `of` for sort fields, with their field names. */
const FIELD_OF = {
  gp: 'global_point',
  dp: 'daily_point',
  wp: 'weekly_point',
  mp: 'monthly_point',
  qp: 'quarter_point',
  yp: 'yearly_point',
  f: 'fav_novel_cnt',
  r: 'review_cnt',
  imp: 'impression_cnt',
  ah: 'all_hyoka_cnt',
  l: 'length',
  gl: 'general_lastup',
  gf: 'general_firstup',
  n: 'ncode',
} as const;
type FigureCode = keyof typeof FIELD_OF;
export type FigureField = (typeof FIELD_OF)[FigureCode];

/** By the values of `order`. For `weekly` (readers of the week) the catalogue returns the order, but no number. */
const FIGURES: Readonly<Record<string, FigureCode>> = {
  hyoka: 'gp',
  hyokaasc: 'gp',
  dailypoint: 'dp',
  weeklypoint: 'wp',
  monthlypoint: 'mp',
  quarterpoint: 'qp',
  yearlypoint: 'yp',
  favnovelcnt: 'f',
  reviewcnt: 'r',
  impressioncnt: 'imp',
  hyokacnt: 'ah',
  hyokacntasc: 'ah',
  lengthdesc: 'l',
  lengthasc: 'l',
  new: 'gl',
  old: 'gl',
  generalfirstup: 'gf',
  ncodeasc: 'n',
  ncodedesc: 'n',
};

/** The field by which an order sorts; undefined if the catalogue does not return it. */
export function figureOf(order: string): { code: FigureCode; field: FigureField } | undefined {
  const code = Object.hasOwn(FIGURES, order) ? FIGURES[order] : undefined;
  return code && { code, field: FIELD_OF[code] };
}
