/**
 * The record of a novel (or adult entry). Names, types and units are those of the upstream's records, dates in Japan
 * time (`YYYY-MM-DD HH:MM:SS`); strings are plain text.
 *
 * A field that the upstream did not send is absent: no filter on it matches, it is sorted last, no facet counts it, and
 * responses omit it.
 */
export interface CatalogueNovel {
  readonly title?: string;
  /** Upper case. */
  readonly ncode: string;
  /** Absent from adult entries, which have no author id. */
  readonly userid?: number;
  readonly writer?: string;
  readonly story?: string;
  /** Absent from adult entries, as `genre` and `isr15`. */
  readonly biggenre?: number;
  readonly genre?: number;
  /** Absent from general novels. */
  readonly nocgenre?: number;
  /** The adult site's own author id (`x1234ab`); absent from general novels. For filters only, never returned. */
  readonly xid?: string;
  /** Separated by blanks. */
  readonly keyword?: string;
  readonly general_firstup?: string;
  readonly general_lastup?: string;
  /** 1 serial, 2 short. */
  readonly novel_type?: number;
  /** 0 complete or short, 1 ongoing. */
  readonly end?: 0 | 1;
  readonly general_all_no?: number;
  readonly length?: number;
  readonly time?: number;
  readonly isstop?: 0 | 1;
  readonly isr15?: 0 | 1;
  readonly isbl?: 0 | 1;
  readonly isgl?: 0 | 1;
  readonly iszankoku?: 0 | 1;
  readonly istensei?: 0 | 1;
  readonly istenni?: 0 | 1;
  readonly global_point?: number;
  readonly daily_point?: number;
  readonly weekly_point?: number;
  readonly monthly_point?: number;
  readonly quarter_point?: number;
  readonly yearly_point?: number;
  readonly fav_novel_cnt?: number;
  readonly impression_cnt?: number;
  readonly review_cnt?: number;
  readonly all_point?: number;
  readonly all_hyoka_cnt?: number;
  readonly sasie_cnt?: number;
  readonly kaiwaritu?: number;
  readonly novelupdated_at?: string;
  readonly updated_at?: string;
  /** Unique readers of last week; returned with `opt=weekly` only. */
  readonly weekly_unique?: number;
  /** Style by indention and line breaks: 1, 2, 4 or 6. For filters only, never returned. */
  readonly buntai?: number;
  /** Fetch time in Unix seconds; 0 for a record that does not age. Never returned. */
  readonly fetched_at: number;
}

/** The full record of a user. */
export interface CatalogueUser {
  readonly userid: number;
  readonly name: string;
  /** Furigana, mostly katakana; empty if the user stated none. */
  readonly yomikata: string;
  /** First character of the furigana as a plain hiragana; '' if it is none. */
  readonly name1st: string;
  readonly novel_cnt: number;
  readonly review_cnt: number;
  /** Characters of all novels together. */
  readonly novel_length: number;
  readonly sum_global_point: number;
}
