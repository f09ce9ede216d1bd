import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { foldText, fieldSelector, formatNovel, parseNovel } from '@mokuroku/narou/scan';
import { checkSum, readFully } from './files.ts';
import { KEY_LETTERS, KEY_WORDS, NAMES, OFFSET_BITS, OFFSET_COUNT, TEXT_OFFSETS, TEXTS } from './layout.ts';
import { packKey, readLetters, toUnits } from './letters.ts';

/** A text folded, if that changes it. */
const foldedForm = (text: string): string => {
  const folded = foldText(text);
  return folded === text ? '' : folded;
};

/** The indexed texts of a record, in the order of their offsets. */
export const indexedTexts = (novel: CatalogueNovel): readonly string[] => [
  ...TEXTS.map((name) => novel[name] ?? ''),
  ...NAMES.map((name) => foldedForm(novel[name] ?? '')),
];

/** The number of the text at an offset. */
export const TEXT_OF_OFFSET: Uint8Array = new Uint8Array(OFFSET_COUNT);
for (const [text, first] of TEXT_OFFSETS.slice(0, -1).entries()) TEXT_OF_OFFSET.fill(text, first);

export const recordsFile = (folder: string): string => path.join(folder, 'records');

export type RecordReader = ReturnType<typeof createRecordReader>;

/** The JSON before a text of TEXTS in its record. Quotes within a text are escaped. */
const OPENINGS = TEXTS.map((name) => Buffer.from(`"${name}":"`));

/** The records of a file: where each begins, and its CRC-32. */
export interface RecordStarts {
  readonly starts: Uint32Array;
  readonly sums: Uint32Array;
}

const SELECT = { title: fieldSelector({ of: ['t'] }), writer: fieldSelector({ of: ['w'] }) };

/** Reads records, and keys of positions, of an open file. */
export function createRecordReader(file: number, { starts, sums }: RecordStarts) {
  let buffer = Buffer.allocUnsafeSlow(16_384);
  const units = new Uint16Array(KEY_LETTERS);
  /** Valid until the next call. */
  const read = (id: number): Buffer => {
    const [from, to] = [(starts[id] as number) * 2, (starts[id + 1] as number) * 2];
    if (to - from > buffer.length) buffer = Buffer.allocUnsafeSlow(to - from);
    const bytes = buffer.subarray(0, to - from);
    readFully(file, bytes, from);
    checkSum(bytes, sums[id], 'record');
    return bytes;
  };
  const stored = (id: number): string => read(id).toString('latin1');
  const nameOf = (id: number, name: (typeof NAMES)[number]): string => {
    const field = Buffer.from(SELECT[name](stored(id)), 'latin1').toString();
    return (JSON.parse(`{${field}}`) as CatalogueNovel)[name] ?? '';
  };
  return {
    /** The JSON of a record, a character for each byte of UTF-8. */
    stored,
    record: (id: number): CatalogueNovel => parseNovel(read(id).toString()),
    nameOf,
    packKeyOf(entry: number, key: Uint32Array, keyAt: number): void {
      const id = entry >>> OFFSET_BITS;
      const offset = entry & (OFFSET_COUNT - 1);
      const text = TEXT_OF_OFFSET[offset] as number;
      const at = offset - (TEXT_OFFSETS[text] as number);
      const opening = OPENINGS[text];
      if (opening === undefined) {
        const folded = toUnits(foldText(nameOf(id, NAMES[text - TEXTS.length] ?? 'title')));
        packKey(folded, at, folded.length, key, keyAt);
        return;
      }
      const bytes = read(id);
      const begin = bytes.indexOf(opening) + opening.length;
      const letters = readLetters(bytes, begin, at, units);
      packKey(units, 0, letters, key, keyAt);
    },
  };
}

/** Maximum letters of each text. */
const textCapacity = (text: number): number => (TEXT_OFFSETS[text + 1] ?? 0) - (TEXT_OFFSETS[text] ?? 0) - 1;

/**
 * Whether a record's texts are not indexed, because one is too long for its offsets or contains U+0000. The site has no
 * such records, so that searching them one by one costs nothing.
 */
const isOversized = (texts: readonly string[]): boolean =>
  texts.some((text, index) => text.length > textCapacity(index) || text.includes('\0'));

/** Temporary files for sorting: all texts in UTF-16, and their starts (u32, in letters). */
export const SORTED_FILES = { texts: 'texts', starts: 'text-starts' } as const;

const BATCH_BYTES = 4 << 20;

/** Every n-th letter's key is a sample: about 100,000 for a million records. */
const SAMPLED_LETTERS = 4001;

/** Data collected while writing records, which divide the sorting of positions. */
export interface WrittenRecords extends RecordStarts {
  readonly oversized: readonly number[];
  /** Number of letters of all texts. */
  readonly letters: number;
  /** Sampled keys of positions. */
  readonly keys: Uint32Array;
}

/** Samples keys of positions, evenly over all texts. */
function createKeySampler() {
  const keys: number[] = [];
  let untilSample = SAMPLED_LETTERS;
  const sample = (text: string): void => {
    for (untilSample -= text.length; untilSample < 0; untilSample += SAMPLED_LETTERS) {
      const at = text.length + untilSample;
      const units = toUnits(text.slice(at, at + KEY_LETTERS));
      const key = new Uint32Array(KEY_WORDS);
      packKey(units, 0, units.length, key, 0);
      keys.push(...key);
    }
  };
  return { keys, sample };
}

/** Appends texts to a new file, in batches. */
function createTextWriter(name: string, encoding: 'utf16le' | 'utf8') {
  const file = fs.openSync(name, 'wx');
  let batch: string[] = [];
  let batchBytes = 0;
  let flushed = 0;
  const flush = (): void => {
    fs.writeFileSync(file, batch.join(''), encoding);
    flushed += batchBytes;
    [batch, batchBytes] = [[], 0];
  };
  const put = (text: string): void => {
    batch.push(text);
    batchBytes += Buffer.byteLength(text, encoding);
    if (batchBytes > BATCH_BYTES) flush();
  };
  return { put, flush, close: () => fs.closeSync(file), bytes: () => flushed + batchBytes };
}

/** Writes `records`, and the temporary texts for sorting. */
export function createRecordWriter(folder: string) {
  const records = createTextWriter(recordsFile(folder), 'utf8');
  const texts = createTextWriter(path.join(folder, SORTED_FILES.texts), 'utf16le');
  const { keys, sample } = createKeySampler();
  const starts: number[] = [];
  const sums: number[] = [];
  const textStarts: number[] = [];
  const oversized: number[] = [];
  return {
    add(novel: CatalogueNovel): void {
      const novelTexts = indexedTexts(novel);
      if (isOversized(novelTexts)) oversized.push(starts.length);
      const json = formatNovel(novel);
      // Each record begins at an even offset.
      const even = Buffer.byteLength(json) % 2 === 0 ? json : `{ ${json.slice(1)}`;
      starts.push(records.bytes() / 2);
      sums.push(crc32(even));
      records.put(even);
      for (const text of novelTexts) {
        textStarts.push(texts.bytes() / 2);
        texts.put(text);
        sample(text);
      }
    },
    finish(): WrittenRecords {
      const letters = texts.bytes() / 2;
      textStarts.push(letters);
      starts.push(records.bytes() / 2);
      for (const writer of [records, texts]) writer.flush();
      fs.writeFileSync(path.join(folder, SORTED_FILES.starts), Uint32Array.from(textStarts), { flag: 'wx' });
      return {
        starts: Uint32Array.from(starts),
        sums: Uint32Array.from(sums),
        oversized,
        letters,
        keys: Uint32Array.from(keys),
      };
    },
    close(): void {
      for (const writer of [records, texts]) writer.close();
    },
  };
}
