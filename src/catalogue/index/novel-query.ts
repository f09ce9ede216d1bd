import type { CatalogueNovel } from '../../sample/novels/catalogue-novel.ts';
import type { NovelOrder } from './novel-orders.ts';

/** Numbers from `min` to `max`, both included; an end left out is open. */
export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
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
  readonly word?: string | undefined;
  /** Words of which none may occur in any target text. */
  readonly notword?: string | undefined;
  /** None or left out: all four. */
  readonly targets?: readonly TextTarget[] | undefined;
  /** Upper case. */
  readonly ncodes?: readonly string[] | undefined;
  readonly userids?: readonly number[] | undefined;
  readonly xids?: readonly string[] | undefined;
  readonly genres?: readonly number[] | undefined;
  readonly notGenres?: readonly number[] | undefined;
  readonly biggenres?: readonly number[] | undefined;
  readonly notBiggenres?: readonly number[] | undefined;
  readonly nocgenres?: readonly number[] | undefined;
  readonly notNocgenres?: readonly number[] | undefined;
  readonly withFlags?: readonly NovelFlag[] | undefined;
  readonly withoutFlags?: readonly NovelFlag[] | undefined;
  /** `istt`: reincarnation or transfer. */
  readonly otherWorld?: boolean | undefined;
  readonly length?: Range | undefined;
  readonly time?: Range | undefined;
  readonly kaiwaritu?: Range | undefined;
  readonly sasie?: Range | undefined;
  readonly kind?: NovelKind | undefined;
  readonly buntai?: readonly number[] | undefined;
  /** `'1'` leaves out long-stopped novels, `'2'` gives only them. */
  readonly stop?: '1' | '2' | undefined;
  /** Instants in milliseconds UTC, on `general_lastup`, `novelupdated_at` and `general_firstup`. */
  readonly lastup?: Range | undefined;
  readonly lastupdate?: Range | undefined;
  readonly firstup?: Range | undefined;
  /** Only novels good for picking up: see `isPickup`. */
  readonly pickup?: boolean | undefined;
  /** Default `new`. */
  readonly order?: NovelOrder | undefined;
  /** The first row, counted from 1; default 1. */
  readonly start?: number | undefined;
  /** Rows at most; default 20. */
  readonly limit?: number | undefined;
}

/** What a search finds: all matches counted, and the rows asked for, in order. */
export interface Found<Row> {
  readonly allcount: number;
  readonly rows: readonly Row[];
}

export type NovelTest = (novel: CatalogueNovel) => boolean;
