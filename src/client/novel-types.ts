import type { OF_FIELDS, OfCode } from '../catalogue/novels/of-fields.ts';

// Novel records as types, made from the table of `of` codes: the one that the service itself reads and publishes.

type Row = (typeof OF_FIELDS)[number];

type ValueOf<Each extends Row> = Each['type'] extends 'integer'
  ? number
  : Each['type'] extends 'flag'
    ? 0 | 1
    : string;

type FieldsOf<Each extends Row> = { [One in Each as One['field']]: ValueOf<One> };

/** A novel with all its fields. Numbers are numbers, flags 0 or 1, times `YYYY-MM-DD HH:MM:SS` in Japan. */
export interface Novel extends FieldsOf<Extract<Row, { servedBy: 'any' | 'novelapi' }>> {
  /** Japanese label of `genre`, beside it whenever it is there. */
  genre_label: string;
}

/** An adult novel with all its fields: metadata only. */
export interface AdultNovel extends FieldsOf<Extract<Row, { servedBy: 'any' | 'novel18api' }>> {
  /** Japanese label of `nocgenre`, beside it whenever it is there. */
  nocgenre_label: string;
}

/** A code of `of` on novels for all ages: 37. */
export type NovelOfCode = Exclude<OfCode, 'ng'>;
/** A code of `of` on adult novels; `u`, `bg`, `g` and `ir` select nothing there. */
export type AdultOfCode = OfCode;

type LabelFor<Code extends OfCode> = Code extends 'g'
  ? 'genre_label'
  : Code extends 'ng'
    ? 'nocgenre_label'
    : never;
type FieldByCode = { [Each in Row as Each['code']]: Each['field'] };
type FieldFor<Code extends OfCode> = FieldByCode[Code] | LabelFor<Code>;

/**
 * What is left of a record by `of`: all fields without it, exactly those selected by a list that the compiler can
 * read, and perhaps any of them by a list that is only known at run time.
 */
type Selected<Whole, Of> = Of extends readonly OfCode[]
  ? number extends Of['length']
    ? Partial<Whole>
    : Pick<Whole, FieldFor<Of[number]> & keyof Whole>
  : Whole;

export type SelectedNovel<Of> = Selected<Novel, Of>;
export type SelectedAdultNovel<Of> = Selected<AdultNovel, Of>;

export interface RankingEntry {
  rank: number;
  /** Points in the period. */
  pt: number;
  ncode: string;
}

/** A novel that the catalogue no longer has brings no fields of its own, so each may be missing. */
export type HydratedRankingEntry<Of> = RankingEntry & Partial<Omit<SelectedNovel<Of>, 'ncode'>>;

export interface RankingHistoryEntry {
  /** Day and period as the upstream names them: `20240409-w` (d daily, w weekly, m monthly, q quarterly). */
  rtype: string;
  rank: number;
  pt: number;
}
