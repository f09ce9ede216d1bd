import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { createBits, setBit } from './bitmaps.ts';
import type { Bits } from './bitmaps.ts';
import { withFile } from './files.ts';
import { KEY_LETTERS, KEY_WORDS, OFFSET_BITS, OFFSET_COUNT, TEXT_COUNT, TEXTS } from './layout.ts';
import { commonLetters, lettersOf } from './letters.ts';
import type { Positions, PositionRange } from './positions.ts';
import { TEXT_OF_OFFSET } from './records.ts';

/**
 * A word of up to eight letters with so many positions that a bitmap of the ids is smaller than their list: at least a
 * 32nd of the number of records. From a fifth on it has more bitmaps, one per text, because a search in one text
 * would have to read the long list.
 */
export interface FrequentWord extends PositionRange {
  readonly word: string;
  /** Its first bitmap in the file, counted in bitmaps. */
  readonly place: number;
  readonly hasTexts: boolean;
}

const RECORDS_TO_BE_FREQUENT = 1 / 32;
const RECORDS_TO_HAVE_TEXTS = 1 / 5;
/** Minimum even in small segments: so that a word has two samples, and is guessed. */
const MIN_SAMPLES = 2;

/** Candidates from the samples: all positions between two equal samples have the same letters. */
function* guessWords(samples: Uint32Array, minSamples: number): Iterable<string> {
  const count = samples.length / KEY_WORDS;
  const begins = new Uint32Array(KEY_LETTERS);
  for (let sample = 1; sample <= count; sample++) {
    const common =
      sample === count ? 0 : commonLetters(samples, (sample - 1) * KEY_WORDS, sample * KEY_WORDS);
    for (let letters = common + 1; letters <= KEY_LETTERS; letters++) {
      const isLong = sample - (begins[letters - 1] as number) >= minSamples;
      begins[letters - 1] = sample;
      const word = isLong ? lettersOf(samples, (sample - 1) * KEY_WORDS, letters) : null;
      if (word !== null) yield word;
    }
  }
}

/** Writes the bitmaps of a segment and their list. Returns the CRC-32 of each bitmap. */
export function writeFrequentWords(
  folder: string,
  segment: { records: number; spacing: number; samples: Uint32Array; positions: Positions },
): Uint32Array {
  const { records, spacing, samples, positions } = segment;
  const minOccurrences = Math.max(records * RECORDS_TO_BE_FREQUENT, spacing * MIN_SAMPLES);
  const minForTexts = Math.max(records * RECORDS_TO_HAVE_TEXTS, minOccurrences);
  const words: FrequentWord[] = [];
  const sums: number[] = [];
  withFile(path.join(folder, 'bitmaps'), 'wx', (file) => {
    let place = 0;
    for (const word of guessWords(samples, Math.floor(minOccurrences / spacing))) {
      const span = positions.find(word);
      const occurrences = span.high - span.low;
      if (occurrences < minOccurrences) continue;
      const hasTexts = occurrences >= minForTexts;
      words.push({ word, ...span, place, hasTexts });
      for (const bits of bitsOfSpan(positions.read(span), records, hasTexts)) {
        fs.writeFileSync(file, bits);
        sums.push(crc32(bits));
        place += 1;
      }
    }
  });
  fs.writeFileSync(path.join(folder, 'frequent'), JSON.stringify(words), { flag: 'wx' });
  return Uint32Array.from(sums);
}

/** The ids with a word in any text that is searched, and, if requested, in each text. */
function bitsOfSpan(pieces: Iterable<Uint32Array>, records: number, withTexts: boolean): Bits[] {
  const anywhere = createBits(records);
  const byText = withTexts ? Array.from({ length: TEXT_COUNT }, () => createBits(records)) : [];
  for (const entries of pieces) {
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] as number;
      const text = TEXT_OF_OFFSET[entry & (OFFSET_COUNT - 1)] as number;
      if (text < TEXTS.length) setBit(anywhere, entry >>> OFFSET_BITS);
      const bits = byText[text];
      if (bits !== undefined) setBit(bits, entry >>> OFFSET_BITS);
    }
  }
  return [anywhere, ...byText];
}

export const readFrequentWords = (folder: string): Map<string, FrequentWord> =>
  new Map(
    (JSON.parse(fs.readFileSync(path.join(folder, 'frequent'), 'utf8')) as FrequentWord[]).map((each) => [
      each.word,
      each,
    ]),
  );
