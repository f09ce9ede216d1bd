import path from 'node:path';
import { readColumns, UNKNOWN_KEY } from '../index/engine/columns.ts';
import { deadOf, newestGeneration } from '../index/engine/generations.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { marksOf } from './harvested-novel.ts';

/** What a harvest must know of a novel that it has. Times in Unix seconds. */
interface KnownNovel {
  readonly lastup: number;
  readonly lastupdate: number;
  readonly fetchedAt: number;
}

/** By the Ncode as a number (`ncodeToNumber`), which takes a tenth of the memory. */
export type KnownNovels = Map<number, KnownNovel>;

/** As in MARKS, where 0 is an unknown time. */
const secondsOf = (value: number | undefined): number => (value === UNKNOWN_KEY ? 0 : (value ?? 0));

/** Those of the newest generation of an index; none where there is no index. */
export function readIndexed(folder: string): KnownNovels {
  const known: KnownNovels = new Map();
  for (const segment of newestGeneration(folder)?.segments ?? []) {
    const dead = new Set(deadOf(folder, segment));
    const columns = readColumns(path.join(folder, segment.folder, 'columns'), segment.records);
    for (let id = 0; id < segment.records; id++) {
      if (dead.has(id)) continue;
      known.set(columns.ncode[id] as number, {
        lastup: secondsOf(columns.lastup[id]),
        lastupdate: secondsOf(columns.lastupdate[id]),
        fetchedAt: columns.fetched_at[id] as number,
      });
    }
  }
  return known;
}

/** Adds what an entry of the journal brought. */
export function learn(known: KnownNovels, { put = [], gone = [] }: Partial<HarvestEntry>): void {
  for (const novel of put) {
    const marks = marksOf({ ...novel });
    if (!marks) continue;
    const { lastup, lastupdate } = marks;
    known.set(ncodeToNumber(marks.ncode), { lastup, lastupdate, fetchedAt: novel.fetched_at });
  }
  for (const ncode of gone) known.delete(ncodeToNumber(ncode));
}
