// The order in which a whole catalogue is asked for, within the upstream's window: what is asked next follows from a
// state of plain values, so that a walk goes on wherever it was broken off.

/** What one request asks: how many novels a range of seconds holds, or a page of them. */
export interface WalkQuestion {
  readonly kind: 'count' | 'page';
  /** Unix seconds, both included. */
  readonly min: number;
  readonly max: number;
  /** Only novels of this style; null: of any. */
  readonly style: number | null;
  /** The first row, counted from 1. */
  readonly st: number;
}

/** What a step needs to know of the world. */
export interface WalkFacts {
  /** Unix seconds. */
  readonly now: number;
  /** How many different novels of a range are held already. */
  readonly held: (min: number, max: number) => number;
}

export interface WalkAnswer {
  /** All matches; undefined where the upstream does not say. */
  readonly allCount: number | undefined;
  readonly rows: number;
}

type Bounds = readonly [min: number, max: number];

interface RangeState {
  readonly bounds: Bounds;
  /** Its matches, as counted before it is read. */
  readonly count: number;
  /** Which of `STYLES` is being read, from which row, how many matches its first page told of, and how often. */
  readonly part: number;
  readonly st: number;
  readonly first: number;
  readonly tries: number;
  /** Matches of the styles that were read. */
  readonly styled: number;
}

export interface WalkState {
  /** Whether styles do not matter, and nothing is counted again. */
  readonly isPlain: boolean;
  readonly phase: 'walk' | 'recount' | 'done';
  /** Where the next range begins, and how long it is to be. */
  readonly from: number;
  readonly width: number;
  /** The one under way. */
  readonly range: RangeState | null;
  /** Ranges that were read; while they are counted again, those that are left. */
  readonly ranges: readonly Bounds[];
  /** Novels that the upstream counts and that could not be had. */
  readonly missed: number;
}

/** Rows a request. */
export const PAGE_ROWS = 500;
/** The upstream serves no row beyond: a range with more matches is split. */
export const MOST_MATCHES = 2_000;

/**
 * The styles by which novels can be searched (`buntai`), which no record tells: asking for each by itself is how they
 * are known. What is of none of them is read last, by a question without style.
 */
const STYLES: readonly (number | null)[] = [1, 2, 4, 6, null];

/** Ranges are made as long as would hold about this many. */
const AIMED_MATCHES = 1_500;
const FIRST_WIDTH = 30 * 86_400;
const MOST_GROWTH = 8;
/** The last range reaches beyond the present, for clocks that go ahead of ours. */
const BEYOND_NOW = 86_400;
/** A part of a range whose matches become fewer while it is read is read so often. */
const MOST_TRIES = 3;
/** From here on the upstream's counts may be hours old (manual of novelapi). */
const FIRST_LAGGING_COUNT = 1_000;

/** A walk over everything from an instant (Unix seconds) to the present. */
export function beginWalk({ from = 0, isPlain = false } = {}): WalkState {
  return { isPlain, phase: 'walk', from, width: FIRST_WIDTH, range: null, ranges: [], missed: 0 };
}

/** What begins in the future was begun by a clock that has been put right. */
function nextBounds({ from, width }: WalkState, { now }: WalkFacts): Bounds {
  return [Math.min(from, now), from + width > now ? now + BEYOND_NOW : from + width - 1];
}

/** What is asked next; null when the walk is over. */
export function nextQuestion(state: WalkState, facts: WalkFacts): WalkQuestion | null {
  const { phase, range, ranges } = state;
  if (phase === 'done') return null;
  if (range !== null) {
    const [min, max] = range.bounds;
    return { kind: 'page', min, max, style: STYLES[range.part] ?? null, st: range.st };
  }
  const [min, max] = phase === 'walk' ? nextBounds(state, facts) : (ranges.at(-1) as Bounds);
  return { kind: 'count', min, max, style: null, st: 1 };
}

/** Where the walk stands behind an answer; `facts.held` must know the rows that came with it. */
export function afterAnswer(
  state: WalkState,
  question: WalkQuestion,
  answer: WalkAnswer,
  facts: WalkFacts,
): WalkState {
  const bounds: Bounds = [question.min, question.max];
  const count = answer.allCount ?? 0;
  if (question.kind === 'page') return afterPage(state, question, answer, facts);
  if (state.phase === 'recount') {
    // Read once more where there is more than is held: by its pages, as the first time.
    if (count > facts.held(...bounds)) return openRange(state, bounds, count);
    return closeRecount(state);
  }
  const seconds = bounds[1] - bounds[0] + 1;
  if (count > MOST_MATCHES && seconds > 1) {
    const width = Math.min(Math.floor(seconds / 2), Math.floor((seconds * AIMED_MATCHES) / count));
    return { ...state, width: Math.max(1, width) };
  }
  const growth = count === 0 ? MOST_GROWTH : Math.min(MOST_GROWTH, AIMED_MATCHES / count);
  const wider = { ...state, width: Math.max(1, Math.floor(seconds * growth)) };
  return count === 0 ? closeRange(wider, bounds, facts) : openRange(wider, bounds, count);
}

const NEW_PART = { st: 1, first: 0, tries: 1 } as const;

const openRange = (state: WalkState, bounds: Bounds, count: number): WalkState => ({
  ...state,
  range: { bounds, count, part: state.isPlain ? STYLES.indexOf(null) : 0, ...NEW_PART, styled: 0 },
});

function afterPage(
  state: WalkState,
  question: WalkQuestion,
  { allCount = Infinity, rows }: WalkAnswer,
  facts: WalkFacts,
): WalkState {
  const { range } = state;
  if (range === null) return state;
  const first = question.st === 1 ? allCount : range.first;
  const next = question.st + PAGE_ROWS;
  const isCertain = allCount < FIRST_LAGGING_COUNT;
  const isLastPage = rows < PAGE_ROWS || next > MOST_MATCHES || (isCertain && next > allCount);
  if (!isLastPage) return { ...state, range: { ...range, st: next, first } };
  // A novel that has left between two pages has moved a row behind it to a page that had been read.
  if (question.st > 1 && allCount < first && range.tries < MOST_TRIES) {
    return { ...state, range: { ...range, ...NEW_PART, tries: range.tries + 1 } };
  }
  return afterPart(state, range, Math.min(allCount, question.st - 1 + rows), facts);
}

function afterPart(state: WalkState, range: RangeState, matches: number, facts: WalkFacts): WalkState {
  const part = range.part + 1;
  const styled = range.styled + matches;
  // Not by what is held: that may have left the range since.
  const isRead = part === STYLES.length || (STYLES[part] === null && styled >= range.count);
  if (!isRead) return { ...state, range: { ...range, ...NEW_PART, part, styled } };
  if (state.phase === 'walk') return closeRange(state, range.bounds, facts);
  const missed = Math.max(0, range.count - facts.held(...range.bounds));
  return closeRecount({ ...state, range: null, missed: state.missed + missed });
}

/** The walk itself ends with the range that reaches into the present. */
function closeRange(state: WalkState, bounds: Bounds, { now }: WalkFacts): WalkState {
  const isLast = bounds[1] >= now;
  return {
    ...state,
    phase: isLast ? (state.isPlain ? 'done' : 'recount') : 'walk',
    from: bounds[1] + 1,
    range: null,
    ranges: state.isPlain ? [] : [...state.ranges, bounds],
  };
}

/** The newest first: what has moved there from older ranges meanwhile is then not taken for missing in them. */
function closeRecount(state: WalkState): WalkState {
  const ranges = state.ranges.slice(0, -1);
  return { ...state, phase: ranges.length === 0 ? 'done' : 'recount', ranges };
}
