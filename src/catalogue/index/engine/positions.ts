import { readFully } from './files.ts';
import { KEY_LETTERS, KEY_WORDS } from './layout.ts';
import { comparePrefix, toPrefix } from './letters.ts';
import type { Prefix } from './letters.ts';
import type { RecordReader } from './records.ts';

/** Entries of `positions` from `low` up to `high`, that not included. */
export interface Span {
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
}

/** Finds the first position whose key is not before (`after`: that is behind) all that begin with a word. */
function createSeeker({ file, count, spacing, samples, records }: PositionsOptions) {
  const group = new Uint32Array(spacing);
  const keys = new Uint32Array(spacing * KEY_WORDS);
  const isKnown = new Uint8Array(spacing);
  let groupRead = -1;

  const readGroup = (sample: number, first: number): void => {
    if (groupRead === sample) return;
    readFully(file, group.subarray(0, Math.min(spacing, count - first)), first * 4);
    isKnown.fill(0);
    groupRead = sample;
  };
  /** Both ends of a word are mostly sought among the same positions, whose texts are read once. */
  const keyAt = (place: number): number => {
    if (isKnown[place] === 0) records.packKeyOf(group[place] as number, keys, place * KEY_WORDS);
    isKnown[place] = 1;
    return place * KEY_WORDS;
  };

  const seekSample = (prefix: Prefix, after: boolean): number => {
    let from = 0;
    let to = samples.length / KEY_WORDS;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const order = comparePrefix(samples, middle * KEY_WORDS, prefix);
      if (order < 0 || (after && order === 0)) from = middle + 1;
      else to = middle;
    }
    return from;
  };

  // Between two samples, keys are read from the texts.
  return (prefix: Prefix, after: boolean): number => {
    const sample = seekSample(prefix, after);
    if (sample === 0) return 0;
    const first = (sample - 1) * spacing;
    readGroup(sample, first);
    let from = 1; // The group begins with a sample, which is known to be before.
    let to = Math.min(spacing, count - first);
    while (from < to) {
      const middle = (from + to) >>> 1;
      const order = comparePrefix(keys, keyAt(middle), prefix);
      if (order < 0 || (after && order === 0)) from = middle + 1;
      else to = middle;
    }
    return first + from;
  };
}

export type Positions = ReturnType<typeof createPositions>;

/** The sorted positions of a segment: where the occurrences of a word stand, and which they are. */
export function createPositions(options: PositionsOptions) {
  const { file, count } = options;
  const seek = createSeeker(options);
  const chunk = new Uint32Array(Math.min(CHUNK_ENTRIES, Math.max(count, 1)));

  /** Entries of a span, in pieces that are good until the next is asked for. */
  function* read({ low, high }: Span): Iterable<Uint32Array> {
    for (let at = low; at < high; at += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, high - at));
      readFully(file, part, at * 4);
      yield part;
    }
  }

  /** Where a word of at most eight letters occurs. (No text that is sorted holds U+0000, which fills keys up.) */
  const find = (word: string): Span => {
    if (word.includes('\0')) return { low: 0, high: 0 };
    const prefix = toPrefix(word);
    const low = seek(prefix, false);
    return { low, high: Math.max(low, seek(prefix, true)) };
  };

  /**
   * Where a longer word occurs, as entries: it does where all its windows of eight letters stand at their distances.
   * Positions of one whole key are sorted by record and place, so that two windows are merged front to back.
   */
  const join = (word: string): Uint32Array => {
    const windows: { distance: number; span: Span }[] = [];
    for (let distance = 0; distance < word.length; distance += KEY_LETTERS) {
      const at = Math.min(distance, word.length - KEY_LETTERS);
      windows.push({ distance: at, span: find(word.slice(at, at + KEY_LETTERS)) });
    }
    windows.sort((a, b) => a.span.high - a.span.low - (b.span.high - b.span.low));
    const [rarest, ...others] = windows;
    if (rarest === undefined) return new Uint32Array(0);
    const { span, distance } = rarest;
    let begins: Uint32Array = new Uint32Array(span.high - span.low);
    readFully(file, begins, span.low * 4);
    for (let at = 0; at < begins.length; at++) begins[at] = (begins[at] as number) - distance;
    for (const other of others) {
      if (begins.length === 0) break;
      begins = keepJoined(begins, other.distance, read(other.span));
    }
    return begins;
  };
  return { find, join, read };
}

/** Those of the ascending entries that have another one at a distance among the ascending others. */
function keepJoined(begins: Uint32Array, distance: number, others: Iterable<Uint32Array>): Uint32Array {
  let kept = 0;
  let at = 0;
  for (const part of others) {
    for (const other of part) {
      while (at < begins.length && (begins[at] as number) + distance < other) at += 1;
      if (at === begins.length) return begins.subarray(0, kept);
      if ((begins[at] as number) + distance === other) begins[kept++] = begins[at++] as number;
    }
  }
  return begins.subarray(0, kept);
}
