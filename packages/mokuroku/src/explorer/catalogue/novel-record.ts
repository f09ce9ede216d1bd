import { NOVELAPI_ORDERS, dayOfDate } from '@mokuroku/narou';
import type { SortField } from '@mokuroku/narou';
import type { AdultNovel, Change, Novel, RankingEntry, RankingHistoryEntry } from 'mokuroku-client/source';
import { ownValue } from '@mokuroku/kit';

/** A novel of either catalogue; the request determines its fields. */
export type AnyNovel = Partial<Novel & AdultNovel>;

/** A rank; a deleted novel has no fields of its own, nor has an `unknown` one: it may exist. */
export type RankedNovel = RankingEntry & AnyNovel & { unknown?: string };

/** In place of the title of a novel without one. A withdrawn one has no author either. */
export const untitled = (
  { ranking }: { readonly ranking: Readonly<Record<'gone' | 'unknown', string>> },
  novel: { unknown?: string | undefined; writer?: string } | undefined,
): string => ((novel?.unknown ?? novel?.writer) === undefined ? ranking.gone : ranking.unknown);

/** Several novels side by side with their histories. */
export interface ComparedNovels {
  novel: AnyNovel;
  history: RankingHistoryEntry[];
}

/** Keywords arrive as one text, separated by half- or full-width spaces. */
export function keywordList(novel: AnyNovel): string[] {
  return (novel.keyword ?? '').split(/\s+/).filter((word) => word !== '');
}

/** The fields by which lists are sorted, with their codes of `of`. `weekly_unique` is not returned. */
const FIGURE_CODES = {
  global_point: 'gp',
  daily_point: 'dp',
  weekly_point: 'wp',
  monthly_point: 'mp',
  quarter_point: 'qp',
  yearly_point: 'yp',
  fav_novel_cnt: 'f',
  review_cnt: 'r',
  impression_cnt: 'imp',
  all_hyoka_cnt: 'ah',
  length: 'l',
  general_lastup: 'gl',
  general_firstup: 'gf',
  ncode: 'n',
} as const satisfies Record<Exclude<SortField, 'weekly_unique'>, string>;
export type FigureField = keyof typeof FIGURE_CODES;

/** The field by which an order sorts; undefined if the catalogue does not return it. */
export function figureOf(order: string): { code: string; field: FigureField } | undefined {
  const field = ownValue(NOVELAPI_ORDERS, order)?.field;
  return field === undefined || field === 'weekly_unique' ? undefined : { code: FIGURE_CODES[field], field };
}

/**
 * The days (since 1970, in Japan) with a known episode, unique, oldest first: the first and the latest of the record,
 * and those noticed by a local catalogue.
 */
export function episodeDays(novel: AnyNovel, changes: readonly Change[]): number[] {
  const times = [
    novel.general_firstup,
    novel.general_lastup,
    ...changes.filter(({ kind }) => kind === 'episode').map(({ general_lastup: time }) => time),
  ];
  const days = times.flatMap((time) => dayOfDate((time ?? '').slice(0, 10)) ?? []);
  return [...new Set(days)].sort((a, b) => a - b);
}
