import type { FileFacts } from './files.ts';

/*
 * The index: how a million novels are searched in a fraction of a millisecond.
 *
 * Every offset in every text is a position. All positions of all texts are sorted by the eight letters that begin there,
 * so that the occurrences of a word are adjacent: two binary searches find them, without further checks. An entry names
 * record and text, so that a search in some of the texts only needs a small table. Longer words are joined from windows
 * of eight letters.
 *
 *   DIR/generation-000007.json   the segments of the index, with size and checksum of every file
 *   DIR/keywords-000007          all keywords with their novels and weekly points, best first
 *   DIR/segment-000001/          never changed once written; ids count from 0
 *     records     for each id its JSON, see stored-novel.ts
 *     starts      u32 for each id: where it begins in records, in units of 2 bytes. In memory
 *     positions   u32 for each letter of all texts: id << 11 | offset; sorted by the 8 letters from there
 *     samples     u32 x 4 for each 64th position: its 8 letters. In memory
 *     bitmaps     a bit for each id that contains a frequent word (see frequent-words.ts); their list: frequent
 *     columns     the numbers of all records for filters and orders, column after column; the greatest number that
 *                 fits means unknown. In memory
 *     orders      for each order all ids in it, order after order. In memory
 *     sums        a CRC-32 of each record, of each block of positions, of each bitmap. In memory
 *
 * offset: title 0-127 | writer 128-191 | keyword 192-511 | story 512-1791 | title, folded 1792-1919 | writer, folded
 * 1920-2047; the last offset of each stays empty. Suggestions ignore case and width: for them, a title or pen name that
 * folding changes is there twice.
 *
 * A query: plan.ts converts the conditions to numbers. find-hits.ts finds the positions of the words, starts with
 * the ids of the rarest word (a list, or a bitmap if it is frequent), and filters them by the other words and conditions.
 * page.ts selects the page by the ranks of the order. open-index.ts is the interface.
 *
 * A build: build-segment.ts writes records, columns, orders and, by ranges of keys, positions. build-index.ts combines
 * segments to a generation. Changed records go to a small segment, which replaces their old forms: no file is written
 * twice, so readers are never disturbed.
 *
 * Files are read with fs.readSync, not mapped: a read from the page cache is fast, and memory does not grow.
 * In-memory files are verified when they are loaded (SHA-256), all others with `sums` at every read. So a damaged file
 * fails a request, but never causes a wrong response.
 * Numbers are in the byte order of the machine, which is little-endian on all platforms of Node except s390x.
 */

/** Version of the file formats. Only this version is opened. */
export const INDEX_VERSION = 11;

/** The texts that are searched, in the order of their offsets. */
export const TEXTS = ['title', 'writer', 'keyword', 'story'] as const;

/** The texts that are suggested. Their folded forms follow TEXTS. */
export const NAMES = ['title', 'writer'] as const;

/** Number of texts of a record. */
export const TEXT_COUNT = TEXTS.length + NAMES.length;

/** First offset of each text, and the end. The last offset of a text stays empty, so that no word spans two texts. */
export const TEXT_OFFSETS = [0, 128, 192, 512, 1792, 1920, 2048] as const;

export const OFFSET_BITS = 11;
export const OFFSET_COUNT = 1 << OFFSET_BITS;

/** Maximum records of a segment, twice as many as the site has: an id shares 32 bits with an offset. */
export const MAX_RECORDS = 2 ** (32 - OFFSET_BITS);

/** Letters of a key, by which positions are sorted: two per u32, the first in the high half. */
export const KEY_LETTERS = 8;
export const KEY_WORDS = KEY_LETTERS / 2;

/** The files of a segment. */
export const SEGMENT_FILES = [
  'records',
  'starts',
  'positions',
  'samples',
  'bitmaps',
  'frequent',
  'columns',
  'orders',
  'sums',
] as const;

/** Files of a segment that requests read; all others are in memory. */
export const READ_FILES = ['records', 'positions', 'bitmaps'] as const;

/** Positions per checksum: 2 KB. A multiple of every spacing. */
export const SUMMED_POSITIONS = 512;

export interface SegmentFacts {
  readonly folder: string;
  readonly files: Readonly<Record<string, FileFacts>>;
  /** Whether the segment contains changes since the other one was built. */
  readonly isChange: boolean;
  readonly records: number;
  readonly positions: number;
  /** Every n-th position is in `samples`. */
  readonly spacing: number;
  /** Ids whose texts are not in `positions` (see `isOversized`) and are searched one by one. */
  readonly oversized: readonly number[];
}
