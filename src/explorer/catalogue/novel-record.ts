/** A novel record as the service gives it; which fields are there depends on `of`. */
export interface NovelRecord {
  title?: string;
  ncode?: string;
  userid?: number;
  writer?: string;
  story?: string;
  genre?: number;
  genre_label?: string;
  nocgenre?: number;
  nocgenre_label?: string;
  keyword?: string;
  general_firstup?: string;
  general_lastup?: string;
  novelupdated_at?: string;
  /** 1 serial, 2 short. */
  noveltype?: number;
  /** 0 complete or short, 1 ongoing. */
  end?: number;
  general_all_no?: number;
  length?: number;
  /** Reading time in minutes. */
  time?: number;
  isstop?: number;
  isr15?: number;
  isbl?: number;
  isgl?: number;
  iszankoku?: number;
  istensei?: number;
  istenni?: number;
  global_point?: number;
  daily_point?: number;
  weekly_point?: number;
  monthly_point?: number;
  quarter_point?: number;
  yearly_point?: number;
  fav_novel_cnt?: number;
  impression_cnt?: number;
  review_cnt?: number;
  all_point?: number;
  all_hyoka_cnt?: number;
  sasie_cnt?: number;
  /** Share of dialogue in per cent. */
  kaiwaritu?: number;
}

export interface RankedNovel extends NovelRecord {
  rank: number;
  pt: number;
  ncode: string;
}

export interface RawRankingEntry {
  rank: number;
  pt: number;
  ncode: string;
}

export interface HistoryEntry {
  rtype: string;
  rank: number;
  pt: number;
}

export interface UserRecord {
  userid: string;
  name: string;
  novel_cnt: number;
  yomikata?: string;
  review_cnt?: number;
  novel_length?: number;
  sum_global_point?: number;
}

export type Progress = 'complete' | 'ongoing' | 'stopped' | 'short';

/** Where a novel stands; undefined when the record does not say. */
export function progressOf(novel: NovelRecord): Progress | undefined {
  if (novel.noveltype === 2) return 'short';
  if (novel.end === undefined) return undefined;
  if (novel.end === 0) return 'complete';
  return novel.isstop === 1 ? 'stopped' : 'ongoing';
}

/** Keywords come as one text, separated by blanks of either width. */
export function keywordsOf(novel: NovelRecord): string[] {
  return (novel.keyword ?? '').split(/[\s\u3000]+/).filter((word) => word !== '');
}
