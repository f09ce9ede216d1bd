import fs from 'node:fs';
import path from 'node:path';
import { clearBit, countBits, createBits, fullBits, hasBit, setBit } from './bitmaps.ts';
import type { Bits } from './bitmaps.ts';
import { readColumns, VALUE_COLUMNS } from './columns.ts';
import type { ColumnName, Columns } from './columns.ts';
import { DamagedFile, checkSum, openAll, readFully, readNumbers, withFile } from './files.ts';
import { readFrequentWords } from './frequent-words.ts';
import type { FrequentWord } from './frequent-words.ts';
import { KEY_WORDS, READ_FILES, SUMMED_POSITIONS } from './layout.ts';
import type { SegmentFacts } from './layout.ts';
import { readOrders } from './orders.ts';
import type { Orders } from './orders.ts';
import { createPositions } from './positions.ts';
import type { Positions } from './positions.ts';
import { createRecordReader, indexedTexts, recordsFile } from './records.ts';
import type { RecordReader } from './records.ts';

/** The CRC-32 of all data that requests read from a segment. */
interface Sums {
  readonly records: Uint32Array;
  /** One for each block of SUMMED_POSITIONS positions. */
  readonly positions: Uint32Array;
  readonly bitmaps: Uint32Array;
}

function readSums(folder: string, { records, positions }: SegmentFacts): Sums {
  const all = readNumbers(path.join(folder, 'sums'));
  const blocks = records + Math.ceil(positions / SUMMED_POSITIONS);
  if (all.length < blocks) throw new DamagedFile('sums');
  return {
    records: all.subarray(0, records),
    positions: all.subarray(records, blocks),
    bitmaps: all.subarray(blocks),
  };
}

/** Reads the records of a segment, without its other files. */
export function openRecords(dir: string, facts: SegmentFacts): { file: number; reader: RecordReader } {
  const folder = path.join(dir, facts.folder);
  const starts = readNumbers(path.join(folder, 'starts'));
  const { records: sums } = readSums(folder, facts);
  const file = fs.openSync(recordsFile(folder), 'r');
  return { file, reader: createRecordReader(file, { starts, sums }) };
}

/** The in-memory part of a segment: plain data, possibly read by another thread. */
export interface SegmentData extends Orders {
  readonly columns: Columns;
  /** For columns with few values: the ids of each value, as a bitmap. */
  readonly values: Readonly<Partial<Record<ColumnName, ReadonlyMap<number, Bits>>>>;
  readonly frequent: ReadonlyMap<string, FrequentWord>;
  readonly starts: Uint32Array;
  readonly sums: Sums;
  readonly samples: Uint32Array;
  /** The indexed texts of the oversized records by id. */
  readonly oversized: ReadonlyMap<number, readonly string[]>;
}

export interface ReplacedSegment extends OpenSegment {
  /** Ids of records that a later segment replaces. */
  readonly dead: Uint32Array;
}

/** The live ids. */
interface Live {
  readonly live: Bits;
  readonly liveCount: number;
  /** Number of outdated ids, which are not live. */
  readonly outdated: number;
  /** When the oldest live record was fetched, in Unix seconds; Infinity if none has an age. */
  readonly oldest: number;
}

/** An open segment: its in-memory part, and readers of its files. */
export interface OpenSegment extends SegmentData {
  readonly folder: string;
  readonly size: number;
  readonly positions: Positions;
  readonly records: RecordReader;
  readBitmap(bitmapIndex: number, bits: Bits): void;
  /** Scratch memory of the current query: queries run one at a time. */
  readonly scratch: Readonly<Record<'foundBits' | 'other' | 'ranks', Bits>> & { readonly ids: Uint32Array };
  close(): void;
  /** Keeps the files open beyond `close`, until the signal is aborted. */
  keepOpen(signal: AbortSignal): void;
}

export interface Segment extends ReplacedSegment, Live {}

/** Reads the in-memory part of a segment. Throws DamagedFile if its files do not fit the facts. */
export function loadSegment(dir: string, facts: SegmentFacts): SegmentData {
  const folder = path.join(dir, facts.folder);
  const { records: size, positions, spacing } = facts;
  const at = (name: string): string => path.join(folder, name);
  const columns = readColumns(at('columns'), size);
  const [starts, samples] = [readNumbers(at('starts')), readNumbers(at('samples'))];
  if (samples.length !== Math.ceil(positions / spacing) * KEY_WORDS) throw new DamagedFile('samples');
  const sums = readSums(folder, facts);
  const oversized = withFile(recordsFile(folder), 'r', (file) => {
    const reader = createRecordReader(file, { starts, sums: sums.records });
    return new Map(facts.oversized.map((id) => [id, indexedTexts(reader.record(id))]));
  });
  return {
    columns,
    ...readOrders(at('orders'), columns),
    values: Object.fromEntries(VALUE_COLUMNS.map((name) => [name, bitsByValue(columns[name])])),
    frequent: readFrequentWords(folder),
    starts,
    sums,
    samples,
    oversized,
  };
}

/** Opens the files of a loaded segment. */
export function openSegment(dir: string, facts: SegmentFacts, data: SegmentData): OpenSegment {
  const { folder, records: size, positions: count, spacing } = facts;
  const { samples, starts, sums } = data;
  const open = openAll(READ_FILES.map((name) => path.join(dir, folder, name)));
  const [recordsOpen = 0, file = 0, bitmapsOpen = 0] = open;
  const records = createRecordReader(recordsOpen, { starts, sums: sums.records });
  let references = 1;
  const close = (): void => {
    references -= 1;
    if (references === 0) for (const each of open) fs.closeSync(each);
  };
  const bytesOfBitmap = createBits(size).byteLength;
  return {
    ...data,
    folder,
    size,
    positions: createPositions({ file, count, spacing, samples, records, sums: sums.positions }),
    records,
    readBitmap: (bitmapIndex, bits) => {
      readFully(bitmapsOpen, bits, bitmapIndex * bytesOfBitmap);
      checkSum(bits, sums.bitmaps[bitmapIndex], 'bitmap');
    },
    scratch: {
      foundBits: createBits(size),
      other: createBits(size),
      ranks: createBits(size),
      ids: new Uint32Array(size),
    },
    close,
    keepOpen: (signal) => {
      if (references === 0) throw new Error(`${folder} of the index is closed`);
      references += 1;
      signal.addEventListener('abort', close, { once: true });
    },
  };
}

/** The segment without dead ids, and without those fetched before a time (Unix seconds). */
export function withoutDead(segment: ReplacedSegment, fetchedFrom: number): Segment {
  const { size, columns, dead } = segment;
  const live = fullBits(size);
  for (const id of dead) clearBit(live, id);
  let oldest = Infinity;
  let outdated = 0;
  for (let id = 0; id < size; id++) {
    const fetchedAt = columns.fetched_at[id] as number;
    if (fetchedAt === 0 || fetchedAt >= oldest) continue;
    if (!hasBit(live, id)) continue;
    if (fetchedAt >= fetchedFrom) oldest = fetchedAt;
    else {
      clearBit(live, id);
      outdated += 1;
    }
  }
  return { ...segment, live, liveCount: countBits(live), outdated, oldest };
}

function bitsByValue(column: Columns[ColumnName]): Map<number, Bits> {
  const byValue = new Map<number, Bits>();
  for (let id = 0; id < column.length; id++) {
    const value = column[id] as number;
    let bits = byValue.get(value);
    if (bits === undefined) byValue.set(value, (bits = createBits(column.length)));
    setBit(bits, id);
  }
  return byValue;
}
