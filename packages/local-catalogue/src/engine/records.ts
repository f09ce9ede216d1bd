import path from 'node:path';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { foldText, fieldSelector, parseNovel } from '@mokuroku/narou/scan';
import { DamagedFile, checkSum } from './files.ts';
import type { ReadPart } from './files.ts';
import { KEY_LETTERS, NAMES, OFFSET_BITS, OFFSET_COUNT, TEXT_OFFSETS, TEXTS } from './layout.ts';
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
interface RecordStarts {
  readonly starts: Uint32Array;
  /** Undefined while the file is built. */
  readonly sums: Uint32Array | undefined;
}

const SELECT = { title: fieldSelector({ of: ['t'] }), writer: fieldSelector({ of: ['w'] }) };

/** Reads records, and keys of positions, of a file. */
export function createRecordReader(readPart: ReadPart, { starts, sums }: RecordStarts) {
  let buffer = Buffer.allocUnsafeSlow(16_384);
  const units = new Uint16Array(KEY_LETTERS);
  /** Valid until the next call. */
  const read = (id: number): Buffer => {
    const [from, to] = [(starts[id] as number) * 2, (starts[id + 1] as number) * 2];
    if (to - from > buffer.length) buffer = Buffer.allocUnsafeSlow(to - from);
    const bytes = buffer.subarray(0, to - from);
    readPart(bytes, from, to - from);
    if (sums !== undefined) checkSum(bytes, sums[id], 'record');
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
    isWhole: (id: number): boolean => {
      try {
        read(id);
        return true;
      } catch (error) {
        if (error instanceof DamagedFile) return false;
        throw error;
      }
    },
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
