import type { OfCode } from './of-fields.ts';
import type { NovelapiOrder, UserapiOrder } from './orders.ts';

/** Numbers from `min` to `max`, both included; a missing end is open. */
export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The upstream's words for time ranges, in Japan time. A week begins on Sunday at midnight. */
export const TIME_WORDS = ['thisweek', 'lastweek', 'sevenday', 'thismonth', 'lastmonth'] as const;

/** A time range: a word, or Unix times in seconds. */
export type TimeRange = (typeof TIME_WORDS)[number] | Range;

/** The upstream's values of `type`: serials, shorts and complete works. */
export const WORK_TYPES = ['t', 'r', 'er', 're', 'ter'] as const;

/** The texts that are searched for words; `ex` is the synopsis, `wname` the pen name. */
export const TEXT_TARGETS = ['title', 'ex', 'keyword', 'wname'] as const;

export const NOVEL_FLAGS = ['isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'] as const;
export const NOT_FLAGS = ['notr15', 'notbl', 'notgl', 'notzankoku', 'nottensei', 'nottenni'] as const;

/** The filters by a range of numbers, and by a time range. */
export const RANGE_FILTERS = ['length', 'time', 'kaiwaritu', 'sasie'] as const;
export const TIME_FILTERS = ['lastup', 'lastupdate', 'firstup'] as const;

/** Fields by which matches are counted. `type` counts t, r and er, which have no novel in common. */
export const FACETS = ['genre', 'biggenre', 'nocgenre', 'type', 'buntai', 'isstop', ...NOVEL_FLAGS] as const;
export type FacetName = (typeof FACETS)[number];

type Conditions<Name extends string, Value> = { readonly [Each in Name]?: Value | undefined };

/**
 * The filters of a search, with the names and meanings of the upstream's manuals (novelapi and novel18api, August
 * 2025). A novel must satisfy all filters, and any one value of a list.
 */
export interface NovelConditions
  extends
    Conditions<(typeof TEXT_TARGETS)[number] | (typeof NOVEL_FLAGS)[number] | (typeof NOT_FLAGS)[number], 1>,
    Conditions<(typeof RANGE_FILTERS)[number], Range>,
    Conditions<(typeof TIME_FILTERS)[number], TimeRange> {
  /**
   * Words separated by half- or full-width spaces. Each must occur in one of the targets (all four by default)
   * exactly as written, without folding of case or width. A single word in the form of an Ncode means that novel.
   */
  readonly word?: string | undefined;
  /** Words that must not occur in any target. */
  readonly notword?: string | undefined;
  /** Upper case. */
  readonly ncode?: readonly string[] | undefined;
  readonly userid?: readonly number[] | undefined;
  /** Author ids of the adult site, lower case. */
  readonly xid?: readonly string[] | undefined;
  readonly genre?: readonly number[] | undefined;
  readonly notgenre?: readonly number[] | undefined;
  readonly biggenre?: readonly number[] | undefined;
  readonly notbiggenre?: readonly number[] | undefined;
  readonly nocgenre?: readonly number[] | undefined;
  readonly notnocgenre?: readonly number[] | undefined;
  /** t short, r ongoing, er complete serial, re any serial, ter short or complete serial. */
  readonly type?: (typeof WORK_TYPES)[number] | undefined;
  readonly buntai?: readonly number[] | undefined;
  /** `'1'` excludes long-stopped novels, `'2'` selects only those. */
  readonly stop?: '1' | '2' | undefined;
  /** Reincarnation or transfer to another world. */
  readonly istt?: 1 | undefined;
  /** An episode within 60 days, and short, complete or of at least 100,000 characters. */
  readonly ispickup?: 1 | undefined;
}

/**
 * A search of novels in its normal form, so that equal searches are equal objects: lists are sorted and unique,
 * Ncodes upper case, flags 1 or absent. Sources and the index both use it.
 */
export interface NovelQuery extends NovelConditions {
  readonly order: NovelapiOrder;
  /** The first row, from 1. */
  readonly st: number;
  /** Maximum number of rows. */
  readonly lim: number;
  /** The requested fields in record order; absent: all, empty: none. The index ignores it and returns records. */
  readonly of?: readonly OfCode[] | undefined;
  /** `weekly` adds `weekly_unique` to the records. The index ignores it too. */
  readonly opt?: 'weekly' | undefined;
}

/** A search of users: filters (manual of userapi, August 2025) and requested rows. */
export interface UserQuery {
  /** Words separated by spaces, each of which must occur in the name or its furigana. */
  readonly word?: string | undefined;
  readonly notword?: string | undefined;
  readonly userid?: number | undefined;
  /** One plain hiragana. */
  readonly name1st?: string | undefined;
  readonly minnovel?: number | undefined;
  readonly maxnovel?: number | undefined;
  readonly minreview?: number | undefined;
  readonly maxreview?: number | undefined;
  /** Default `new`. */
  readonly order?: UserapiOrder | undefined;
  readonly st: number;
  readonly lim: number;
}

/** Number of matches by value of a field, `{genre: {'201': 12}}`; values without a match are absent. */
export type FacetCounts = Partial<Record<FacetName, Record<string, number>>>;

/**
 * Suggestions for a partly typed text. Each contains every word of the text, as in a search. They are sorted by
 * weekly points: those of the best novel with the title or pen name, or the sum of all novels with the keyword. Ties
 * are sorted by Ncode, keywords by code units. Each title or pen name occurs once.
 */
export interface Suggestions {
  readonly titles: readonly { readonly title: string; readonly ncode: string }[];
  readonly writers: readonly { readonly writer: string; readonly userid?: number }[];
  readonly keywords: readonly { readonly keyword: string; readonly novels: number }[];
}

export type Awaitable<Value> = Value | Promise<Value>;
