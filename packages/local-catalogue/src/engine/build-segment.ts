import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { createColumnWriter, writeColumns } from './columns.ts';
import type { Columns } from './columns.ts';
import { factsOfFile, readFully, readNumbers, withFile } from './files.ts';
import type { FileFacts } from './files.ts';
import { writeFrequentWords } from './frequent-words.ts';
import { SEGMENT_FILES, SUMMED_POSITIONS } from './layout.ts';
import type { SegmentFacts } from './layout.ts';
import { writeOrders } from './orders.ts';
import { createPositions } from './positions.ts';
import { createRecordReader, createRecordWriter, recordsFile, SORTED_FILES } from './records.ts';
import type { RecordStarts, WrittenRecords } from './records.ts';
import { divideKeys, sortPositions } from './sort-positions.ts';

export interface BuildOptions {
  /** Positions that are sorted at a time, with 40 bytes of memory per position. */
  readonly rangePositions?: number;
  /** The key of every n-th position is in memory for searches. A power of two, at most SUMMED_POSITIONS. */
  readonly spacing?: number;
}

const RANGE_POSITIONS = 8_000_000;
const SPACING = 64;

/** Ranges are estimated from a sample, so one may have a few percent more positions. */
const UNEVEN = 1.1;

/** Writes a segment into a new folder. Its caller counts the records: `MAX_RECORDS` at most. */
export function buildSegment(
  dir: string,
  { folder: name, isChange }: Pick<SegmentFacts, 'folder' | 'isChange'>,
  records: Iterable<CatalogueNovel>,
  options: BuildOptions,
): SegmentFacts {
  const folder = path.join(dir, name);
  const { spacing = SPACING, rangePositions = RANGE_POSITIONS } = options;
  fs.mkdirSync(folder);
  const { columns, ...written } = writeRecords(folder, records);
  const { starts, sums, letters, oversized, keys } = written;
  const size = columns.ncode.length;
  fs.writeFileSync(path.join(folder, 'starts'), starts, { flag: 'wx' });
  writeColumns(path.join(folder, 'columns'), columns);
  writeOrders(path.join(folder, 'orders'), columns);
  for (const file of ['positions', 'samples']) fs.writeFileSync(path.join(folder, file), '', { flag: 'wx' });
  const ranges = divideKeys(keys, Math.ceil(letters / rangePositions));
  const maxPositions = Math.ceil(Math.min(letters, rangePositions) * UNEVEN) + 1;
  const positions = sortPositions({ folder, spacing, oversized, maxPositions }, ranges);
  for (const file of Object.values(SORTED_FILES)) fs.rmSync(path.join(folder, file));
  const sumsOfPositions = sumPositions(path.join(folder, 'positions'), positions);
  const counts = { records: size, positions, spacing };
  const sumsOfBitmaps = writeFrequent(folder, counts, written, sumsOfPositions);
  const allSums = [sums, sumsOfPositions, sumsOfBitmaps].map((part) => new Uint8Array(part.buffer));
  fs.writeFileSync(path.join(folder, 'sums'), Buffer.concat(allSums), { flag: 'wx' });
  const files = SEGMENT_FILES.map((file) => [file, syncFile(path.join(folder, file))] as const);
  return { folder: name, files: Object.fromEntries(files), isChange, ...counts, oversized };
}

/** The CRC-32 of each block of positions. */
const sumPositions = (name: string, count: number): Uint32Array =>
  withFile(name, 'r', (file) => {
    const block = new Uint32Array(SUMMED_POSITIONS);
    return Uint32Array.from({ length: Math.ceil(count / SUMMED_POSITIONS) }, (_, index) => {
      const first = index * SUMMED_POSITIONS;
      const part = block.subarray(0, Math.min(SUMMED_POSITIONS, count - first));
      readFully(file, part, first * 4);
      return crc32(part);
    });
  });

/** Flushes a file to disk and computes its checksum. */
function syncFile(file: string): FileFacts {
  withFile(file, 'r+', (open) => fs.fsyncSync(open));
  return factsOfFile(file);
}

function writeRecords(
  folder: string,
  records: Iterable<CatalogueNovel>,
): WrittenRecords & { readonly columns: Columns } {
  const columns = createColumnWriter();
  const writer = createRecordWriter(folder);
  try {
    for (const novel of records) {
      writer.add(novel);
      columns.add(novel);
    }
    return { ...writer.finish(), columns: columns.finish() };
  } finally {
    writer.close();
  }
}

function writeFrequent(
  folder: string,
  facts: Pick<SegmentFacts, 'records' | 'positions' | 'spacing'>,
  recordStarts: RecordStarts,
  sums: Uint32Array,
): Uint32Array {
  const { positions: count, records: size, spacing } = facts;
  const samples = readNumbers(path.join(folder, 'samples'));
  return withFile(recordsFile(folder), 'r', (recordsOpen) =>
    withFile(path.join(folder, 'positions'), 'r', (file) => {
      const records = createRecordReader(recordsOpen, recordStarts);
      const positions = createPositions({ file, count, spacing, samples, records, sums });
      return writeFrequentWords(folder, { records: size, spacing, samples, positions });
    }),
  );
}
