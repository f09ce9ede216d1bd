import type { RankingType } from '../../catalogue/novels/ranking-date.ts';

/** Where the words of a search must occur; the upstream's own parameter names. Empty: anywhere. */
export const WORD_TARGETS = ['', 'title', 'ex', 'keyword', 'wname'] as const;
export type WordTarget = (typeof WORD_TARGETS)[number];

export const PAGE_LENGTH = 30;
export const DEFAULT_ORDER = 'weeklypoint';

/** A search as the reader sees it. Empty texts mean "any"; `st` counts from 1. */
export interface NovelSearch {
  word: string;
  notword: string;
  target: WordTarget;
  /** A genre code (`201`), or `b2` for all of a big genre. */
  genre: string;
  nocgenre: string;
  type: string;
  minlen: string;
  maxlen: string;
  order: string;
  st: number;
}

/** Spans of time a ranking history can be drawn over, in days; 0: all of it. */
export const SPANS = [90, 365, 0] as const;
export type Span = (typeof SPANS)[number];

/** What the page shows. `adult` is never anything but false outside the part behind the age confirmation. */
export type View =
  | { name: 'search'; adult: boolean; search: NovelSearch }
  | { name: 'ranking'; type: RankingType; date: string | null }
  | { name: 'novel'; adult: boolean; ncode: string; span: Span }
  | { name: 'author'; userid: string; st: number }
  | { name: 'authors'; word: string; st: number };

export const ANY_NOVEL: NovelSearch = {
  word: '',
  notword: '',
  target: '',
  genre: '',
  nocgenre: '',
  type: '',
  minlen: '',
  maxlen: '',
  order: DEFAULT_ORDER,
  st: 1,
};

export const isAdult = (view: View): boolean =>
  (view.name === 'search' || view.name === 'novel') && view.adult;
