import fs from 'node:fs';
import path from 'node:path';
import { readFully, readNumbers } from './files.ts';
import { KEY_LETTERS, KEY_WORDS, OFFSET_COUNT, TEXT_COUNT, TEXT_OFFSETS } from './layout.ts';
import { compareKeys, IS_BLANK, packKey } from './letters.ts';
import { SORTED_FILES } from './records.ts';

/** Keys from `low` to `high` (excluded); null: open. */
interface KeyRange {
  readonly low: Uint32Array | null;
  readonly high: Uint32Array | null;
}

/** A position with its key. */
const ROW = 1 + KEY_WORDS;
const DIGITS = 65_536;
const GROWTH = 1.25;
const WINDOW_BYTES = 4 << 20;

/** A growing list of positions with their keys. */
interface SortTable {
  rows: Uint32Array;
  count: number;
}

function growTable(table: SortTable): void {
  const larger = new Uint32Array(Math.ceil((table.rows.length / ROW) * GROWTH) * ROW + ROW);
  larger.set(table.rows);
  table.rows = larger;
}

/** Adds the positions of one text (letters `at` to `end`) that are in the range. */
function collectText(
  table: SortTable,
  units: Uint16Array,
  at: number,
  end: number,
  entry: number,
  range: KeyRange,
): void {
  const { low, high } = range;
  const lowPair = low === null ? 0 : (low[0] as number);
  const highPair = high === null ? 0xffff_ffff : (high[0] as number);
  for (let from = at; from < end; from++) {
    const letter = units[from] as number;
    if (IS_BLANK[letter] === 1) continue;
    const next = from + 1 < end ? (units[from + 1] as number) : 0;
    const pair = ((letter << 16) | (IS_BLANK[next] === 1 ? 0 : next)) >>> 0;
    // Two letters exclude nearly all positions outside the range; whole keys are compared only at its ends.
    if (pair < lowPair || pair > highPair) continue;
    const row = table.count * ROW;
    if (row === table.rows.length) growTable(table);
    const { rows } = table;
    packKey(units, from, end, rows, row + 1);
    if (pair === lowPair && low !== null && compareKeys(rows, row + 1, low, 0) < 0) continue;
    if (pair === highPair && high !== null && compareKeys(rows, row + 1, high, 0) >= 0) continue;
    rows[row] = entry + from - at;
    table.count += 1;
  }
}

/** Reads all texts in windows of the file: the ids in a window, its units, and the number of units before it. */
function* readWindows(folder: string, starts: Uint32Array) {
  const size = (starts.length - 1) / TEXT_COUNT;
  const window = new Uint16Array(WINDOW_BYTES / 2);
  const file = fs.openSync(path.join(folder, SORTED_FILES.texts), 'r');
  try {
    for (let first = 0, last = 0; first < size; first = last) {
      const base = starts[first * TEXT_COUNT] as number;
      last = first + 1;
      while (last < size && (starts[(last + 1) * TEXT_COUNT] as number) - base <= window.length) last += 1;
      const length = (starts[last * TEXT_COUNT] as number) - base;
      // A record longer than the window is oversized: its texts are not collected.
      const units = window.subarray(0, length);
      readFully(file, units, base * 2);
      yield { first, last, units, base };
    }
  } finally {
    fs.closeSync(file);
  }
}

interface SortOptions {
  readonly folder: string;
  readonly spacing: number;
  readonly oversized: readonly number[];
  /** Expected in a range. */
  readonly maxPositions: number;
}

/** Writes all positions, with their samples, one range of keys after the other. Returns their number. */
export function sortPositions(
  { folder, spacing, oversized, maxPositions }: SortOptions,
  ranges: readonly KeyRange[],
): number {
  const starts = readNumbers(path.join(folder, SORTED_FILES.starts));
  const excluded = new Set(oversized);
  const table: SortTable = { rows: new Uint32Array(maxPositions * ROW), count: 0 };
  let spare: Uint32Array = new Uint32Array(maxPositions * ROW);
  let written = 0;
  for (const range of ranges) {
    table.count = 0;
    for (const { first, last, units, base } of readWindows(folder, starts)) {
      for (let id = first; id < last; id++) {
        for (let text = 0; text < TEXT_COUNT && !excluded.has(id); text++) {
          const at = (starts[id * TEXT_COUNT + text] as number) - base;
          const end = (starts[id * TEXT_COUNT + text + 1] as number) - base;
          collectText(table, units, at, end, id * OFFSET_COUNT + (TEXT_OFFSETS[text] as number), range);
        }
      }
    }
    if (spare.length < table.rows.length) spare = new Uint32Array(table.rows.length);
    for (let letter = KEY_LETTERS - 1; letter >= 0; letter--) {
      if (sortByLetter(table.rows, spare, table.count, letter)) [table.rows, spare] = [spare, table.rows];
    }
    appendRows(folder, table.rows, table.count, written, spacing);
    written += table.count;
  }
  return written;
}

/**
 * One stable pass of a radix sort: moves rows to `sorted` by one letter of their keys. Returns false, without a move,
 * if all rows have the same letter.
 */
function sortByLetter(rows: Uint32Array, sorted: Uint32Array, count: number, letter: number): boolean {
  const word = 1 + (letter >> 1);
  const shift = letter % 2 === 0 ? 16 : 0;
  const starts = new Uint32Array(DIGITS);
  for (let row = word; row < count * ROW; row += ROW) {
    const digit = ((rows[row] as number) >>> shift) & 0xffff;
    starts[digit] = (starts[digit] as number) + 1;
  }
  let before = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const here = starts[digit] as number;
    if (here === count) return false;
    starts[digit] = before;
    before += here;
  }
  for (let row = 0; row < count * ROW; row += ROW) {
    const digit = ((rows[row + word] as number) >>> shift) & 0xffff;
    const start = starts[digit] as number;
    starts[digit] = start + 1;
    const to = start * ROW;
    sorted[to] = rows[row] as number;
    sorted[to + 1] = rows[row + 1] as number;
    sorted[to + 2] = rows[row + 2] as number;
    sorted[to + 3] = rows[row + 3] as number;
    sorted[to + 4] = rows[row + 4] as number;
  }
  return true;
}

function appendRows(folder: string, rows: Uint32Array, count: number, offset: number, spacing: number): void {
  const entries = new Uint32Array(count);
  for (let row = 0; row < count; row++) entries[row] = rows[row * ROW] as number;
  const first = Math.ceil(offset / spacing);
  const samples = new Uint32Array((Math.ceil((offset + count) / spacing) - first) * KEY_WORDS);
  for (let sample = 0; sample < samples.length / KEY_WORDS; sample++) {
    const row = ((first + sample) * spacing - offset) * ROW;
    samples.set(rows.subarray(row + 1, row + ROW), sample * KEY_WORDS);
  }
  fs.appendFileSync(path.join(folder, 'positions'), new Uint8Array(entries.buffer));
  fs.appendFileSync(path.join(folder, 'samples'), new Uint8Array(samples.buffer));
}

/** Divides all keys into ranges of about equal size, by a sample of them. */
export function divideKeys(keys: Uint32Array, parts: number): KeyRange[] {
  const offsets = Uint32Array.from({ length: keys.length / KEY_WORDS }, (_, index) => index * KEY_WORDS);
  const sorted = [...offsets].sort((a, b) => compareKeys(keys, a, keys, b));
  const bounds: Uint32Array[] = [];
  for (let part = 1; part < parts; part++) {
    const offset = sorted[Math.floor((sorted.length * part) / parts)];
    if (offset === undefined) continue;
    const bound = keys.slice(offset, offset + KEY_WORDS);
    const last = bounds.at(-1);
    if (last === undefined || compareKeys(last, 0, bound, 0) < 0) bounds.push(bound);
  }
  return Array.from({ length: bounds.length + 1 }, (_, part) => ({
    low: bounds[part - 1] ?? null,
    high: bounds[part] ?? null,
  }));
}
