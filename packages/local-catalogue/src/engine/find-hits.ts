import {
  addBits,
  createBits,
  countBits,
  countCommonBits,
  subtractBits,
  hasBit,
  intersectBits,
  setBit,
} from './bitmaps.ts';
import type { Bits } from './bitmaps.ts';
import { isKeyColumn } from './columns.ts';
import type { KeyColumn } from './columns.ts';
import type { FrequentWord } from './frequent-words.ts';
import { KEY_LETTERS, OFFSET_BITS, OFFSET_COUNT, TEXT_COUNT } from './layout.ts';
import { bitsOfRange, countBelow } from './orders.ts';
import { ALL_TEXTS } from './plan.ts';
import type { Plan, RangeFilter, ValueFilter, WordFilter } from './plan.ts';
import { TEXT_OF_OFFSET } from './records.ts';
import type { OpenSegment, Segment } from './segment.ts';

/**
 * The hits of a plan in one segment, valid until the next query: an unordered list of a few ids, or a bitmap. Short
 * lists are filtered id by id, which is cheaper than a scan of a bitmap.
 */
export interface Hits {
  count: number;
  /** The first `count` are the ids; null: see the bits. */
  ids: Uint32Array | null;
  bits: Bits;
}

/** The occurrences of a word. */
interface Occurrences {
  readonly count: number;
  /** Their entries in `positions`; a piece is valid until the next one is read. */
  readonly pieces: () => Iterable<Uint32Array>;
  readonly frequent: FrequentWord | undefined;
  /** Ids of unindexed texts that contain the word. */
  readonly oversized: readonly number[];
}

/** `IS_CHOSEN[textMask][offset]`: 1 if the offset lies in a chosen text. */
const IS_CHOSEN: readonly Uint8Array[] = Array.from({ length: 1 << TEXT_COUNT }, (_, textMask) =>
  Uint8Array.from({ length: OFFSET_COUNT }, (__, index) => (textMask >> (TEXT_OF_OFFSET[index] ?? 0)) & 1),
);

function findOccurrences(
  { frequent, positions, oversized }: Segment,
  word: string,
  textMask: number,
): Occurrences {
  const frequentWord = frequent.get(word);
  const entries = word.length > KEY_LETTERS ? positions.join(word) : undefined;
  const span = entries ? { low: 0, high: entries.length } : (frequentWord ?? positions.find(word));
  const oversizedIds: number[] = [];
  for (const [id, parts] of oversized) {
    if (parts.some((part, text) => ((textMask >> text) & 1) === 1 && part.includes(word)))
      oversizedIds.push(id);
  }
  return {
    count: span.high - span.low + oversizedIds.length,
    pieces: () => (entries ? [entries] : positions.read(span)),
    frequent: frequentWord,
    oversized: oversizedIds,
  };
}

/** Overwrites the bits with those of all ids with a word in the chosen texts. */
function writeIdsWithWord(segment: Segment, word: Occurrences, textMask: number, bits: Bits): void {
  const { frequent } = word;
  if (frequent !== undefined && textMask === ALL_TEXTS) {
    segment.readBitmap(frequent.place, bits);
  } else if (frequent?.hasTexts === true) {
    bits.fill(0);
    for (let text = 0; text < TEXT_COUNT; text++) {
      if (((textMask >> text) & 1) === 0) continue;
      segment.readBitmap(frequent.place + 1 + text, segment.scratch.ranks);
      addBits(bits, segment.scratch.ranks);
    }
  } else {
    bits.fill(0);
    const isChosen = IS_CHOSEN[textMask] as Uint8Array;
    for (const entries of word.pieces()) {
      for (let at = 0; at < entries.length; at++) {
        const entry = entries[at] as number;
        if (isChosen[entry & (OFFSET_COUNT - 1)] === 1) setBit(bits, entry >>> OFFSET_BITS);
      }
    }
  }
  for (const id of word.oversized) setBit(bits, id);
}

/** Lists all ids with a word in the chosen texts, each once. */
function listIdsWithWord(segment: Segment, word: Occurrences, textMask: number): Hits {
  const { foundBits, ids } = segment.scratch;
  const isChosen = IS_CHOSEN[textMask] as Uint8Array;
  let count = 0;
  foundBits.fill(0);
  for (const entries of word.pieces()) {
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] as number;
      const id = entry >>> OFFSET_BITS;
      if (isChosen[entry & (OFFSET_COUNT - 1)] !== 1 || hasBit(foundBits, id)) continue;
      setBit(foundBits, id);
      ids[count++] = id;
    }
  }
  for (const id of word.oversized) ids[count++] = id;
  return { count, ids, bits: foundBits };
}

/** Whether the ids of a filter are looked up. */
const isKeyFilter = (filter: ValueFilter): filter is ValueFilter<KeyColumn> => isKeyColumn(filter.column);

/** The ids of a column's values, live or not; valid until the next query. */
export function idsByKey(
  { keys, scratch }: OpenSegment,
  column: KeyColumn,
  values: Iterable<number>,
): Uint32Array {
  const sought = keys[column];
  let count = 0;
  for (const value of new Set(values)) {
    const end = countBelow(sought, value + 1);
    for (let rank = countBelow(sought, value); rank < end; rank++)
      scratch.ids[count++] = sought.ids[rank] as number;
  }
  return scratch.ids.subarray(0, count);
}

/** Whether a record is served, or only stored: too old. */
export type Presence = 'served' | 'outdated';

/** The presence of each of these Ncodes that has a record here; a later segment may have replaced it. */
export const presenceIn = (
  segment: Segment,
  values: readonly number[],
): (readonly [ncode: number, Presence])[] =>
  Array.from(idsByKey(segment, 'ncode', values), (id) => [
    segment.columns.ncode[id] as number,
    hasBit(segment.live, id) ? 'served' : 'outdated',
  ]);

/** Starts with the given ids, else with the rarest word, else with all ids. */
function firstHits(
  segment: Segment,
  { textMask }: Plan,
  key: ValueFilter<KeyColumn> | undefined,
  rarest: Occurrences | undefined,
): Hits {
  const { foundBits } = segment.scratch;
  if (key !== undefined) {
    const ids = idsByKey(segment, key.column, key.values);
    return { count: ids.length, ids, bits: foundBits };
  }
  if (rarest !== undefined && rarest.frequent === undefined)
    return listIdsWithWord(segment, rarest, textMask);
  if (rarest !== undefined) writeIdsWithWord(segment, rarest, textMask, foundBits);
  else foundBits.set(segment.live);
  return { count: segment.size, ids: null, bits: foundBits };
}

function narrowIds(hits: Hits, ids: Uint32Array, test: (id: number) => boolean): void {
  let count = 0;
  for (let at = 0; at < hits.count; at++) {
    const id = ids[at] as number;
    if (test(id)) ids[count++] = id;
  }
  hits.count = count;
}

/** Leaves the hits that are in the bits, or (`isWanted` is false) those that are not. */
function narrowByBits(hits: Hits, bits: Bits, isWanted = true): void {
  if (hits.ids !== null) narrowIds(hits, hits.ids, (id) => hasBit(bits, id) === isWanted);
  else (isWanted ? intersectBits : subtractBits)(hits.bits, bits);
}

function narrowByValues(segment: Segment, hits: Hits, { column, values, isWanted }: ValueFilter): void {
  const numbers = segment.columns[column];
  if (hits.ids !== null) {
    narrowIds(hits, hits.ids, (id) => values.includes(numbers[id] as number) === isWanted);
    return;
  }
  const { other } = segment.scratch;
  const all = [...(segment.values[column] ?? [])];
  const bitmaps = all.flatMap(([value, bits]) => (values.includes(value) ? [bits] : []));
  // The filter lists every value of the column, so it excludes nothing.
  if (isWanted && bitmaps.length === all.length) return;
  const [only = other] = bitmaps;
  if (bitmaps.length !== 1) {
    other.fill(0);
    for (const bits of bitmaps) addBits(other, bits);
  }
  narrowByBits(hits, bitmaps.length === 1 ? only : other, isWanted);
}

function narrowByRange(segment: Segment, hits: Hits, { column, min, max }: RangeFilter): void {
  const numbers = segment.columns[column];
  if (hits.ids !== null) {
    narrowIds(hits, hits.ids, (id) => (numbers[id] as number) >= min && (numbers[id] as number) <= max);
    return;
  }
  bitsOfRange(segment.ranges[column], min, max, segment.scratch.other);
  intersectBits(hits.bits, segment.scratch.other);
}

function narrowByWords(segment: Segment, hits: Hits, { words, textMask, isWanted }: WordFilter): void {
  const { other } = segment.scratch;
  const withSome = createBits(segment.size);
  for (const word of words) {
    const occurrences = findOccurrences(segment, word, textMask);
    if (occurrences.count === 0) continue;
    writeIdsWithWord(segment, occurrences, textMask, other);
    addBits(withSome, other);
  }
  narrowByBits(hits, withSome, isWanted);
}

const isEmptyPlan = ({ words, wordFilters, values, ranges }: Plan): boolean =>
  [words, wordFilters, values, ranges].every((conditions) => conditions.length === 0);

/** Finds all hits of a plan. */
export function findHits(segment: Segment, plan: Plan): Hits {
  const { scratch, live, liveCount, size } = segment;
  if (isEmptyPlan(plan)) return { count: liveCount, ids: null, bits: live };
  const words = plan.words
    .map((word) => findOccurrences(segment, word, plan.textMask))
    .sort((a, b) => a.count - b.count);
  if (words[0]?.count === 0) return { count: 0, ids: scratch.ids, bits: scratch.foundBits };
  const key = plan.values.find(isKeyFilter);
  const hits = firstHits(segment, plan, key, words[0]);
  // Without a key the first hits are those of the rarest word.
  const remaining = key === undefined ? words.slice(1) : words;
  const isEmpty = (): boolean => hits.ids !== null && hits.count === 0;
  for (const filter of plan.values) if (filter !== key) narrowByValues(segment, hits, filter);
  for (const filter of plan.ranges) narrowByRange(segment, hits, filter);
  for (const word of remaining) {
    if (isEmpty()) break;
    writeIdsWithWord(segment, word, plan.textMask, scratch.other);
    narrowByBits(hits, scratch.other);
  }
  for (const filter of plan.wordFilters) {
    if (isEmpty()) break;
    narrowByWords(segment, hits, filter);
  }
  if (liveCount < size) narrowByBits(hits, live);
  if (hits.ids === null) hits.count = countBits(hits.bits);
  return hits;
}

/** Counts the hits by the values of a column. */
export function countByValue(
  segment: Segment,
  hits: Hits,
  column: ValueFilter['column'],
): Map<number, number> {
  const bitmaps = segment.values[column] ?? new Map<number, Bits>();
  const { ids, bits: foundBits } = hits;
  if (ids === null)
    return new Map([...bitmaps].map(([value, bits]) => [value, countCommonBits(foundBits, bits)]));
  const numbers = segment.columns[column];
  const counts = new Uint32Array(Math.max(0, ...bitmaps.keys()) + 1);
  for (let at = 0; at < hits.count; at++) {
    const value = numbers[ids[at] as number] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  return new Map([...bitmaps.keys()].map((value) => [value, counts[value] as number]));
}
