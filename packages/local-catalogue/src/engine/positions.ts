import { bisect } from '@mokuroku/narou/scan';
import { checkSum, readFully } from './files.ts';
import { KEY_LETTERS, KEY_WORDS, SUMMED_POSITIONS } from './layout.ts';
import { compareKeys, keyOfWord } from './letters.ts';
import type { RecordReader } from './records.ts';

/** Entries of `positions` from `low` to `high` (excluded). */
export interface PositionRange {
  readonly low: number;
  readonly high: number;
}

const CHUNK_ENTRIES = 1 << 18;

interface PositionsOptions {
  readonly file: number;
  readonly count: number;
  readonly spacing: number;
  readonly samples: Uint32Array;
  readonly records: RecordReader;
  /** Checksums of blocks. */
  readonly sums: Uint32Array;
}

type BlockReader = ReturnType<typeof createBlockReader>;

/** Reads positions, whole blocks at a time. */
function createBlockReader({ file, count, sums }: PositionsOptions) {
  /** Reads positions from the start of a block into a list, and returns them. */
  return (list: Uint32Array, first: number): Uint32Array => {
    const part = list.subarray(0, Math.min(list.length, count - first));
    readFully(file, part, first * 4);
    for (let at = 0; at < part.length; at += SUMMED_POSITIONS) {
      const block = part.subarray(at, at + SUMMED_POSITIONS);
      checkSum(block, sums[(first + at) / SUMMED_POSITIONS], 'positions');
    }
    return part;
  };
}

/** Keeps the last block, by its first position. `onRead` is called for every other one. */
function createBlockCache(readBlocks: BlockReader, onRead?: () => void) {
  const block = new Uint32Array(SUMMED_POSITIONS);
  let blockRead = -1;
  const readBlock = (first: number): void => {
    if (blockRead === first) return;
    blockRead = -1;
    readBlocks(block, first);
    onRead?.();
    blockRead = first;
  };
  return { block, readBlock };
}

/** Filters ascending entries: those remain that have a position of a range, also ascending, at a distance. */
function createJoin(readBlocks: BlockReader) {
  const { block, readBlock } = createBlockCache(readBlocks);
  return (entries: Uint32Array, distance: number, { low, high }: PositionRange): Uint32Array => {
    const lastOf = (first: number): number => {
      readBlock(first);
      return block[Math.min(SUMMED_POSITIONS, high - first) - 1] as number;
    };
    let first = low - (low % SUMMED_POSITIONS);
    let at = low - first;
    let count = 0;
    for (const entry of entries) {
      const wanted = entry + distance;
      if (lastOf(first) < wanted) {
        const next = first + SUMMED_POSITIONS;
        // Mostly the next block, else any later one: few entries need few blocks of a long range.
        const skipped =
          next < high && lastOf(next) < wanted
            ? bisect(
                Math.ceil((high - next) / SUMMED_POSITIONS),
                (skip) => lastOf(next + skip * SUMMED_POSITIONS) < wanted,
              )
            : 0;
        first = next + skipped * SUMMED_POSITIONS;
        at = 0;
        if (first >= high) break;
        readBlock(first);
      }
      while ((block[at] as number) < wanted) at += 1;
      if (block[at] === wanted) entries[count++] = entry;
    }
    return entries.subarray(0, count);
  };
}

/** Finds the first position whose key is not before (`after`: is after) a key. */
function createSeeker({ count, spacing, samples, records }: PositionsOptions, readBlocks: BlockReader) {
  const keys = new Uint32Array(SUMMED_POSITIONS * KEY_WORDS);
  const isKnown = new Uint8Array(SUMMED_POSITIONS);
  const { block, readBlock } = createBlockCache(readBlocks, () => isKnown.fill(0));

  /** Both ends of a word are mostly sought among the same positions, whose texts are read once. */
  const keyAt = (index: number): number => {
    if (isKnown[index] === 0) records.packKeyOf(block[index] as number, keys, index * KEY_WORDS);
    isKnown[index] = 1;
    return index * KEY_WORDS;
  };

  return (key: Uint32Array, after: boolean): number => {
    const isBefore = (list: Uint32Array, at: number): boolean => {
      const order = compareKeys(list, at, key, 0);
      return order < 0 || (after && order === 0);
    };
    const sample = bisect(samples.length / KEY_WORDS, (at) => isBefore(samples, at * KEY_WORDS));
    if (sample === 0) return 0;
    // Between two samples, keys are read from the texts. The first of them is that of a sample, which is before.
    const first = (sample - 1) * spacing + 1;
    const begin = first % SUMMED_POSITIONS;
    readBlock(first - begin);
    return first + bisect(Math.min(spacing - 1, count - first), (at) => isBefore(keys, keyAt(begin + at)));
  };
}

export type Positions = ReturnType<typeof createPositions>;

/** The sorted positions of a segment, in which the occurrences of a word are found. */
export function createPositions(options: PositionsOptions) {
  const { count } = options;
  const readBlocks = createBlockReader(options);
  const seek = createSeeker(options, readBlocks);
  const filterJoined = createJoin(readBlocks);
  const blocks = Math.ceil(Math.max(count, 1) / SUMMED_POSITIONS);
  const chunk = new Uint32Array(Math.min(CHUNK_ENTRIES, blocks * SUMMED_POSITIONS));

  /** Reads the entries of a range in pieces; a piece is valid until the next one is read. */
  function* read({ low, high }: PositionRange): Iterable<Uint32Array> {
    for (let first = low - (low % SUMMED_POSITIONS); first < high; first += chunk.length) {
      const length = Math.ceil((high - first) / SUMMED_POSITIONS) * SUMMED_POSITIONS;
      const part = readBlocks(chunk.subarray(0, length), first);
      yield part.subarray(Math.max(0, low - first), high - first);
    }
  }

  /** The positions of a word of at most eight letters. (Sorted texts never contain U+0000, which pads keys.) */
  const find = (word: string): PositionRange => {
    if (word.includes('\0')) return { low: 0, high: 0 };
    return { low: seek(keyOfWord(word, '\0'), false), high: seek(keyOfWord(word, '\uffff'), true) };
  };

  /**
   * The positions of a longer word, as entries: all its windows of eight letters occur there at their distances. The
   * positions of a full key are sorted by record and offset, so two windows are merged in one pass.
   */
  const join = (word: string): Uint32Array => {
    const windows: { distance: number; span: PositionRange }[] = [];
    for (let distance = 0; distance < word.length; distance += KEY_LETTERS) {
      const at = Math.min(distance, word.length - KEY_LETTERS);
      windows.push({ distance: at, span: find(word.slice(at, at + KEY_LETTERS)) });
    }
    // Of equal windows (of a line of one letter) the last and the first together exclude most.
    windows.unshift(...windows.splice(-1));
    windows.sort((a, b) => a.span.high - a.span.low - (b.span.high - b.span.low));
    const [rarest, ...others] = windows;
    if (rarest === undefined) return new Uint32Array(0);
    const { span, distance } = rarest;
    let begins: Uint32Array = new Uint32Array(span.high - span.low);
    let filled = 0;
    for (const part of read(span)) {
      // Before the first letter of the first record nothing begins.
      for (const entry of part) if (entry >= distance) begins[filled++] = entry - distance;
    }
    begins = begins.subarray(0, filled);
    for (const other of others) {
      if (begins.length === 0) break;
      begins = filterJoined(begins, other.distance, other.span);
    }
    return begins;
  };
  return { find, join, read };
}
