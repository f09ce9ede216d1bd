import fs from 'node:fs';
import path from 'node:path';
import { clearBit, countBits, createBits, fullBits, hasBit, setBit } from './bitmaps.ts';
import type { Bits } from './bitmaps.ts';
import { readColumns, VALUE_COLUMNS } from './columns.ts';
import type { ColumnName, Columns } from './columns.ts';
import { openAll, readFully, readNumbers } from './files.ts';
import { readFrequentWords } from './frequent-words.ts';
import type { FrequentWord } from './frequent-words.ts';
import { TEXTS } from './layout.ts';
import type { SegmentFacts } from './layout.ts';
import { readOrders } from './orders.ts';
import type { Orders } from './orders.ts';
import { createPositions } from './positions.ts';
import type { Positions } from './positions.ts';
import { createRecordReader } from './records.ts';
import type { RecordReader } from './records.ts';

/** What of a segment stays in memory: plain data, which another thread may have read. */
export interface SegmentData extends Orders {
  readonly columns: Columns;
  /** For each value of a column of few values, who has it. */
  readonly values: Readonly<Partial<Record<ColumnName, ReadonlyMap<number, Bits>>>>;
  readonly frequent: ReadonlyMap<string, FrequentWord>;
  readonly starts: Uint32Array;
  readonly samples: Uint32Array;
}

/** Which ids count. */
interface Live {
  readonly live: Bits;
  readonly liveCount: number;
  /** How many do not, because they were fetched too long ago. */
  readonly outdated: number;
  /** When the first of those that age was fetched, in Unix seconds; Infinity where none ages. */
  readonly oldest: number;
}

/** An open segment: what stays in memory, and what reads the rest. */
export interface Segment extends SegmentData, Live {
  readonly size: number;
  readonly positions: Positions;
  readonly records: RecordReader;
  readBitmap(place: number, bits: Bits): void;
  /** Texts of the odd ids, in the order of TEXTS. */
  readonly odd: ReadonlyMap<number, readonly string[]>;
  /** Room for the question under way: one is answered at a time. */
  readonly room: Readonly<Record<'found' | 'other' | 'ranks', Bits>> & { readonly ids: Uint32Array };
  close(): void;
}

/** Reads what stays in memory of a segment's folder. */
export function loadSegment(folder: string, { records: size }: SegmentFacts): SegmentData {
  const at = (name: string): string => path.join(folder, name);
  const columns = readColumns(at('columns'), size);
  return {
    columns,
    ...readOrders(at('orders'), columns),
    values: Object.fromEntries(VALUE_COLUMNS.map((name) => [name, bitsByValue(columns[name])])),
    frequent: readFrequentWords(folder),
    starts: readNumbers(at('starts')),
    samples: readNumbers(at('samples')),
  };
}

/** Opens the files of a segment that has been loaded; all its ids count until it is told otherwise. */
export function openSegment(folder: string, facts: SegmentFacts, data: SegmentData): Segment {
  const { records: size, spacing } = facts;
  const { samples, starts } = data;
  const open = openAll(['records', 'positions', 'bitmaps'].map((name) => path.join(folder, name)));
  const [recordsFile = 0, file = 0, bitmapsFile = 0] = open;
  const records = createRecordReader(recordsFile, starts);
  const close = (): void => {
    for (const each of open) fs.closeSync(each);
  };
  const bytesOfBitmap = createBits(size).byteLength;
  return {
    ...data,
    size,
    ...{ live: fullBits(size), liveCount: size, outdated: 0, oldest: Infinity },
    positions: createPositions({ file, count: facts.positions, spacing, samples, records }),
    records,
    readBitmap: (place, bits) => {
      readFully(bitmapsFile, bits, place * bytesOfBitmap);
    },
    odd: readOdd(records, facts.odd, close),
    room: {
      found: createBits(size),
      other: createBits(size),
      ranks: createBits(size),
      ids: new Uint32Array(size),
    },
    close,
  };
}

function readOdd(records: RecordReader, ids: readonly number[], close: () => void): Segment['odd'] {
  try {
    return new Map(ids.map((id) => [id, TEXTS.map((name) => records.record(id)[name] ?? '')]));
  } catch (error) {
    close();
    throw error;
  }
}

/** The same segment without ids that are dead and without those fetched before a time (Unix seconds). */
export function withoutDead(segment: Segment, dead: Uint32Array, fetchedFrom: number): Segment {
  const { size, columns } = segment;
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
