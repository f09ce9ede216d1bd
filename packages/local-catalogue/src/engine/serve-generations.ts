import { DamagedFile } from './files.ts';
import type { LoadedGeneration } from './index-generations.ts';
import { findMatches, rowsInOrder } from './page.ts';
import { planOf } from './plan.ts';
import { openSegment, withoutDead } from './segment.ts';
import type { Segment } from './segment.ts';

/** Interval of the check for outdated records. Those that would expire before the next check are dropped already. */
const AGE_STEP_SECONDS = 60;

export interface OpenGeneration extends Omit<LoadedGeneration, 'segments'> {
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
  const withoutOld = (loaded: Omit<LoadedGeneration, 'segments'>, segments: readonly Segment[]) => {
    const seenTo = now();
    const fetchedFrom = Math.max(0, Math.floor(seenTo / 1000) + AGE_STEP_SECONDS - maxAgeSeconds + 1);
    return {
      ...loaded,
      segments: segments.map((segment) => withoutDead(segment, fetchedFrom)),
      fetchedFrom,
      seenTo,
    };
  };
  let open: OpenGeneration = withoutOld(first, attach(dir, first, [], now()));
  return {
    current: (): OpenGeneration => {
      // The clock may also be set back.
      const isDue = Math.abs(now() - open.seenTo) >= AGE_STEP_SECONDS * 1000;
      if (isDue && maxAgeSeconds !== Infinity) open = withoutOld(open, open.segments);
      return open;
    },
    swap: (loaded: LoadedGeneration): void => {
      const before = open.segments;
      open = withoutOld(loaded, attach(dir, loaded, before, now()));
      for (const segment of before)
        if (open.segments.every(({ records }) => records !== segment.records)) segment.close();
    },
    close: (): void => {
      for (const segment of open.segments) segment.close();
    },
  };
}

/** Opens the files of a loaded generation, which must answer a search. Those of some segments are open already. */
function attach(
  dir: string,
  { generation, segments, dead }: LoadedGeneration,
  open: readonly Segment[],
  now: number,
): readonly Segment[] {
  const attached: Segment[] = [];
  try {
    for (const facts of generation.segments) {
      const { folder } = facts;
      const data = segments.get(folder);
      const segment = data ? openSegment(dir, facts, data) : open.find((each) => each.folder === folder);
      if (segment === undefined) throw new Error(`the segment ${folder} has not been read`);
      attached.push({ ...segment, dead: dead.get(folder) ?? segment.dead });
    }
    requireAnswer(attached, now);
    return attached;
  } catch (error) {
    for (const segment of attached) if (segments.has(segment.folder)) segment.close();
    throw error;
  }
}

/** Searches as a request does. Some damaged records are no reason to serve nothing. */
function requireAnswer(segments: readonly Segment[], now: number): void {
  const page = rowsInOrder(findMatches(segments, planOf({}, now)), 'new', 0, 1);
  if ([...page].length > 0 && !isAnyReadable(segments)) throw new DamagedFile('every record');
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
