import type { CatalogueNovel } from './catalogue-novel.ts';
import type { NovelOrder } from './novel-orders.ts';

/** Numbers from `min` to `max`, both included; an end left out is open. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** The texts that `word` and `notword` look at; `ex` is the synopsis, `wname` the pen name. */
export type TextTarget = 'title' | 'ex' | 'keyword' | 'wname';

export type NovelFlag = 'isr15' | 'isbl' | 'isgl' | 'iszankoku' | 'istensei' | 'istenni';

/** Which kinds of novel: t short, r ongoing, er completed serial, re any serial, ter short or completed. */
export type NovelKind = 't' | 'r' | 'er' | 're' | 'ter';

/**
 * A search of novels. All filters given must hold; within a list, one suffices. Meaning as in the manuals of
 * novelapi and novel18api (August 2025). A filter left out does not filter.
 */
export interface NovelQuery {
  /** Words between half- or full-width blanks, each of which must occur in some target text. */
  readonly word?: string;
  /** Words of which none may occur in any target text. */
  readonly notword?: string;
  /** None or left out: all four. */
  readonly targets?: readonly TextTarget[];
  /** Upper case. */
  readonly ncodes?: readonly string[];
  readonly userids?: readonly number[];
  readonly xids?: readonly string[];
  readonly genres?: readonly number[];
  readonly notGenres?: readonly number[];
  readonly biggenres?: readonly number[];
  readonly notBiggenres?: readonly number[];
  readonly nocgenres?: readonly number[];
  readonly notNocgenres?: readonly number[];
  readonly withFlags?: readonly NovelFlag[];
  readonly withoutFlags?: readonly NovelFlag[];
  /** `istt`: reincarnation or transfer. */
  readonly otherWorld?: boolean;
  readonly length?: Range;
  readonly time?: Range;
  readonly kaiwaritu?: Range;
  readonly sasie?: Range;
  readonly kind?: NovelKind;
  readonly buntai?: readonly number[];
  /** 1 leaves out long-stopped novels, 2 gives only them. */
  readonly stop?: 1 | 2;
  /** Instants in milliseconds UTC, on `general_lastup`, `novelupdated_at` and `general_firstup`. */
  readonly lastup?: Range;
  readonly lastupdate?: Range;
  readonly firstup?: Range;
  /** Only novels good for picking up: see `isPickup`. */
  readonly pickup?: boolean;
  /** Default `new`. */
  readonly order?: NovelOrder;
  /** The first row, counted from 1; default 1. */
  readonly start?: number;
  /** Rows at most; default 20. */
  readonly limit?: number;
}

/** What a search finds: all matches counted, and the rows asked for, in order. */
export interface Found<Row> {
  readonly allcount: number;
  readonly rows: readonly Row[];
}

export type NovelTest = (novel: CatalogueNovel) => boolean;
