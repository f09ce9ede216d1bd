import { OF_FIELDS } from '../novels/of-fields.ts';
import type { FieldValues, OfRow } from '../novels/of-fields.ts';

/**
 * The record of a novel (or adult entry): the fields of `of`, and those below. Names are those of published
 * records, types and units those of the upstream's, dates in Japan time (`YYYY-MM-DD HH:MM:SS`); strings are plain text.
 *
 * A field that the upstream did not send is absent: no filter on it matches, it is sorted last, no facet counts it, and
 * responses omit it.
 */
export interface CatalogueNovel extends Readonly<Partial<FieldValues<OfRow>>> {
  /** Upper case. */
  readonly ncode: string;
  /** Unique readers of last week; returned with `opt=weekly` only. */
  readonly weekly_unique?: number;
  /** The adult site's own author id (`x1234ab`); absent from general novels. For filters only, never returned. */
  readonly xid?: string;
  /** Style by indention and line breaks: 1, 2, 4 or 6. For filters only, never returned or stored. */
  readonly buntai?: number;
  /** Fetch time in Unix seconds; 0 for a record that does not age. Never returned. */
  readonly fetched_at: number;
}

/** The fields of a record that are stored. */
export const STORED_FIELDS: readonly Exclude<keyof CatalogueNovel, 'buntai'>[] = [
  ...OF_FIELDS.map(({ field }) => field),
  'weekly_unique',
  'xid',
  'fetched_at',
];

const SMALL_FIELDS = new Map<string, 1 | 2>(
  OF_FIELDS.flatMap((row) => {
    const bytes = 'bytes' in row ? row.bytes : row.type === 'flag' ? 1 : 4;
    return bytes === 4 ? [] : [[row.field, bytes]];
  }),
);

/** Bytes of a field's number in the index. */
export const bytesOf = (field: string): 1 | 2 | 4 => SMALL_FIELDS.get(field) ?? 4;

/** Marks an unknown value in so many bytes: their greatest number, which no value has. */
export const UNKNOWN = { 1: 0xff, 2: 0xffff, 4: 0xffff_ffff } as const;

/** Marks an unknown value of a sorted column: all of these are 4 bytes wide. */
export const UNKNOWN_KEY = UNKNOWN[4];

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
