/*
 * The index: how a million novels are searched in a fraction of a millisecond.
 *
 * Every place in every text is a position. All positions of all texts are sorted by the eight letters that begin
 * there, so that the occurrences of any word stand side by side: two binary searches find them, and nothing that is
 * found has to be checked. An entry of that list names record and text, so that a search in some of the texts only
 * is a look at a small table. Words of nine letters and more are joined from windows of eight.
 *
 *   DIR/generation-000007.json   which segments make up the index, with size and sum of every file
 *   DIR/keywords-000007          all keywords with their novels and weekly points, best first
 *   DIR/dead-000007-000001       ids of segment 1 that were changed or removed since it was written
 *   DIR/segment-000001/          never changed once written; ids count from 0
 *     records     for each id its JSON, as it is answered
 *     names       for each id its title and pen name, in JSON: what suggestions are made of
 *     starts      u32 for each id: where it begins in records, and behind them where in names (in units of 2 bytes).
 *                 In memory
 *     positions   u32 for each letter of all texts: id << 11 | place; sorted by the 8 letters from there
 *     samples     u32 x 4 for each 64th position: its 8 letters. In memory
 *     bitmaps     a bit for each id: who holds a word that is frequent (see frequent-words.ts); their list: frequent
 *     columns     the numbers of all records that are filtered and sorted by, column after column; the greatest that
 *                 fits stands for an unknown one. In memory
 *     orders      for each order all ids in it, order after order. In memory
 *     sums        a CRC-32 of each record, of each name, of each block of positions, of each bitmap. In memory
 *
 * place: title 0-127 | writer 128-191 | keyword 192-511 | story 512-2047; the last of each stays free
 *
 * A question: plan.ts says in numbers what is asked; question.ts makes ranges of positions of its words, of the rarest a
 * list of ids, or a bitmap where even that is frequent, and lets other words and filters take away; page.ts takes the
 * page by the order's ranks. open-index.ts is what others call.
 *
 * A build: build-segment.ts writes records, columns, orders and, range of keys by range of keys, positions; build-index.ts
 * makes a generation of segments. What changes goes to a small segment of its own, and its old form is dead: no file
 * is ever written twice, and a reader that is under way is never disturbed.
 *
 * Files are read with fs.readSync, not mapped: 2 us a read out of the page cache, and memory stays what it is.
 * Files in memory are verified when they are loaded (SHA-256), all others by `sums` at every read. So a damaged file
 * fails a request and never makes a wrong response.
 * Numbers are in the byte order of the machine, which is little-endian on all that Node is shipped for but s390x.
 */

/** What a generation says of how its files are written; another number is not opened. */
export const INDEX_VERSION = 6;

/** The texts of a record in the order of its places. */
export const TEXTS = ['title', 'writer', 'keyword', 'story'] as const;

/** First place of each text, and the end. A text has room up to one less, so that no two texts ever touch. */
export const TEXT_PLACES = [0, 128, 192, 512, 2048] as const;

export const PLACE_BITS = 11;
export const PLACE_COUNT = 1 << PLACE_BITS;

/** What an id can count to beside a place in 32 bits. A larger index has more segments. */
export const MAX_RECORDS = 2 ** (32 - PLACE_BITS);

/** Letters by which positions are sorted; a key holds them two to a u32, the first in the high half. */
export const KEY_LETTERS = 8;
export const KEY_WORDS = KEY_LETTERS / 2;

/** The files of a segment. */
export const SEGMENT_FILES = [
  ...(['records', 'names', 'starts', 'positions', 'samples'] as const),
  ...(['bitmaps', 'frequent', 'columns', 'orders', 'sums'] as const),
] as const;

/** Files of a segment that are read request by request; all others stay in memory. */
export const READ_FILES = ['records', 'names', 'positions', 'bitmaps'] as const;

/** Positions that share a sum: 2 KB. A multiple of every spacing. */
export const SUMMED_POSITIONS = 512;

export interface SegmentFacts {
  readonly records: number;
  readonly positions: number;
  /** Each how manieth position is in `samples`. */
  readonly spacing: number;
  /** Ids whose texts are not in `positions` (see `isOversized`): they are searched one by one. */
  readonly odd: readonly number[];
}
