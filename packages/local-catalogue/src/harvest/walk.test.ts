import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../narou/test/random-questions.ts';
import { japanDateTime } from '@mokuroku/narou';
import type { NovelRecord } from '@mokuroku/narou/source';
import { areBoundsIgnored } from './walk-catalogue.ts';
import { MAX_MATCHES, PAGE_ROWS, beginWalk, decide, nextRequest } from './walk.ts';
import type { WalkAnswer, WalkRequest, WalkState } from './walk.ts';

interface Novel {
  readonly id: number;
  lastup: number;
  readonly length: number;
}

const NOW = 1_795_000_000;
const YEAR = 31_536_000;

/** Realistic novels: more of them are recent. */
function makeNovels(count: number, seed: number, lastupOf?: () => number): Novel[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, id) => ({
    id,
    length: Math.floor(10 ** (random() * 7)),
    lastup: lastupOf?.() ?? NOW - Math.floor(random() ** 3 * 18 * YEAR),
  }));
}

/**
 * Walks to the end and calls `change` between requests; returns the requests and the fetched novels with their last
 * episodes.
 */
function walk(
  novels: Novel[],
  state = beginWalk(),
  change = () => {},
  isRefused: (request: WalkRequest) => boolean = () => false,
) {
  const fetched = new Map<number, number>();
  const requests: (WalkRequest & { matches: number })[] = [];
  const facts = {
    now: NOW,
    novels: novels.length,
    countFetched: (min: number, max: number) =>
      [...fetched.values()].filter((lastup) => lastup >= min && lastup <= max).length,
  };
  let current = state;
  for (;;) {
    // As if stored in a file: an interrupted walk resumes from the stored state.
    current = JSON.parse(JSON.stringify(current)) as WalkState;
    const request = nextRequest(current, facts);
    if (request === null) return { fetched, requests };
    const { kind, min, max, lengths: [shortest, longest] = [0, Infinity], st } = request;
    const matches = novels
      .filter((novel) => novel.lastup >= min && novel.lastup <= max)
      .filter(({ length }) => length >= shortest && length <= longest)
      .sort((a, b) => a.lastup - b.lastup || a.id - b.id);
    requests.push({ ...request, matches: matches.length });
    const isAnswered = !isRefused(request);
    const rows = kind === 'page' && isAnswered ? matches.slice(st - 1, st - 1 + PAGE_ROWS) : [];
    for (const { id, lastup } of rows) fetched.set(id, lastup);
    const answer = isAnswered ? { allCount: matches.length, rows: rows.length } : 'refused';
    const step = decide(current, request, answer, facts);
    expect(step.outcome).toBe('accepted');
    current = step.state;
    change();
  }
}

describe('a walk', () => {
  it.each([0, 1, 40, 12_000])('fetches each of %d novels once, in ranges of at most 2,000', (count) => {
    const novels = makeNovels(count, count);
    const { fetched, requests } = walk(novels);
    expect(fetched.size).toBe(count);
    const pages = requests.filter(({ kind }) => kind === 'page');
    for (const { st, matches } of pages) {
      expect(st).toBeLessThanOrEqual(MAX_MATCHES);
      if (st > 1) expect(matches).toBeLessThanOrEqual(MAX_MATCHES);
    }
    // A range is counted twice and its last page is not full; no request is repeated, and few are useless.
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(pages.length);
    expect(requests.length).toBeLessThan(60 + (count / PAGE_ROWS) * 2.2);
  });

  it('fetches each novel if thousands share a second, also the present one', () => {
    for (const second of [NOW - 9 * YEAR, NOW]) {
      const scheduled = makeNovels(7_000, 3, () => second);
      const novels = [...scheduled, ...makeNovels(3_000, 4)].map((novel, id) => ({ ...novel, id }));
      const { fetched, requests } = walk(novels);
      expect(fetched.size).toBe(10_000);
      for (const { st, matches } of requests) if (st > 1) expect(matches).toBeLessThanOrEqual(MAX_MATCHES);
    }
  });

  it('fetches the other lengths of such a second if the upstream refuses some', () => {
    const novels = makeNovels(7_000, 3, () => NOW - YEAR);
    let refused: WalkRequest | undefined;
    const { fetched } = walk(novels, beginWalk(), undefined, (request) => {
      if (request.lengths === undefined || refused !== undefined) return false;
      refused = request;
      return true;
    });
    const [shortest = 0, longest = 0] = refused?.lengths ?? [];
    const others = novels.filter(({ length }) => length < shortest || length > longest);
    expect(others.length).toBeGreaterThan(2_000);
    expect(others.filter(({ id }) => !fetched.has(id))).toEqual([]);
  });

  it('ends where thousands share a second and a length', () => {
    const novels = makeNovels(3_000, 3, () => NOW - YEAR).map((novel) => ({ ...novel, length: 0 }));
    expect(walk(novels).fetched.size).toBe(2_000);
  });

  it.each(Array.from({ length: 16 }, (_, seed) => seed))(
    'misses no novel that gets an episode meanwhile (%d)',
    (seed) => {
      const random = seededRandom(seed * 77);
      const novels = makeNovels(6_000, seed);
      let time = NOW;
      const { fetched } = walk(novels, beginWalk(), () => {
        for (let changes = Math.floor(random() * 12); changes > 0; changes--) {
          const novel = novels[Math.floor(random() * novels.length)];
          if (novel) novel.lastup = ++time;
        }
      });
      // Novels that moved behind the last request are left for the next walk; all were fetched before.
      expect(novels.filter(({ id }) => !fetched.has(id))).toEqual([]);
    },
  );

  it('without recounts counts no range twice', () => {
    const novels = makeNovels(3_000, 3);
    const { fetched, requests } = walk(novels, beginWalk({ from: NOW - YEAR, skipsRecount: true }));
    expect(fetched.size).toBe(novels.filter(({ lastup }) => lastup >= NOW - YEAR).length);
    const counted = requests.filter(({ kind }) => kind === 'count').map(({ min, max }) => `${min}-${max}`);
    expect(new Set(counted).size).toBe(counted.length);
  });

  it('from a time in the future, after a corrected clock, requests no range that ends before it begins', () => {
    const state = beginWalk({ from: NOW + 300 * 86_400, skipsRecount: true });
    const { requests } = walk(makeNovels(40, 1), state);
    expect(requests.map(({ min, max }) => [min, max])).toEqual([[NOW, NOW + 86_400]]);
  });

  /** The first rows of the requested pages of one range with this upstream. */
  function pagesOf(answerTo: (st: number) => WalkAnswer): number[] {
    const facts = { now: NOW, novels: 0, countFetched: () => Infinity };
    const pages: number[] = [];
    let state = beginWalk({ from: NOW, skipsRecount: true });
    for (;;) {
      const request = nextRequest(state, facts);
      if (request === null) return pages;
      if (request.kind === 'page') pages.push(request.st);
      state = decide(state, request, answerTo(request.st), facts).state;
    }
  }

  it.each([
    [999, [1, 501]],
    [1_000, [1, 501, 1_001]],
  ])(
    'requests a page beyond a count of %d, since only counts below a thousand are exact: from %j',
    (allCount, wanted) => {
      // No page lacks a row.
      expect(pagesOf(() => ({ allCount, rows: PAGE_ROWS })).slice(0, 3)).toEqual(wanted);
    },
  );

  it('reads a range three times at most while its novels decrease from page to page', () => {
    const pages = pagesOf((st) => ({ allCount: st === 1 ? 800 : 799, rows: st === 1 ? PAGE_ROWS : 299 }));
    expect(pages).toEqual([1, 501, 1, 501, 1, 501]);
  });

  it('requests a range eight times as long after an empty one', () => {
    const facts = { now: NOW, novels: 0, countFetched: () => 0 };
    const first = beginWalk({ skipsRecount: true });
    const request = nextRequest(first, facts)!;
    const second = nextRequest(decide(first, request, { allCount: 0, rows: 0 }, facts).state, facts)!;
    expect(second.min).toBe(request.max + 1);
    expect(second.max - second.min + 1).toBe(8 * (request.max - request.min + 1));
  });
});

describe('a walk whose upstream', () => {
  const NOTHING = { now: NOW, novels: 10, countFetched: () => 0 };

  /** Decides until the walk ends, with the same response to every request. */
  function stepsWith(responseTo: (request: WalkRequest) => WalkAnswer | 'refused', state = beginWalk()) {
    const outcomes: string[] = [];
    const lost: number[] = [];
    for (;;) {
      const request = nextRequest(state, NOTHING);
      if (request === null) return { outcomes, lost, state };
      const step = decide(state, request, responseTo(request), NOTHING);
      outcomes.push(step.outcome);
      if (step.outcome === 'lost') lost.push(request.min);
      if (step.outcome === 'faulty' || step.outcome === 'endless')
        return { outcomes, lost, state: step.state };
      state = step.state;
    }
  }

  it('has more novels in every second than can be read ends after 100 and a tenth of its novels', () => {
    const { outcomes } = stepsWith(() => ({ allCount: 2_001, rows: PAGE_ROWS }));
    expect([outcomes.length, outcomes.at(-1)]).toEqual([101, 'endless']);
  });

  it('has many or few novels in a range has a next one of a second at least, of eight times as many at most', () => {
    const widthAfter = (allCount: number, width: number) => {
      const state = { ...beginWalk({ from: NOW - YEAR }), width };
      const answer = { allCount, rows: Math.min(allCount, PAGE_ROWS) };
      return decide(state, nextRequest(state, NOTHING)!, answer, NOTHING).state.width;
    };
    expect([widthAfter(1_000_000, 2), widthAfter(1, 100)]).toEqual([1, 800]);
  });

  it('ends with the last response that it may have, and is complete', () => {
    const last = { ...beginWalk({ from: NOW, skipsRecount: true }), answered: 100 };
    const { outcomes, state } = stepsWith(() => ({ allCount: 0, rows: 0 }), last);
    expect([outcomes, state.phase]).toEqual([['accepted'], 'done']);
  });

  it('lacks a row of a count that may be outdated is counted by halves until counts are exact', () => {
    const state = { ...beginWalk(), phase: 'recount', ranges: [[0, 4_095]] } as const;
    // One novel in 2 seconds; that of second 1,000 comes on no page.
    const matches = (min: number, max: number) => Math.floor((max - min + 1) / 2);
    const facts = {
      now: NOW,
      novels: 2_048,
      countFetched: (min: number, max: number) => matches(min, max) - (min <= 1_000 && max >= 1_000 ? 1 : 0),
    };
    const pages = new Set<string>();
    let current: WalkState = state;
    for (let request = nextRequest(current, facts); request; request = nextRequest(current, facts)) {
      const { kind, min, max, st } = request;
      const allCount = matches(min, max);
      if (kind === 'page') pages.add(`${min}-${max}`);
      const rows = kind === 'page' ? Math.min(PAGE_ROWS, allCount - st + 1) : 0;
      current = decide(current, request, { allCount, rows }, facts).state;
    }
    expect([...pages]).toEqual(['0-4095', '0-2047', '0-1023']);
  });

  it('refuses one second loses it, and no other', () => {
    const second = NOW - YEAR;
    const { outcomes, lost, state } = stepsWith(({ min, max }) =>
      min <= second && second <= max ? 'refused' : { allCount: 0, rows: 0 },
    );
    expect([lost, state.phase]).toEqual([[second], 'done']);
    expect(outcomes.filter((outcome) => outcome !== 'accepted')).toEqual(['lost']);
  });

  it('refuses more than thirty requests in a row, or one without a recount, is faulty', () => {
    const { outcomes } = stepsWith(() => 'refused');
    expect([outcomes.length, outcomes.at(-1)]).toEqual([31, 'faulty']);
    const state = beginWalk({ from: NOW, skipsRecount: true });
    expect(stepsWith(() => 'refused', state)).toEqual({ outcomes: ['faulty'], lost: [], state });
  });
});

describe('rows outside the bounds of their request', () => {
  const BOUNDS = { kind: 'page', min: 1_000, max: 2_000, st: 1 } as const;
  /** So many rows of a time (Unix seconds). */
  const rows = (count: number, seconds: number): NovelRecord[] =>
    Array.from({ length: count }, () => ({
      ncode: 'N0001A',
      general_lastup: japanDateTime(seconds * 1_000),
    }));

  it.each<[string, NovelRecord[], boolean]>([
    ['a page of later times', rows(3, 2_001), true],
    ['a page of earlier times', rows(3, 999), true],
    ['a page with one right time', [...rows(3, 2_001), ...rows(1, 2_000)], false],
    ['an empty page', [], false],
  ])('show ignored bounds only if no row is within them: %s', (_, items, isIgnored) => {
    expect(areBoundsIgnored(items, BOUNDS, 'lastup')).toBe(isIgnored);
  });
});
