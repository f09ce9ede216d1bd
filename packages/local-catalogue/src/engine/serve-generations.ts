import { DamagedFile } from './files.ts';
import type { LoadedGeneration } from './index-generations.ts';
import { idsByKey } from './find-hits.ts';
import { openSegment, withoutDead } from './segment.ts';
import type { OpenSegment, ReplacedSegment, Segment } from './segment.ts';

/** Interval of the check for outdated records. Those that would expire before the next check are dropped already. */
const AGE_STEP_SECONDS = 60;

export interface OpenGeneration extends Omit<LoadedGeneration, 'segments'> {
  readonly segments: readonly Segment[];
  /** Records fetched before this time (Unix seconds) are dropped, as of `seenTo` (milliseconds). */
  readonly fetchedFrom: number;
  readonly seenTo: number;
}

/** `now`: milliseconds UTC. */
function withoutOld(
  loaded: Omit<LoadedGeneration, 'segments'>,
  segments: readonly ReplacedSegment[],
  now: number,
  maxAgeSeconds: number,
): OpenGeneration {
  const fetchedFrom = Math.max(0, Math.floor(now / 1000) + AGE_STEP_SECONDS - maxAgeSeconds + 1);
  return {
    ...loaded,
    segments: segments.map((segment) => withoutDead(segment, fetchedFrom)),
    fetchedFrom,
    seenTo: now,
  };
}

/** A segment with the ids whose Ncodes later segments have. */
function withReplaced(segment: OpenSegment, later: readonly OpenSegment[]): ReplacedSegment {
  const ids = later.flatMap(({ columns }) => [...idsByKey(segment, 'ncode', columns.ncode)]);
  return { ...segment, dead: Uint32Array.from(ids) };
}

/** The open generation, without outdated records. */
export function serveGenerations(
  dir: string,
  first: LoadedGeneration,
  now: () => number,
  maxAgeSeconds: number,
) {
  /** Opens the files of a generation. Segments without data are open already. */
  const attach = (loaded: LoadedGeneration, before: readonly Segment[]): OpenGeneration => {
    const opened: OpenSegment[] = [];
    try {
      const segments = loaded.generation.segments.map((facts): OpenSegment => {
        const data = loaded.segments.get(facts.folder);
        if (data === undefined) return before.find(({ folder }) => folder === facts.folder) as Segment;
        opened.push(openSegment(dir, facts, data));
        return opened.at(-1) as OpenSegment;
      });
      // Some damaged records are no reason to serve nothing.
      if (segments.some(({ size }) => size > 0) && !isAnyReadable(segments))
        throw new DamagedFile('every record');
      const replaced = segments.map((segment, at) => withReplaced(segment, segments.slice(at + 1)));
      return withoutOld(loaded, replaced, now(), maxAgeSeconds);
    } catch (error) {
      for (const segment of opened) segment.close();
      throw error;
    }
  };
  let open = attach(first, []);
  return {
    current: (): OpenGeneration => {
      // The clock may also be set back.
      const isDue = Math.abs(now() - open.seenTo) >= AGE_STEP_SECONDS * 1000;
      if (isDue) open = withoutOld(open, open.segments, now(), maxAgeSeconds);
      return open;
    },
    swap: (loaded: LoadedGeneration): void => {
      const before = open.segments;
      open = attach(loaded, before);
      for (const segment of before)
        if (open.segments.every(({ records }) => records !== segment.records)) segment.close();
    },
    close: (): void => {
      for (const segment of open.segments) segment.close();
    },
  };
}

/** Number of records in the sample. */
const TRIED_RECORDS = 16;

/** Whether any of a sample of records is undamaged. Throws if none can be read at present. */
export function isAnyReadable(segments: readonly OpenSegment[]): boolean {
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
