import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { DamagedFile, readFully, readNumbers, withFile } from './files.ts';
import { SUMMED_POSITIONS } from './layout.ts';
import type { SegmentFacts } from './layout.ts';

/** The CRC-32 of all data that requests read from a segment. */
export interface Sums {
  readonly records: Uint32Array;
  /** One for each block of SUMMED_POSITIONS positions. */
  readonly positions: Uint32Array;
  readonly bitmaps: Uint32Array;
}

/** The sums of the blocks of positions. */
export const sumPositions = (folder: string, count: number): Uint32Array =>
  withFile(path.join(folder, 'positions'), 'r', (file) => {
    const block = new Uint32Array(SUMMED_POSITIONS);
    return Uint32Array.from({ length: Math.ceil(count / SUMMED_POSITIONS) }, (_, index) => {
      const first = index * SUMMED_POSITIONS;
      const part = block.subarray(0, Math.min(SUMMED_POSITIONS, count - first));
      readFully(file, part, first * 4);
      return crc32(part);
    });
  });

/** Writes `sums`, the concatenation of its parts. */
export function writeSums(folder: string, parts: readonly Uint32Array[]): void {
  const bytes = Buffer.concat(parts.map((part) => new Uint8Array(part.buffer)));
  fs.writeFileSync(path.join(folder, 'sums'), bytes, { flag: 'wx' });
}

export function readSums(folder: string, { records, positions }: SegmentFacts): Sums {
  const all = readNumbers(path.join(folder, 'sums'));
  const blocks = records + Math.ceil(positions / SUMMED_POSITIONS);
  if (all.length < blocks) throw new DamagedFile('sums');
  return {
    records: all.subarray(0, records),
    positions: all.subarray(records, blocks),
    bitmaps: all.subarray(blocks),
  };
}
