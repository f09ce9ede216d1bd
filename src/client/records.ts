import type { UserRecord } from '../catalogue/endpoints/user-schema.ts';
import type { OfCode, OfRow } from '../catalogue/novels/of-fields.ts';
import type { FacetName, Range, When } from '../catalogue/novels/novel-query.ts';
import type { AdultValues, NovelValues, UserValues } from '../catalogue/novels/search-query.ts';
import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import type { ChangeKind } from '../catalogue/index/engine/novel-changes.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

// What the catalogue answers and what it can be asked, as types: made from the tables by which the service reads its
// parameters and writes its records.

type ValueOf<Each extends OfRow> = Each['type'] extends 'integer'
  ? number
  : Each['type'] extends 'flag'
    ? 0 | 1
    : string;

type FieldsOf<Each extends OfRow> = { [One in Each as One['field']]: ValueOf<One> };

/** A novel with all its fields. Numbers are numbers, flags 0 or 1, times `YYYY-MM-DD HH:MM:SS` in Japan. */
export interface Novel extends FieldsOf<Extract<OfRow, { servedBy: 'any' | 'novelapi' }>> {
  /** Japanese label of `genre`, beside it whenever it is there. */
  genre_label: string;
}

/** An adult novel with all its fields: metadata only. */
export interface AdultNovel extends FieldsOf<Extract<OfRow, { servedBy: 'any' | 'novel18api' }>> {
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
type FieldByCode = { [Each in OfRow as Each['code']]: Each['field'] };
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

/** One of several rankings; `date` in the form of `ranking()`. */
/** One of several rankings, with its novels. */
export interface DatedHydratedRanking<Of extends readonly NovelOfCode[] | undefined = undefined> {
  date: string;
  entries: HydratedRankingEntry<Of>[];
}

export interface DatedRanking {
  date: string;
  entries: RankingEntry[];
}

/** A novel that the catalogue no longer has brings no fields of its own, so each may be missing. */
export type HydratedRankingEntry<Of> = RankingEntry & Partial<Omit<SelectedNovel<Of>, 'ncode'>>;

export interface RankingHistoryEntry {
  /** Day and period as the upstream names them: `20240409-w` (d daily, w weekly, m monthly, q quarterly). */
  rtype: string;
  rank: number;
  pt: number;
  /** Period and date in the form of `ranking()`: a Monday for weekly. */
  type?: RankingType;
  date?: string;
}

/** Histories by Ncode, upper case; null for a novel that does not exist. */
export type RankingHistories = Record<string, RankingHistoryEntry[] | null>;

/** The record without "and whatever else": what is published by name. */
type Named<Loose> = {
  [Name in keyof Loose as string extends Name ? never : number extends Name ? never : Name]: Loose[Name];
};

/** An author or reader. Totals are up to 24 hours old. */
export type User = Named<UserRecord>;

/** A row of a code table. */
export type { CodeLabel } from '../catalogue/endpoints/list-genres.ts';

type OneOrMany<Item> = Item | readonly Item[];

/** A number, or a range as `10-20`, `10-`, `-20`; a word, Unix times `a-b` in seconds, or two days in Japan; an end may be left out. */
type Span = number | `${number}-${number | ''}` | `-${number}`;
type Time = Exclude<When, Range> | `${number}-${number | ''}` | `-${number}` | `${string},${string}`;

/** `'1' | '2'` may be given as numbers too. */
type Loose<Value> = Value extends `${infer Digits extends number}` ? Value | Digits : Value;

type Input<Name, Value> = [Range] extends [Value]
  ? Name extends 'lastup' | 'lastupdate' | 'firstup'
    ? Time
    : Span
  : Name extends 'userid'
    ? Value extends readonly unknown[]
      ? OneOrMany<number | string>
      : number | string
    : [Value] extends [1]
      ? 0 | 1 | boolean
      : Value extends readonly (infer Item)[]
        ? OneOrMany<Item>
        : Loose<Value>;

type Inputs<Values> = {
  readonly [Name in Exclude<keyof Values, 'of'>]?: Input<Name, Exclude<Values[Name], undefined>> | undefined;
};

/** Conditions of a novel search; lists may be one value or several. The fields wanted are `of`. */
export interface NovelSearch extends Inputs<NovelValues> {
  readonly of?: readonly NovelOfCode[] | undefined;
  /** What to count all matches by, in `meta.facets`; not on the live upstream. */
  readonly facets?: OneOrMany<Exclude<FacetName, 'nocgenre'>> | undefined;
}

/** Conditions of an adult novel search. What its upstream cannot filter by (`genre`, `userid` ...) is left out. */
export interface AdultNovelSearch extends Inputs<AdultValues> {
  readonly of?: readonly AdultOfCode[] | undefined;
  readonly facets?: OneOrMany<Exclude<FacetName, 'genre' | 'biggenre' | 'isr15'>> | undefined;
}

/** Titles, pen names and keywords that hold what has been typed. */
export type { Suggestions } from '../catalogue/endpoints/suggest.ts';

export type UserSearch = Inputs<UserValues>;

/** What an answer says of itself. */
export interface Meta {
  cached: boolean;
  /** Processing time in milliseconds. */
  tookMs: number;
  /** The upstream interface that the data come from; `static`: tables that are part of the service. */
  source: 'novelapi' | 'novel18api' | 'rank' | 'rankin' | 'hydrated' | 'userapi' | 'static';
  /** Present when the data are older than they should be. */
  stale?: true;
  /** From a local catalogue: when the oldest of the data were fetched, ISO 8601 in UTC. */
  asOf?: string;
  /** Query parameters that had no effect. */
  ignored?: string[];
}

export interface SearchMeta extends Meta {
  /** All matches, not only those of this page. */
  upstreamAllCount?: number;
  /** Number of all matches by value of the fields that `facets` names. */
  facets?: Partial<Record<FacetName, Record<string, number>>>;
}

/** Something that happened to a novel. */
export type { Change } from '../catalogue/endpoints/list-changes.ts';

/** Behind which cursor, and what of it; lists may be one value or several. */
export interface ChangesSearch {
  /** A cursor, or `now`: only the cursor of the present. */
  readonly since?: string | undefined;
  readonly lim?: number | undefined;
  readonly kind?: OneOrMany<ChangeKind> | undefined;
  readonly ncode?: OneOrMany<string> | undefined;
  readonly userid?: OneOrMany<number | string> | undefined;
  readonly genre?: OneOrMany<number> | undefined;
  readonly notgenre?: OneOrMany<number> | undefined;
  readonly biggenre?: OneOrMany<number> | undefined;
  readonly notbiggenre?: OneOrMany<number> | undefined;
}

export interface ChangesMeta extends Meta {
  /** The cursor of what comes next. */
  next: string;
  /** Whether there is more already. */
  more: boolean;
}

export interface RankingMeta extends Meta {
  /** The ranking served, `YYYY-MM-DD`; a Monday for weekly. */
  date: string;
}

/** The service's envelope, and how it came about. */
export interface Answer<Data, AnswerMeta extends Meta = Meta> {
  data: Data;
  meta: AnswerMeta;
  response: ResponseFacts;
}
