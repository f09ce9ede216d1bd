import fs from 'node:fs';
import path from 'node:path';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { readFully, writeFully } from './files.ts';
import { KEY_LETTERS, KEY_WORDS, PLACE_BITS, PLACE_COUNT, TEXT_PLACES, TEXTS } from './layout.ts';
import { IS_BLANK, packKey, readLetters } from './letters.ts';

/**
 * The fields of a record in the order in which its JSON is stored: those that are published in the order in which they
 * are, so that what lies together is taken as one piece, and then those that are not.
 */
const STORED_FIELDS = [
  ...(['title', 'ncode', 'userid', 'writer', 'story', 'biggenre', 'genre', 'nocgenre', 'keyword'] as const),
  ...([
    'general_firstup',
    'general_lastup',
    'novel_type',
    'end',
    'general_all_no',
    'length',
    'time',
  ] as const),
  ...(['isstop', 'isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'] as const),
  ...(['global_point', 'daily_point', 'weekly_point', 'monthly_point', 'quarter_point'] as const),
  ...(['yearly_point', 'fav_novel_cnt', 'impression_cnt', 'review_cnt', 'all_point'] as const),
  ...(['all_hyoka_cnt', 'sasie_cnt', 'kaiwaritu', 'novelupdated_at', 'updated_at'] as const),
  ...(['weekly_unique', 'xid', 'buntai', 'fetched_at'] as const),
] as const satisfies readonly (keyof CatalogueNovel)[];

export type StoredField = (typeof STORED_FIELDS)[number];

export const placeOf = (field: StoredField): number => STORED_FIELDS.indexOf(field);

/**
 * Finds, front to back, where some stored fields begin, named by their ascending places. What looks like a field within
 * a text is none: there every quote has a backslash before it.
 */
export function createCutter(places: readonly number[]): (stored: string) => readonly number[] {
  const names = places.map((place) => `"${STORED_FIELDS[place] ?? ''}":`);
  const cuts = places.map(() => 0);
  return (stored) => {
    let at = 0;
    for (let cut = 0; cut < names.length; cut++) {
      at = stored.indexOf(names[cut] as string, at);
      cuts[cut] = at;
    }
    return cuts;
  };
}

/** What lies from one field up to another, that included: `"end":1,"length":5`. */
export function sliceOfFields(first: StoredField, last: StoredField): (stored: string) => string {
  const cut = createCutter([placeOf(first), placeOf(last) + 1]);
  return (stored) => {
    const [from, until = 0] = cut(stored);
    return stored.slice(from, until - 1);
  };
}

/** Which of TEXTS a place belongs to. */
export const TEXT_OF_PLACE: Uint8Array = new Uint8Array(PLACE_COUNT);
for (const [text, first] of TEXT_PLACES.slice(0, -1).entries()) TEXT_OF_PLACE.fill(text, first);

/** Letters that a text can have beside the others. */
const roomOf = (text: number): number => (TEXT_PLACES[text + 1] ?? 0) - (TEXT_PLACES[text] ?? 0) - 1;

/**
 * Whether a record's texts are left out of the sorted positions, because one is too long for its places or holds
 * U+0000. The site bears no such record, so searching the few one by one costs nothing.
 */
const isOdd = (novel: CatalogueNovel): boolean =>
  TEXTS.some((name, place) => {
    const text = novel[name] ?? '';
    return text.length > roomOf(place) || text.includes('\0');
  });

export const recordsFile = (folder: string): string => path.join(folder, 'records');

/** There while positions are sorted: all texts in UTF-16, and where each begins in it (u32, in letters). */
export const SORTED_FILES = { texts: 'texts', starts: 'text-starts' } as const;

const BUFFER_BYTES = 4 << 20;

/** Every how manieth letter's key is a sample of all: a hundred thousand of them for a million records. */
const SAMPLED_LETTERS = 4001;

/** What is gathered while records are written, and by which the sorting of their positions is divided. */
export interface WrittenRecords {
  readonly starts: Uint32Array;
  readonly odd: readonly number[];
  /** Of all texts together. */
  readonly letters: number;
  /** Keys of some of them. */
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

/** Appends texts to a new file, many at a time. */
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
  const close = (): void => {
    fs.closeSync(file);
  };
  return { put, flush, close, bytes: () => flushed + filled };
}

/** Fields are written in this order, whatever the record's own is. */
const FIELDS_TO_STORE = [...STORED_FIELDS];

/** A field that is absent is stored as null, so that a record is cut at any field. */
const ALL_ABSENT = Object.fromEntries(STORED_FIELDS.map((name) => [name, null]));

/** What is stored of a record, without what is absent. `stored` may also be its bytes, a letter for each. */
export const parseStored = (stored: string): Record<string, unknown> => {
  const fields = JSON.parse(stored) as Record<string, unknown>;
  const known: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== null) known[name] = fields[name];
  return known;
};

/** Writes `records` front to back, and beside them the texts as they are sorted. */
export function createRecordWriter(folder: string) {
  const records = createTextWriter(recordsFile(folder), 'utf8');
  const texts = createTextWriter(path.join(folder, SORTED_FILES.texts), 'utf16le');
  const { keys, sample } = createKeySampler();
  const starts: number[] = [];
  const textStarts: number[] = [];
  const odd: number[] = [];
  return {
    add(novel: CatalogueNovel): void {
      if (isOdd(novel)) odd.push(starts.length);
      starts.push(records.bytes() / 2);
      const json = JSON.stringify({ ...ALL_ABSENT, ...novel }, FIELDS_TO_STORE);
      records.put(Buffer.byteLength(json) % 2 === 0 ? json : `${json.slice(0, -1)} }`);
      for (const name of TEXTS) {
        textStarts.push(texts.bytes() / 2);
        const text = novel[name] ?? '';
        texts.put(text);
        sample(text);
      }
    },
    finish(): WrittenRecords {
      const letters = texts.bytes() / 2;
      starts.push(records.bytes() / 2);
      textStarts.push(letters);
      records.flush();
      texts.flush();
      fs.writeFileSync(path.join(folder, SORTED_FILES.starts), Uint32Array.from(textStarts), { flag: 'wx' });
      return { starts: Uint32Array.from(starts), odd, letters, keys: Uint32Array.from(keys) };
    },
    close(): void {
      records.close();
      texts.close();
    },
  };
}

export type RecordReader = ReturnType<typeof createRecordReader>;

/** What a text of TEXTS begins behind, in the JSON of its record. Within a text every quote has a backslash before it. */
const OPENINGS = TEXTS.map((name) => Buffer.from(`"${name}":"`));

/** Reads records, and keys of positions, from an open file. */
export function createRecordReader(file: number, starts: Uint32Array) {
  let bytes = Buffer.allocUnsafeSlow(16_384);
  const units = new Uint16Array(KEY_LETTERS);

  /** Has a record at the beginning of `bytes`, and returns its length. */
  const read = (id: number): number => {
    const from = starts[id] as number;
    const length = ((starts[id + 1] as number) - from) * 2;
    if (length > bytes.length) bytes = Buffer.allocUnsafeSlow(length);
    readFully(file, bytes, from * 2, length);
    return length;
  };
  return {
    /** The JSON of a record, a letter for each of its bytes. */
    stored(id: number): string {
      const length = read(id);
      return bytes.toString('latin1', 0, length);
    },
    record(id: number): CatalogueNovel {
      const length = read(id);
      return parseStored(bytes.toString('utf8', 0, length)) as unknown as CatalogueNovel;
    },
    packKeyOf(entry: number, key: Uint32Array, keyAt: number): void {
      const place = entry & (PLACE_COUNT - 1);
      const text = TEXT_OF_PLACE[place] as number;
      read(entry >>> PLACE_BITS);
      const opening = OPENINGS[text] as Buffer;
      const begin = bytes.indexOf(opening) + opening.length;
      const letters = readLetters(bytes, begin, place - (TEXT_PLACES[text] as number), units);
      packKey(units, 0, letters, key, keyAt);
    },
  };
}
