/**
 * A novel (or adult entry) of the embedded catalogue, at one point of time. Strings are plain text: escaping is
 * the business of whoever sends them. Names are the upstream's, with the shapes and units of its records;
 * instants are milliseconds UTC beside the upstream's Japan time strings.
 */
export interface CatalogueNovel {
  /** Its place in the catalogue's own numbering: unique, rising with the Ncode. */
  readonly index: number;
  readonly adult: boolean;
  readonly title: string;
  readonly ncode: string;
  /** 0 for adult entries, which do not name their author. */
  readonly userid: number;
  readonly writer: string;
  readonly story: string;
  /** 0 for adult entries, as `genre`. */
  readonly biggenre: number;
  readonly genre: number;
  /** 0 for general novels. */
  readonly nocgenre: number;
  /** The adult site's own author id (`x1234ab`); empty for general novels. Never sent, only searched by. */
  readonly xid: string;
  readonly keyword: string;
  readonly general_firstup: string;
  readonly general_lastup: string;
  readonly novelupdated_at: string;
  readonly updated_at: string;
  readonly firstupAt: number;
  readonly lastupAt: number;
  readonly novelupdatedAt: number;
  /** 1 serial, 2 short. */
  readonly novel_type: 1 | 2;
  /** 0 complete or short, 1 ongoing. */
  readonly end: 0 | 1;
  readonly general_all_no: number;
  readonly length: number;
  readonly time: number;
  readonly isstop: 0 | 1;
  readonly isr15: 0 | 1;
  readonly isbl: 0 | 1;
  readonly isgl: 0 | 1;
  readonly iszankoku: 0 | 1;
  readonly istensei: 0 | 1;
  readonly istenni: 0 | 1;
  readonly global_point: number;
  readonly daily_point: number;
  readonly weekly_point: number;
  readonly monthly_point: number;
  readonly quarter_point: number;
  readonly yearly_point: number;
  readonly fav_novel_cnt: number;
  readonly impression_cnt: number;
  readonly review_cnt: number;
  readonly all_point: number;
  readonly all_hyoka_cnt: number;
  readonly sasie_cnt: number;
  readonly kaiwaritu: number;
  readonly weekly_unique: number;
  /** Style by indention and line breaks: 1, 2, 4 or 6. Searched by, never sent. */
  readonly buntai: 1 | 2 | 4 | 6;
}

/** A user of the embedded catalogue, at one point of time. */
export interface CatalogueUser {
  readonly userid: number;
  readonly name: string;
  /** Furigana, mostly katakana; empty where the user gave none. */
  readonly yomikata: string;
  /** First character of the furigana as a plain hiragana; empty where it is none. */
  readonly name1st: string;
  readonly novel_cnt: number;
  readonly review_cnt: number;
  /** Characters of all novels together. */
  readonly novel_length: number;
  readonly sum_global_point: number;
}
