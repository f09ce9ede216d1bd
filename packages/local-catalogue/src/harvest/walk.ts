// The order of the requests for a whole catalogue, within the upstream's window. The next request follows from a state
// of plain values, so that an interrupted walk can resume.

import { FIRST_LAGGING_COUNT } from '@mokuroku/narou';

/** One request: the number of novels in a range of seconds, or a page of them. */
export interface WalkRequest {
  readonly kind: 'count' | 'page';
  /** Unix seconds, both included. */
  readonly min: number;
  readonly max: number;
  /** Characters, both included; undefined: any length. */
  readonly lengths?: Bounds | undefined;
  /** The first row, from 1. */
  readonly st: number;
}

export interface WalkFacts {
  /** Unix seconds. */
  readonly now: number;
  readonly novels: number;
  /** Number of different novels of a range that have been fetched, those of the last response included. */
  readonly countFetched: (min: number, max: number) => number;
}

export interface WalkAnswer {
  /** All matches; undefined if the upstream does not state them. */
  readonly allCount: number | undefined;
  readonly rows: number;
}

type Bounds = readonly [min: number, max: number];

interface RangeReading {
  readonly bounds: Bounds;
  readonly st: number;
  /** Number of matches according to its first page. */
  readonly first: number;
  /** Number of passes over its pages. */
  readonly tries: number;
}

export interface WalkState {
  /** Whether ranges are not counted again. */
  readonly skipsRecount: boolean;
  readonly phase: 'walk' | 'recount' | 'done';
  /** Start and length of the next range. */
  readonly from: number;
  readonly width: number;
  /** If a single second has too many matches: the lengths of novels that remain, the next ones last. */
  readonly lengths: readonly Bounds[];
  readonly reading?: RangeReading | undefined;
  /** Ranges that were read; while they are counted again, the remaining ones. */
  readonly ranges: readonly Bounds[];
  readonly answered: number;
  readonly refusals: number;
}

export const PAGE_ROWS = 500;
/** The upstream serves no row beyond this: a range with more matches is split, a second by the length of its novels. */
export const MAX_MATCHES = 2_000;
const ALL_LENGTHS: Bounds = [0, 2 ** 30];

const AIMED_MATCHES = 1_500;
const FIRST_WIDTH = 30 * 86_400;
const MAX_GROWTH = 8;
/** The last range extends beyond the present, for clocks that are ahead of ours. */
const BEYOND_NOW = 86_400;
/** Maximum number of reads of a range whose matches decrease while its pages are read. */
const MAX_TRIES = 3;

/**
 * Maximum responses of a walk: fifty for each page of 500 novels, and 100 for empty ranges. Without this
 * maximum, upstream counts that contradict the rows would make a walk endless.
 */
const maxAnswers = (novels: number): number => 100 + Math.ceil(novels / 10);

/** A walk over everything from an instant (Unix seconds) to the present. */
export function beginWalk({ from = 0, skipsRecount = false } = {}): WalkState {
  return {
    skipsRecount,
    phase: 'walk',
    from,
    width: FIRST_WIDTH,
    lengths: [],
    ranges: [],
    answered: 0,
    refusals: 0,
  };
}

/** The next range. A start in the future comes from a clock that has been corrected since. */
function nextBounds({ from, width }: WalkState, { now }: WalkFacts): Bounds {
  return [Math.min(from, now), from + width > now ? now + BEYOND_NOW : from + width - 1];
}

export function nextRequest(state: WalkState, facts: WalkFacts): WalkRequest | null {
  const { phase, reading, ranges } = state;
  const lengths = state.lengths.at(-1);
  if (phase === 'done') return null;
  if (reading !== undefined) {
    const [min, max] = reading.bounds;
    return { kind: 'page', min, max, lengths, st: reading.st };
  }
  // The first page of a range contains its count; while ranges are counted again, most need no page.
  const [min, max] = phase === 'walk' ? nextBounds(state, facts) : (ranges.at(-1) as Bounds);
  return { kind: phase === 'walk' ? 'page' : 'count', min, max, lengths, st: 1 };
}

/** After more consecutive refusals the upstream is faulty, not a range. Halving a month down to a second takes 22. */
const MAX_REFUSALS = 30;

export interface WalkStep {
  readonly state: WalkState;
  /**
   * `lost`: a second is given up, because the upstream refuses it; `faulty`: it refuses too many requests in a row;
   * `endless`: it has sent too many responses.
   */
  readonly outcome: 'accepted' | 'lost' | 'faulty' | 'endless';
}

export function decide(
  state: WalkState,
  request: WalkRequest,
  response: WalkAnswer | 'refused',
  facts: WalkFacts,
): WalkStep {
  const step =
    response === 'refused'
      ? afterRefusal(state, request, facts)
      : ({
          state: { ...nextState(state, request, response, facts), refusals: 0 },
          outcome: 'accepted',
        } as const);
  if (step.outcome === 'faulty') return step;
  const answered = state.answered + 1;
  if (step.state.phase !== 'done' && answered >= maxAnswers(facts.novels))
    return { ...step, outcome: 'endless' };
  return { ...step, state: { ...step.state, answered } };
}

/** The recount requests a refused range again, and halves it until only the refused second remains. */
function afterRefusal(state: WalkState, request: WalkRequest, facts: WalkFacts): WalkStep {
  const { phase, skipsRecount } = state;
  if (skipsRecount || state.refusals >= MAX_REFUSALS) return { state, outcome: 'faulty' };
  const refused = { ...state, refusals: state.refusals + 1, reading: undefined };
  const bounds: Bounds = [request.min, request.max];
  if (phase === 'walk') return { state: closeRange(refused, bounds, facts), outcome: 'accepted' };
  if (request.min === request.max) return { state: closeRecount(refused), outcome: 'lost' };
  return { state: halveRecount(refused, bounds), outcome: 'accepted' };
}

function nextState(state: WalkState, request: WalkRequest, answer: WalkAnswer, facts: WalkFacts): WalkState {
  const bounds: Bounds = [request.min, request.max];
  const { allCount: count = Infinity } = answer;
  if (state.reading !== undefined) return afterPage(state, state.reading, request, answer, facts);
  if (state.phase === 'recount') {
    // If novels are missing, all pages are read once more.
    if (count > facts.countFetched(...bounds)) return { ...state, reading: beginReading(bounds) };
    return closeRecount(state);
  }
  const seconds = Math.min(bounds[1], facts.now) - bounds[0] + 1;
  if (count > MAX_MATCHES && seconds > 1) {
    const width = Math.min(Math.floor(seconds / 2), Math.floor((seconds * AIMED_MATCHES) / count));
    return { ...state, width: Math.max(1, width) };
  }
  const [shortest, longest] = request.lengths ?? ALL_LENGTHS;
  if (count > MAX_MATCHES && shortest < longest) {
    // The geometric mean: most novels are short.
    const middle = Math.min(longest - 1, Math.floor(Math.sqrt((shortest + 1) * longest)));
    const halves: Bounds[] = [
      [middle + 1, longest],
      [shortest, middle],
    ];
    return { ...state, width: 1, lengths: [...state.lengths.slice(0, -1), ...halves] };
  }
  const growth = count === 0 ? MAX_GROWTH : Math.min(MAX_GROWTH, AIMED_MATCHES / count);
  const wider = { ...state, width: Math.max(1, Math.floor(seconds * growth)) };
  if (count === 0) return closeRange(wider, bounds, facts);
  return afterPage(wider, beginReading(bounds), request, answer, facts);
}

const beginReading = (bounds: Bounds): RangeReading => ({ bounds, st: 1, first: 0, tries: 1 });

function afterPage(
  state: WalkState,
  reading: RangeReading,
  request: WalkRequest,
  { allCount = Infinity, rows }: WalkAnswer,
  facts: WalkFacts,
): WalkState {
  const first = request.st === 1 ? allCount : reading.first;
  const next = request.st + PAGE_ROWS;
  const isCertain = allCount < FIRST_LAGGING_COUNT;
  const isLastPage = rows < PAGE_ROWS || next > MAX_MATCHES || (isCertain && next > allCount);
  if (!isLastPage) return { ...state, reading: { ...reading, st: next, first } };
  // When a novel leaves between two pages, a later row moves to a page that was already read.
  if (allCount < first && reading.tries < MAX_TRIES) {
    return { ...state, reading: { ...reading, st: 1, first: 0, tries: reading.tries + 1 } };
  }
  const { bounds } = reading;
  if (state.phase === 'walk') return closeRange(state, bounds, facts);
  const recounted = { ...state, reading: undefined };
  // Smaller counts are exact: if a page of a half lacks a row, the row was refused.
  const isShort = !isCertain && Number.isFinite(allCount) && allCount > facts.countFetched(...bounds);
  return isShort && bounds[0] < bounds[1] ? halveRecount(recounted, bounds) : closeRecount(recounted);
}

/** The walk ends with the range that includes the present. */
function closeRange(state: WalkState, bounds: Bounds, { now }: WalkFacts): WalkState {
  const lengths = state.lengths.slice(0, -1);
  if (lengths.length > 0) return { ...state, lengths, reading: undefined };
  const isLast = bounds[1] >= now;
  return {
    ...state,
    phase: isLast ? (state.skipsRecount ? 'done' : 'recount') : 'walk',
    from: bounds[1] + 1,
    lengths,
    reading: undefined,
    ranges: state.skipsRecount ? [] : [...state.ranges, bounds],
  };
}

function halveRecount(state: WalkState, [min, max]: Bounds): WalkState {
  const middle = Math.floor((min + max) / 2);
  const ranges: Bounds[] = [...state.ranges.slice(0, -1), [min, middle], [middle + 1, max]];
  return { ...state, ranges };
}

/** Newest range first: a novel that moved into it is fetched again, and no longer counts in its old range. */
function closeRecount(state: WalkState): WalkState {
  const ranges = state.ranges.slice(0, -1);
  return { ...state, phase: ranges.length === 0 ? 'done' : 'recount', ranges };
}
