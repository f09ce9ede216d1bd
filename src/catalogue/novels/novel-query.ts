import type { OfCode } from './of-fields.ts';
import type { NovelapiOrder, UserapiOrder } from './orders.ts';

/** Numbers from `min` to `max`, both included; an end left out is open. */
export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Spans of time that the upstream names, in Japan time; a week begins on Sunday, at midnight. */
export const TIME_WORDS = ['thisweek', 'lastweek', 'sevenday', 'thismonth', 'lastmonth'] as const;

/** A span of time: a word, or Unix times in seconds. */
export type When = (typeof TIME_WORDS)[number] | Range;

/** The kinds of a work by the upstream's `type`: serials, shorts and what is complete. */
export const WORK_TYPES = ['t', 'r', 'er', 're', 'ter'] as const;

/** The texts that words are looked for in; `ex` is the synopsis, `wname` the pen name. */
export const TEXT_TARGETS = ['title', 'ex', 'keyword', 'wname'] as const;

export const NOVEL_FLAGS = ['isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'] as const;
export const NOT_FLAGS = ['notr15', 'notbl', 'notgl', 'notzankoku', 'nottensei', 'nottenni'] as const;

/** What matches can be counted by. `type` counts t, r and er, which share no novel. */
export const FACETS = [
  ...(['genre', 'biggenre', 'nocgenre', 'type', 'buntai', 'isstop'] as const),
  ...(['isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'] as const),
] as const;
export type FacetName = (typeof FACETS)[number];

type MarkConditions<Name extends string> = { readonly [Each in Name]?: 1 | undefined };

/**
 * What must hold of a novel, by the names and with the meaning of the upstream's manuals (novelapi and novel18api,
 * August 2025). All that is given must hold; within a list one suffices.
 */
export interface NovelConditions extends MarkConditions<
  (typeof TEXT_TARGETS)[number] | (typeof NOVEL_FLAGS)[number] | (typeof NOT_FLAGS)[number]
> {
  /**
   * Words between half- or full-width blanks, each of which must occur in one of the targets (all four where none is
   * given), as it is written: no case or width folds. A single word that looks like an Ncode means that novel.
   */
  readonly word?: string | undefined;
  /** Words of which none may occur in any target. */
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
  /** `'1'` without long-stopped novels, `'2'` only those. */
  readonly stop?: '1' | '2' | undefined;
  /** Reincarnation or transfer to another world. */
  readonly istt?: 1 | undefined;
  /** An episode within 60 days, and short, complete or of at least 100,000 characters. */
  readonly ispickup?: 1 | undefined;
  readonly length?: Range | undefined;
  readonly time?: Range | undefined;
  readonly kaiwaritu?: Range | undefined;
  readonly sasie?: Range | undefined;
  /** On `general_lastup`, `novelupdated_at` and `general_firstup`. */
  readonly lastup?: When | undefined;
  readonly lastupdate?: When | undefined;
  readonly firstup?: When | undefined;
}

/**
 * A search of novels, in the form in which equal questions are equal objects: lists sorted and without doubles, Ncodes
 * in upper case, marks 1 or absent. The source of the catalogue and the index over records both read this one.
 */
export interface NovelQuery extends NovelConditions {
  readonly order: NovelapiOrder;
  /** The first row, counted from 1. */
  readonly st: number;
  /** Rows at most. */
  readonly lim: number;
  /** The fields wanted, in the order of the record; absent: all, empty: none. Not for the index, which gives records. */
  readonly of?: readonly OfCode[] | undefined;
  /** `weekly` adds `weekly_unique` to the records. Not for the index either. */
  readonly opt?: 'weekly' | undefined;
}

/** A search of users: what must hold (manual of userapi, August 2025), and which rows are wanted. */
export interface UserQuery {
  /** Words between blanks, each of which must occur in the name or its furigana. */
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

/** Number of matches by value of a field, `{genre: {'201': 12}}`; values without a match are left out. */
export type FacetCounts = Partial<Record<FacetName, Record<string, number>>>;

/**
 * What may be meant by a text while it is typed. Each holds every word of the text (as in a search), the more weekly
 * points the earlier: those of the best novel of a title or pen name, for a keyword those of all its novels together.
 * Ties: the lower Ncode, keywords by their letters. A title or pen name comes once, however many novels bear it.
 */
export interface Suggestions {
  readonly titles: readonly { readonly title: string; readonly ncode: string }[];
  readonly writers: readonly { readonly writer: string; readonly userid?: number }[];
  readonly keywords: readonly { readonly keyword: string; readonly novels: number }[];
}

export type Awaitable<Value> = Value | Promise<Value>;
