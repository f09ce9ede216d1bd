import path from 'node:path';
import { STORED_FIELDS } from '../catalogue-novel.ts';
import type { CatalogueNovel, StoredField } from '../catalogue-novel.ts';
import { foldText } from '../novel-conditions.ts';
import { DamagedFile, checkSum } from './files.ts';
import type { ReadPart } from './files.ts';
import { KEY_LETTERS, NAMES, OFFSET_BITS, OFFSET_COUNT, TEXT_OFFSETS, TEXTS } from './layout.ts';
import { packKey, readLetters, toUnits } from './letters.ts';

export const fieldPlace = (field: StoredField): number => STORED_FIELDS.indexOf(field);

/**
 * Finds the starts of stored fields, given by their ascending indexes. A text cannot contain a field's name by mistake,
 * because its quotes are escaped.
 */
export function createCutter(indexes: readonly number[]): (stored: string) => readonly number[] {
  const names = indexes.map((index) => `"${STORED_FIELDS[index] ?? ''}":`);
  const cuts = indexes.map(() => 0);
  return (stored) => {
    let at = 0;
    for (let cut = 0; cut < names.length; cut++) {
      at = stored.indexOf(names[cut] as string, at);
      cuts[cut] = at;
    }
    return cuts;
  };
}

/** The JSON from one field to another (included): `"end":1,"length":5`. */
export function sliceOfFields(first: StoredField, last: StoredField): (stored: string) => string {
  const cut = createCutter([fieldPlace(first), fieldPlace(last) + 1]);
  return (stored) => {
    const [from, until = 0] = cut(stored);
    return stored.slice(from, until - 1);
  };
}

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

/** Parses a stored record, without absent fields. `stored` may also be its bytes as Latin-1. */
export const parseStored = (stored: string): Record<string, unknown> => {
  const fields = JSON.parse(stored) as Record<string, unknown>;
  const knownFields: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== null) knownFields[name] = fields[name];
  return knownFields;
};

/** Texts of a file: where each begins, and its CRC-32. */
interface TextStarts {
  readonly starts: Uint32Array;
  /** Undefined while the file is built. */
  readonly sums: Uint32Array | undefined;
}

/** Maximum gap between texts that are read at once, and the maximum bytes of such a read. */
const JOINED_GAP_BYTES = 4_096;
const JOINED_BYTES = 262_144;

/** Reads JSON texts of a file. */
function createTextReader(readPart: ReadPart, { starts, sums }: TextStarts, what: string) {
  let bytes = Buffer.allocUnsafeSlow(16_384);

  const beginOf = (id: number): number => (starts[id] as number) * 2;
  const fill = (from: number, length: number): void => {
    if (length > bytes.length) bytes = Buffer.allocUnsafeSlow(length);
    readPart(bytes, from, length);
  };
  const check = (id: number, from: number, to: number): void => {
    if (sums !== undefined) checkSum(new Uint8Array(bytes.buffer, from, to - from), sums[id], what);
  };
  const read = (id: number): number => {
    const length = beginOf(id + 1) - beginOf(id);
    fill(beginOf(id), length);
    check(id, 0, length);
    return length;
  };
  return {
    /** Reads the bytes of a text to the start of a buffer, valid until the next read. */
    bytes: (id: number): Buffer => {
      read(id);
      return bytes;
    },
    text: (id: number): string => {
      const length = read(id);
      return bytes.toString('utf8', 0, length);
    },
    /** Converts texts (as Latin-1), reading neighbours at once. */
    mapAll: (ids: readonly number[], write: (text: string) => string): string[] => {
      const made = ids.map(() => '');
      const sorted = [...ids.keys()].sort((a, b) => (ids[a] as number) - (ids[b] as number));
      const idAt = (at: number): number => ids[sorted[at] as number] as number;
      for (let first = 0, next = 0; first < sorted.length; first = next) {
        const begin = beginOf(idAt(first));
        let end = begin;
        for (; next < sorted.length; next++) {
          const isFar = next > first && beginOf(idAt(next)) - end > JOINED_GAP_BYTES;
          if (isFar || (next > first && end - begin > JOINED_BYTES)) break;
          end = beginOf(idAt(next) + 1);
        }
        fill(begin, end - begin);
        for (let at = first; at < next; at++) {
          const [from, to] = [beginOf(idAt(at)) - begin, beginOf(idAt(at) + 1) - begin];
          check(idAt(at), from, to);
          made[sorted[at] as number] = write(bytes.toString('latin1', from, to));
        }
      }
      return made;
    },
  };
}

export type NameReader = ReturnType<typeof createNameReader>;

/** Reads titles and pen names of a file. */
export function createNameReader(readPart: ReadPart, starts: TextStarts) {
  const texts = createTextReader(readPart, starts, 'name');
  return (id: number, name: (typeof NAMES)[number]): string =>
    (JSON.parse(texts.text(id)) as string[])[NAMES.indexOf(name)] ?? '';
}

export type RecordReader = ReturnType<typeof createRecordReader>;

/** The JSON before a text of TEXTS in its record. Quotes within a text are escaped. */
const OPENINGS = TEXTS.map((name) => Buffer.from(`"${name}":"`));

/** Reads records, and keys of positions, of a file. */
export function createRecordReader(readPart: ReadPart, starts: TextStarts) {
  const texts = createTextReader(readPart, starts, 'record');
  const record = (id: number): CatalogueNovel => parseStored(texts.text(id)) as unknown as CatalogueNovel;
  const units = new Uint16Array(KEY_LETTERS);
  return {
    mapAll: texts.mapAll,
    isWhole: (id: number): boolean => {
      try {
        texts.bytes(id);
        return true;
      } catch (error) {
        if (error instanceof DamagedFile) return false;
        throw error;
      }
    },
    record,
    packKeyOf(entry: number, key: Uint32Array, keyAt: number): void {
      const offset = entry & (OFFSET_COUNT - 1);
      const text = TEXT_OF_OFFSET[offset] as number;
      const at = offset - (TEXT_OFFSETS[text] as number);
      const opening = OPENINGS[text];
      if (opening === undefined) {
        const folded = toUnits(indexedTexts(record(entry >>> OFFSET_BITS))[text] ?? '');
        packKey(folded, at, folded.length, key, keyAt);
        return;
      }
      const bytes = texts.bytes(entry >>> OFFSET_BITS);
      const begin = bytes.indexOf(opening) + opening.length;
      const letters = readLetters(bytes, begin, at, units);
      packKey(units, 0, letters, key, keyAt);
    },
  };
}
