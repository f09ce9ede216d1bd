import fs from 'node:fs';
import path from 'node:path';
import type { NovelapiOrder } from '../../novels/orders.ts';
import { clearBit, countBits, createBits, fullBits, setBit } from './bitmaps.ts';
import type { Bits } from './bitmaps.ts';
import { readColumns, VALUE_COLUMNS } from './columns.ts';
import type { ColumnName, Columns } from './columns.ts';
import { readFully, readNumbers, withFile } from './files.ts';
import { readFrequentWords } from './frequent-words.ts';
import type { FrequentWord } from './frequent-words.ts';
import type { SegmentFacts } from './layout.ts';
import { KEY_COLUMNS, ORDERS, RANGE_COLUMNS, ranksOf, withCheckpoints } from './orders.ts';
import type { KeyColumn, RangeColumn, Sought, SoughtRange } from './orders.ts';
import { createPositions } from './positions.ts';
import type { Positions } from './positions.ts';
import { createRecordReader } from './records.ts';
import type { RecordReader } from './records.ts';

/** The ids in an order, and the rank of each. */
export interface Ranking {
  readonly ids: Uint32Array;
  readonly ranks: Uint32Array;
}

/** An open segment: what stays in memory, and what reads the rest. */
export interface Segment {
  readonly size: number;
  /** Ids that still count, and how many they are. */
  readonly live: Bits;
  readonly liveCount: number;
  readonly columns: Columns;
  readonly rankings: Readonly<Record<NovelapiOrder, Ranking>>;
  readonly keys: Readonly<Record<KeyColumn, Sought>>;
  readonly ranges: Readonly<Record<RangeColumn, SoughtRange>>;
  /** For each value of a column of few values, who has it. */
  readonly values: Readonly<Partial<Record<ColumnName, ReadonlyMap<number, Bits>>>>;
  readonly positions: Positions;
  readonly records: RecordReader;
  readonly frequent: ReadonlyMap<string, FrequentWord>;
  readBitmap(place: number, bits: Bits): void;
  /** Texts of the odd ids, in the order of TEXTS. */
  readonly odd: ReadonlyMap<number, readonly string[]>;
  /** Room for the question under way: one is answered at a time. */
  readonly room: Readonly<Record<'found' | 'other' | 'ranks', Bits>> & { readonly ids: Uint32Array };
  close(): void;
}

/** Opens a segment's folder; `dead` are ids that do not count any more. */
export function openSegment(folder: string, facts: SegmentFacts, dead: Uint32Array): Segment {
  const { records: size, spacing } = facts;
  const at = (name: string): string => path.join(folder, name);
  const open = Object.fromEntries(
    ['records', 'positions', 'bitmaps'].map((name) => [name, fs.openSync(at(name), 'r')]),
  ) as Record<'records' | 'positions' | 'bitmaps', number>;
  const columns = readColumns(at('columns'), size);
  const records = createRecordReader(open.records, readNumbers(at('starts')));
  const samples = readNumbers(at('samples'));
  const bytesOfBitmap = createBits(size).byteLength;
  return {
    size,
    ...liveOf(size, dead),
    columns,
    ...openOrders(at('orders'), columns, size),
    values: Object.fromEntries(VALUE_COLUMNS.map((name) => [name, bitsByValue(columns[name])])),
    positions: createPositions({ file: open.positions, count: facts.positions, spacing, samples, records }),
    records,
    frequent: readFrequentWords(folder),
    readBitmap: (place, bits) => {
      readFully(open.bitmaps, bits, place * bytesOfBitmap);
    },
    odd: new Map(facts.odd.map((id) => [id, records.texts(id)])),
    room: {
      found: createBits(size),
      other: createBits(size),
      ranks: createBits(size),
      ids: new Uint32Array(size),
    },
    close: () => {
      for (const file of Object.values(open)) fs.closeSync(file);
    },
  };
}

/** The same segment, of which other ids are dead. */
export const withDead = (segment: Segment, dead: Uint32Array): Segment => ({
  ...segment,
  ...liveOf(segment.size, dead),
});

function liveOf(size: number, dead: Uint32Array): Pick<Segment, 'live' | 'liveCount'> {
  const live = fullBits(size);
  for (const id of dead) clearBit(live, id);
  return { live, liveCount: countBits(live) };
}

function openOrders(
  file: string,
  columns: Columns,
  size: number,
): Pick<Segment, 'rankings' | 'keys' | 'ranges'> {
  return withFile(file, 'r', (open) => {
    let place = 0;
    const next = (): Uint32Array => {
      const ids = new Uint32Array(size);
      readFully(open, ids, place++ * ids.byteLength);
      return ids;
    };
    const rankings = Object.keys(ORDERS).map((name) => {
      const ids = next();
      return [name, { ids, ranks: ranksOf(ids) }] as const;
    });
    const seek = (name: KeyColumn | RangeColumn): Sought => ({ ids: next(), values: columns[name] });
    const keys = KEY_COLUMNS.map((name) => [name, seek(name)] as const);
    const ranges = RANGE_COLUMNS.map((name) => [name, withCheckpoints(seek(name))] as const);
    return {
      rankings: Object.fromEntries(rankings) as Segment['rankings'],
      keys: Object.fromEntries(keys) as Segment['keys'],
      ranges: Object.fromEntries(ranges) as Segment['ranges'],
    };
  });
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
