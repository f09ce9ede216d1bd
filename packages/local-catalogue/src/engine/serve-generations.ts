import path from 'node:path';
import { DamagedFile } from './files.ts';
import type { LoadedGeneration } from './index-generations.ts';
import { findMatches, rowsInOrder } from './page.ts';
import { planOf } from './plan.ts';
import { openSegment, withoutDead } from './segment.ts';
import type { Segment } from './segment.ts';

/** Interval of the check for outdated records. Those that would expire before the next check are dropped already. */
const AGE_STEP_SECONDS = 60;

export interface OpenGeneration extends Omit<LoadedGeneration, 'segments'> {
  readonly byFolder: ReadonlyMap<string, Segment>;
  readonly segments: readonly Segment[];
  /** Records fetched before this time (Unix seconds) are dropped, as of `seenTo` (milliseconds). */
  readonly fetchedFrom: number;
  readonly seenTo: number;
}

/** The open generation, without outdated records. */
export function serveGenerations(
  dir: string,
  first: LoadedGeneration,
  now: () => number,
  maxAgeSeconds: number,
) {
  const attached = (loaded: LoadedGeneration, openSegments: ReadonlyMap<string, Segment>): OpenGeneration => {
    const byFolder = attach(dir, loaded, openSegments, now());
    return withoutOld({ ...loaded, byFolder }, now(), maxAgeSeconds);
  };
  let open = attached(first, new Map());
  return {
    current: (): OpenGeneration => {
      // The clock may also be set back.
      const isDue = Math.abs(now() - open.seenTo) >= AGE_STEP_SECONDS * 1000;
      if (isDue && maxAgeSeconds !== Infinity) open = withoutOld(open, now(), maxAgeSeconds);
      return open;
    },
    swap: (loaded: LoadedGeneration): void => {
      const before = open;
      open = attached(loaded, before.byFolder);
      for (const [folder, segment] of before.byFolder) {
        if (open.byFolder.get(folder)?.records !== segment.records) segment.close();
      }
    },
    close: (): void => {
      for (const segment of open.segments) segment.close();
    },
  };
}

/** Opens the files of a loaded generation, which must answer a search. */
function attach(
  dir: string,
  { generation, segments }: LoadedGeneration,
  openSegments: ReadonlyMap<string, Segment>,
  now: number,
): ReadonlyMap<string, Segment> {
  const byFolder = new Map<string, Segment>();
  try {
    for (const facts of generation.segments) {
      const { folder } = facts;
      const data = segments.get(folder);
      const segment =
        data === undefined ? openSegments.get(folder) : openSegment(path.join(dir, folder), facts, data);
      if (segment === undefined) throw new Error(`the segment ${folder} has not been read`);
      byFolder.set(folder, segment);
    }
    requireAnswer([...byFolder.values()], now);
    return byFolder;
  } catch (error) {
    for (const [folder, segment] of byFolder) if (segments.has(folder)) segment.close();
    throw error;
  }
}

/** Searches as a request does. Some damaged records are no reason to serve nothing. */
function requireAnswer(segments: readonly Segment[], now: number): void {
  const page = rowsInOrder(findMatches(segments, planOf({}, now)), 'new', 0, 1);
  if ([...page].length > 0 && !isAnyReadable(segments)) throw new DamagedFile('every record');
}

/** The same generation without dead records, and without those that expire before the next check. */
function withoutOld(
  open: Omit<OpenGeneration, 'segments' | 'fetchedFrom' | 'seenTo'>,
  now: number,
  maxAgeSeconds: number,
): OpenGeneration {
  const fetchedFrom = Math.max(0, Math.floor(now / 1000) + AGE_STEP_SECONDS - maxAgeSeconds + 1);
  const byFolder = new Map<string, Segment>();
  for (const [folder, segment] of open.byFolder) {
    byFolder.set(folder, withoutDead(segment, open.dead.get(folder) ?? new Uint32Array(0), fetchedFrom));
  }
  return { ...open, byFolder, segments: [...byFolder.values()], fetchedFrom, seenTo: now };
}

/** Number of records in the sample. */
const TRIED_RECORDS = 16;

/** Whether any of a sample of records is undamaged. Throws if none can be read at present. */
export function isAnyReadable(segments: readonly Segment[]): boolean {
  let failure: unknown;
  for (const { size, records } of segments) {
    const count = Math.min(size, TRIED_RECORDS);
    for (let at = 0; at < count; at++) {
      try {
        records.stored(Math.floor((at * size) / count));
        return true;
      } catch (error) {
        if (!(error instanceof DamagedFile)) failure = error;
      }
    }
  }
  if (failure !== undefined) throw failure as Error;
  return false;
}
