import type { AdultNovel, Novel, RankingEntry, RankingHistoryEntry } from '../../client/index.ts';

/** A novel of either catalogue; which fields are there depends on what was asked for. */
export type AnyNovel = Partial<Novel & AdultNovel>;

/** A place of a ranking; a novel that is gone has no fields of its own. */
export type RankedNovel = RankingEntry & AnyNovel;

/** One of several novels side by side, with its history. */
export interface ComparedNovels {
  novel: AnyNovel;
  history: RankingHistoryEntry[];
}

/** Keywords come as one text, separated by blanks of either width. */
export function keywordsOf(novel: AnyNovel): string[] {
  return (novel.keyword ?? '').split(/[\s\u3000]+/).filter((word) => word !== '');
}

/** The codes of `of` that bring what lists are sorted by, and the fields that come. */
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

/** By the values of `order`. Of `weekly` (readers of the week) the catalogue tells the order, but no figure. */
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

/** The figure that an order sorts by; undefined where the catalogue does not tell it. */
export function figureOf(order: string): { code: FigureCode; field: FigureField } | undefined {
  const code = Object.hasOwn(FIGURES, order) ? FIGURES[order] : undefined;
  return code && { code, field: FIELD_OF[code] };
}
