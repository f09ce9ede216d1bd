import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { formatNovel } from '@mokuroku/narou/scan';
import { writeFully } from './files.ts';
import { KEY_LETTERS, KEY_WORDS, TEXT_OFFSETS } from './layout.ts';
import { IS_BLANK, packKey } from './letters.ts';
import { indexedTexts, recordsFile } from './records.ts';

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

const BUFFER_BYTES = 4 << 20;

/** Every n-th letter's key is a sample: about 100,000 for a million records. */
const SAMPLED_LETTERS = 4001;

/** Data collected while writing records, which divide the sorting of positions. */
export interface WrittenRecords {
  readonly starts: Uint32Array;
  /** CRC-32 of each record. */
  readonly sums: Uint32Array;
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
      const units = Uint16Array.from(
        { length: KEY_LETTERS },
        (_, letter) => text.charCodeAt(at + letter) || 0,
      );
      const key = new Uint32Array(KEY_WORDS);
      packKey(units, 0, KEY_LETTERS, key, 0);
      if (IS_BLANK[units[0] ?? 0] === 0) keys.push(...key);
    }
  };
  return { keys, sample };
}

/** Appends texts to a new file, in batches. */
function createTextWriter(name: string, encoding: 'utf16le' | 'utf8') {
  const file = fs.openSync(name, 'wx');
  const buffer = Buffer.alloc(BUFFER_BYTES);
  let filled = 0;
  let flushed = 0;
  const flush = (): void => {
    writeFully(file, buffer.subarray(0, filled), flushed);
    flushed += filled;
    filled = 0;
  };
  const put = (text: string): void => {
    const maxBytes = text.length * 3;
    if (filled + maxBytes > buffer.length) flush();
    if (maxBytes > buffer.length) {
      const bytes = Buffer.from(text, encoding);
      writeFully(file, bytes, flushed);
      flushed += bytes.length;
    } else {
      filled += buffer.write(text, filled, encoding);
    }
  };
  const close = (): void => {
    fs.closeSync(file);
  };
  return { put, flush, close, bytes: () => flushed + filled };
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
