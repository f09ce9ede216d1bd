import path from 'node:path';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { readFully, writeFully } from './files.ts';
import { KEY_LETTERS, KEY_WORDS, PLACE_BITS, PLACE_COUNT, STARTS, TEXT_PLACES, TEXTS } from './layout.ts';
import { IS_BLANK, packKey } from './letters.ts';
import { STORED_FIELDS } from './stored-record.ts';
import type { StoredRecord, Text } from './stored-record.ts';

/** Which of TEXTS a place belongs to. */
export const TEXT_OF_PLACE: Uint8Array = new Uint8Array(PLACE_COUNT);
for (const [text, first] of TEXT_PLACES.slice(0, -1).entries()) TEXT_OF_PLACE.fill(text, first);

/** Letters that a text can have beside the others. */
const roomOf = (text: number): number => (TEXT_PLACES[text + 1] ?? 0) - (TEXT_PLACES[text] ?? 0) - 1;

/**
 * Whether a record's texts are left out of the sorted positions, because one is too long for its places or holds
 * U+0000. The site bears no such record, so searching the few one by one costs nothing.
 */
export const isOdd = (novel: CatalogueNovel): boolean =>
  TEXTS.some((text, place) => novel[text].length > roomOf(place) || novel[text].includes('\0'));

const BUFFER_BYTES = 4 << 20;

/** Every how manieth letter's key is a sample of all: a hundred thousand of them for a million records. */
const SAMPLED_LETTERS = 4001;

/** What is gathered while records are written: where they begin, which are odd, and keys by which to divide the work. */
export interface WrittenRecords {
  readonly starts: Uint32Array;
  readonly odd: readonly number[];
  readonly keys: Uint32Array;
}

/** Takes the keys of some positions, evenly over all texts. */
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

/** Appends texts to a file, many at a time. */
function createTextWriter(file: number) {
  const buffer = Buffer.alloc(BUFFER_BYTES);
  let filled = 0;
  let flushed = 0;
  const flush = (): void => {
    writeFully(file, buffer.subarray(0, filled), flushed);
    flushed += filled;
    filled = 0;
  };
  const put = (text: string, encoding: 'utf16le' | 'utf8'): void => {
    const most = text.length * 3;
    if (filled + most > buffer.length) flush();
    if (most > buffer.length) {
      const bytes = Buffer.from(text, encoding);
      writeFully(file, bytes, flushed);
      flushed += bytes.length;
    } else {
      filled += buffer.write(text, filled, encoding);
    }
  };
  return { put, flush, bytes: () => flushed + filled };
}

/** They are written in this order, whatever the record's own is. */
const FIELDS_TO_STORE = [...STORED_FIELDS];

/** Writes `records` front to back. */
export function createRecordWriter(file: number) {
  const { put, flush, bytes } = createTextWriter(file);
  const { keys, sample } = createKeySampler();
  const starts: number[] = [];
  const odd: number[] = [];
  return {
    add(novel: CatalogueNovel): void {
      if (isOdd(novel)) odd.push(starts.length / STARTS);
      for (const text of TEXTS.map((name) => novel[name])) {
        starts.push(bytes() / 2);
        put(text, 'utf16le');
        sample(text);
      }
      starts.push(bytes() / 2);
      const json = JSON.stringify(novel, FIELDS_TO_STORE).slice(1);
      put(Buffer.byteLength(json) % 2 === 0 ? json : `${json} `, 'utf8');
    },
    finish(): WrittenRecords {
      starts.push(bytes() / 2);
      flush();
      return { starts: Uint32Array.from(starts), odd, keys: Uint32Array.from(keys) };
    },
  };
}

export type RecordReader = ReturnType<typeof createRecordReader>;

/** Reads records, and keys of positions, from an open file. */
export function createRecordReader(file: number, starts: Uint32Array) {
  // Of its own, so that it begins where its memory does: texts are looked at in it as UTF-16.
  let bytes = Buffer.allocUnsafeSlow(16_384);
  const units = new Uint16Array(KEY_LETTERS);

  /** Bytes between two starts, good until the next call. */
  const read = (first: number, last: number): Buffer => {
    const from = starts[first] as number;
    const length = ((starts[last] as number) - from) * 2;
    if (length > bytes.length) bytes = Buffer.allocUnsafeSlow(length);
    const part = bytes.subarray(0, length);
    readFully(file, part, from * 2);
    return part;
  };
  const textOf = (id: number, text: Text): string => {
    const first = id * STARTS + TEXTS.indexOf(text);
    return read(first, first + 1).toString('utf16le');
  };
  const stored = (id: number): StoredRecord => {
    const first = id * STARTS;
    const all = read(first, first + STARTS);
    const begin = (part: number): number => (starts[first + part] as number) - (starts[first] as number);
    return {
      text: (name) => {
        const part = TEXTS.indexOf(name);
        return new Uint16Array(all.buffer, begin(part) * 2, begin(part + 1) - begin(part));
      },
      fields: () => all.toString('utf8', begin(TEXTS.length) * 2, all.length),
    };
  };
  const textsOf = (id: number): string[] => TEXTS.map((name) => textOf(id, name));
  return {
    textOf,
    stored,
    textsOf,
    record: (id: number): CatalogueNovel => {
      const fields = JSON.parse(`{${stored(id).fields()}`) as Omit<CatalogueNovel, Text>;
      const [title = '', writer = '', keyword = '', story = ''] = textsOf(id);
      return { title, writer, keyword, story, ...fields };
    },
    packKeyOf(entry: number, key: Uint32Array): void {
      const place = entry & (PLACE_COUNT - 1);
      const text = TEXT_OF_PLACE[place] as number;
      const start = (entry >>> PLACE_BITS) * STARTS + text;
      const from = (starts[start] as number) + place - (TEXT_PLACES[text] as number);
      const length = Math.min(KEY_LETTERS, (starts[start + 1] as number) - from);
      readFully(file, length === KEY_LETTERS ? units : units.subarray(0, length), from * 2);
      packKey(units, 0, length, key, 0);
    },
  };
}

export const recordsFile = (folder: string): string => path.join(folder, 'records');
