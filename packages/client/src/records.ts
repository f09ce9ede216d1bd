import type {
  AdultFieldValues,
  NovelFieldValues,
  OfCode,
  OfRow,
  DatedRanking,
  RankingEntry,
  RankingHistoryEntry,
} from '@mokuroku/narou';
import type {
  FacetName,
  Range,
  TimeRange,
  AdultValues,
  ChangesValues,
  HistoryValues,
  NovelValues,
  RankingFilterValues,
  UserValues,
  UserFieldValues,
} from '@mokuroku/narou/queries';
import type { ResponseFacts } from './mokuroku-error.ts';

// Requests and responses of the catalogue as types, derived from the tables by which the service reads parameters and
// writes records.

/** A novel with all its fields. Numbers are numbers, flags 0 or 1, times `YYYY-MM-DD HH:MM:SS` in Japan. */
export interface Novel extends NovelFieldValues {
  /** Japanese label of `genre`, present whenever `genre` is. */
  genre_label: string;
}

/** An adult novel with all its fields: metadata only. */
export interface AdultNovel extends AdultFieldValues {
  /** Japanese label of `nocgenre`, present whenever `nocgenre` is. */
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
 * The fields of a record that `of` selects: all without it, exactly those of a list known to the compiler, any of
 * them for a list known only at run time.
 */
type Selected<Whole, Of> = Of extends readonly OfCode[]
  ? number extends Of['length']
    ? Partial<Whole>
    : Pick<Whole, FieldFor<Of[number]> & keyof Whole>
  : Whole;

export type SelectedNovel<Of> = Selected<Novel, Of>;
export type SelectedAdultNovel<Of> = Selected<AdultNovel, Of>;

export type { DatedRanking, RankingEntry, RankingHistoryEntry };

/** One of several rankings, with its novels. */
export interface DatedHydratedRanking<Of extends readonly NovelOfCode[] | undefined = undefined> {
  date: string;
  entries: HydratedRankingEntry<Of>[];
}

/**
 * Withdrawn novels have no fields, so each is optional. With `unknown` (the code of an error), it is not known whether
 * there is such a novel, or no field is readable.
 */
export type HydratedRankingEntry<Of> = RankingEntry &
  Partial<Omit<SelectedNovel<Of>, 'ncode'>> & { unknown?: string };

/** Histories by Ncode in upper case; null for a novel that does not exist. Those in `meta.unknown` are missing. */
export type RankingHistories = Record<string, RankingHistoryEntry[] | null>;

/** The record without its index signature: published fields only. */
type KnownKeys<Loose> = {
  [Name in keyof Loose as string extends Name ? never : number extends Name ? never : Name]: Loose[Name];
};

/** An author or reader. Totals are up to 24 hours old. */
export type User = KnownKeys<UserFieldValues>;

/** A row of a code table. */
export type { CodeLabel } from '@mokuroku/narou';

type OneOrMany<Item> = Item | readonly Item[];

/**
 * A number; a range as `10-20`, `10-`, `-20`; a word; Unix times `a-b` in seconds; or two days in Japan. One end may
 * be open.
 */
type Span = number | `${number}-${number | ''}` | `-${number}`;
type Time = Exclude<TimeRange, Range> | `${number}-${number | ''}` | `-${number}` | `${string},${string}`;

/** `'1' | '2'` as numbers too. */
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

/** Conditions of a novel search; lists may be one value or several. `of` selects the fields. */
export interface NovelSearch extends Inputs<NovelValues> {
  readonly of?: readonly NovelOfCode[] | undefined;
  /** Fields by whose values all matches are counted, in `meta.facets`; not on the live upstream. */
  readonly facets?: OneOrMany<Exclude<FacetName, 'nocgenre'>> | undefined;
}

/** Conditions of an adult novel search, without those that its upstream lacks (`genre`, `userid` ...). */
export interface AdultNovelSearch extends Inputs<AdultValues> {
  readonly of?: readonly AdultOfCode[] | undefined;
  readonly facets?: OneOrMany<Exclude<FacetName, 'genre' | 'biggenre' | 'isr15'>> | undefined;
}

/** Titles, pen names and keywords that contain the typed text. */
export type { Suggestions, Change } from '@mokuroku/narou/queries';

export type UserSearch = Inputs<UserValues>;

/** Filters of a ranking by its novels, and its order. */
export type RankingFilters = Inputs<RankingFilterValues>;

/** Metadata of a response. */
export interface Meta {
  cached: boolean;
  /** Processing time in milliseconds. */
  tookMs: number;
  /** The upstream interface of the data; `static`: tables of the service. */
  source: 'novelapi' | 'novel18api' | 'rank' | 'rankin' | 'hydrated' | 'userapi' | 'static';
  /** Present when stale data are served. */
  stale?: true;
  /** Of a local catalogue: when the oldest of the data were fetched, ISO 8601 in UTC. */
  asOf?: string;
  /** Query parameters that had no effect. */
  ignored?: string[];
  /** Number of rows that the upstream sent and that are left out: unreadable, repeated, or not as requested. */
  unreadable?: number;
}

export interface NcodesMeta extends Meta {
  /** Requested Ncodes of which a local catalogue does not know whether there are such novels. */
  unknown?: string[];
}

export interface SearchMeta extends NcodesMeta {
  /** All matches, not only those of this page. */
  upstreamAllCount?: number;
  /** Number of all matches by value of the fields in `facets`. */
  facets?: Partial<Record<FacetName, Record<string, number>>>;
}

/** The cursor (or `now`: only that of the present) and conditions; lists may be one value or several. */
export type ChangesSearch = Inputs<ChangesValues>;

/** Default: the rankings of all periods; `lim`: only the latest entries of each history. */
export type HistoryChoice = Inputs<HistoryValues>;

export interface ChangesMeta extends Meta {
  /** The cursor of the next page. */
  next: string;
  /** Whether another page is ready. */
  more: boolean;
}

/** Of ranking histories. */
export interface HistoryMeta extends NcodesMeta {
  /** From a local catalogue: the last day up to which all rankings are included. */
  until?: string;
  /** From a local catalogue: the `rtype` of each ranking that it lacks, and so the histories too. */
  missing?: string[];
  /** Of several histories: Ncodes of novels that do not exist. */
  absent?: string[];
}

/** Of several rankings. */
export interface RankingSpanMeta extends Meta {
  /** From a local catalogue: its newest ranking, if the span ends there. */
  until?: string;
  /** Due dates of the span whose rankings are missing or doubtful: late, empty or incomplete upstream. */
  missing?: string[];
}

/** With filters. */
export interface NarrowedMeta {
  /** Number of entries before the filters. */
  ranked?: number;
  /** Number of entries that match, before `lim`. */
  matches?: number;
}

export interface RankingMeta extends Meta {
  /** The ranking served, `YYYY-MM-DD`; a Monday for weekly. */
  date: string;
  /** From a local catalogue, without a date: its newest ranking. */
  until?: string;
}

/** The service's envelope, with its HTTP metadata. */
export interface Answer<Data, AnswerMeta extends Meta = Meta> {
  data: Data;
  meta: AnswerMeta;
  response: ResponseFacts;
}
