import { describe, expect, it } from 'vitest';
import { japan } from '../../../narou/test/upstream-under-test.ts';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import { ncodeToNumber } from '@mokuroku/narou';
import { recordsToFetch } from './follow-round.ts';
import type { Task } from './harvest-journal.ts';
import type { Site } from './harvested-novel.ts';
import { NOT_FAILED, afterFailure, nextStep } from './next-step.ts';
import type { FollowFacts, Following } from './next-step.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A Monday noon; the round of a day begins at seven. */
const NOON = japan('2013-06-10T12:00:00') / 1_000;
const BOTH: readonly Site[] = ['novels', 'adult'];
const WALK: Task = { kind: 'walk', site: 'novels' };
const ROUND: Task = { kind: 'round', site: 'novels' };

/** The next step of a followed catalogue whose changes were requested a minute ago. */
const stepWith = (
  of: Partial<FollowFacts> & { indexed?: readonly Site[]; following?: Following } = {},
  { indexed = ['novels'], following = NOT_FAILED, now = NOON, ...facts } = of,
) =>
  nextStep(following, {
    now,
    elapsed: 0,
    sites: ['novels'],
    hasIndex: (site) => indexed.includes(site),
    task: undefined,
    follow: { changes: { novels: now - 60, adult: now - 60 }, round: NOON - HOUR },
    ...facts,
  });

describe('the next step of following', () => {
  it.each<[string, Parameters<typeof stepWith>[0], ReturnType<typeof stepWith>]>([
    ['waits until changes are due, ten minutes after the last', {}, { kind: 'idle', seconds: 540 }],
    [
      'requests changes of every site with an index before a task',
      { sites: BOTH, task: ROUND, follow: { changes: { novels: NOON - 600 }, round: NOON } },
      { kind: 'changes', sites: ['novels'] },
    ],
    [
      'requests changes at once if the clock was set back',
      { task: ROUND, follow: { changes: { novels: NOON + DAY }, round: NOON } },
      { kind: 'changes', sites: ['novels'] },
    ],
    [
      'counts ten minutes also from a request that failed',
      {
        follow: { changes: { novels: NOON - HOUR }, round: NOON },
        following: { ...NOT_FAILED, changesRequestedAt: NOON - 599 },
      },
      { kind: 'idle', seconds: 1 },
    ],
    ['continues its task', { task: ROUND }, { kind: 'task', task: ROUND }],
    ['continues a walk without an index', { indexed: [], task: WALK }, { kind: 'task', task: WALK }],
    [
      'requests no changes while no site has an index',
      { indexed: [], task: WALK, follow: { changes: {}, round: NOON } },
      { kind: 'task', task: WALK },
    ],
    [
      'walks again if the index of its task is gone',
      { indexed: [], task: ROUND },
      { kind: 'begin', tasks: [WALK, { kind: 'rankings' }] },
    ],
    [
      'walks a new site, although the other is followed',
      { sites: BOTH, task: undefined },
      { kind: 'begin', tasks: [{ kind: 'walk', site: 'adult' }, { kind: 'rankings' }] },
    ],
    [
      'waits for the pause of a failed walk, of seconds that no clock sets back',
      {
        indexed: [],
        now: NOON - 30 * DAY,
        elapsed: 100,
        following: { ...NOT_FAILED, walks: { novels: { times: 1, nextAt: 700 } } },
      },
      { kind: 'idle', seconds: 600 },
    ],
    [
      'walks after that pause',
      {
        indexed: [],
        elapsed: 700,
        following: { ...NOT_FAILED, walks: { novels: { times: 1, nextAt: 700 } } },
      },
      { kind: 'begin', tasks: [WALK, { kind: 'rankings' }] },
    ],
    [
      'begins the round of an index that another harvest built',
      { follow: { changes: {}, round: 0 } },
      {
        kind: 'begin',
        tasks: [ROUND, { kind: 'rankings' }],
      },
    ],
    [
      'waits a second at a time while the clock stands at its beginning, in 1970',
      { now: 60, follow: { changes: { novels: NOON }, round: 0 } },
      { kind: 'idle', seconds: 1 },
    ],
  ])('%s', (_, of, step) => {
    expect(stepWith(of)).toEqual(step);
  });

  it('begins a round of both sites at seven, once a day', () => {
    const before = japan('2013-06-11T06:59:59') / 1_000;
    expect(stepWith({ now: before }).kind).toBe('idle');
    const step = stepWith({ now: before + 1, sites: BOTH, indexed: BOTH });
    const kinds = step.kind === 'begin' ? step.tasks.map(({ kind }) => kind) : [];
    expect(kinds).toEqual(['round', 'round', 'rankings']);
    const follow = { changes: { novels: before }, round: before + 1 };
    expect(stepWith({ now: before + 2, follow }).kind).toBe('idle');
  });
});

describe('a task that fails', () => {
  const UPSTREAM = { isUpstream: true, isIncomplete: false, elapsed: 0 };
  const fail = (following: Following, task: Task = ROUND, of = {}) =>
    afterFailure(following, task, { ...UPSTREAM, ...of });

  it('is retried after its first failure, and skipped after the second if others succeeded in between', () => {
    const first = fail({ ...NOT_FAILED, haveOthersSucceeded: true });
    expect(first.kind).toBe('retried');
    expect(fail(first.following).kind).toBe('retried');
    const others = { ...first.following, haveOthersSucceeded: true };
    const second = fail(others);
    expect([second.kind, second.pauseSeconds]).toEqual(['skipped', undefined]);
    expect(fail(others, { kind: 'rankings' }).kind).toBe('retried');
    // An error of this machine is none of the upstream.
    expect(fail(others, ROUND, { isUpstream: false }).kind).toBe('retried');
  });

  it('restarts, if it is a walk that contradicts itself, after pauses that grow to a day', () => {
    const pauses: unknown[] = [];
    let following = NOT_FAILED;
    for (let elapsed = 0; pauses.length < 10;) {
      const failed = fail(following, WALK, { isUpstream: false, isIncomplete: true, elapsed });
      following = failed.following;
      pauses.push(failed.pauseSeconds);
      elapsed += failed.pauseSeconds ?? 0;
      expect(following.walks.novels).toEqual({ times: pauses.length, nextAt: elapsed });
    }
    expect(pauses).toEqual([600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800, 86_400, 86_400]);
  });
});

describe('whole records', () => {
  const keyOf = (index: number) => ncodeToNumber(`N${1_000 + index}A`);
  const known = (count: number, fetchedAt: number) =>
    new Map(
      Array.from({ length: count }, (_, index) => [
        keyOf(index),
        { firstup: 0, lastup: 1, lastupdate: 1, genre: 1, fetchedAt },
      ]),
    );
  const ALL_SEEN = { has: () => true };

  it('are fetched again before they are fourteen days old, a fourteenth each day', () => {
    const knownNovels = known(140, NOON);
    const perDay: number[] = [];
    for (let day = 1; day <= 40; day++) {
      const began = NOON + day * DAY;
      const { ncodes, missing } = recordsToFetch({
        knownNovels,
        seen: ALL_SEEN,
        changed: [],
        began,
        now: began + 60,
      });
      expect(missing.size).toBe(0);
      perDay.push(ncodes.size);
      for (const ncode of ncodes)
        knownNovels.set(ncodeToNumber(ncode), {
          firstup: 0,
          lastup: 1,
          lastupdate: 1,
          genre: 1,
          fetchedAt: began + 60,
        });
      const oldest = Math.min(...[...knownNovels.values()].map(({ fetchedAt }) => fetchedAt));
      expect(began + DAY - oldest).toBeLessThan(MAX_AGE_SECONDS);
    }
    expect(perDay.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 10));
  });

  it('are fetched all if they are close to their expiry, or of a time in the future', () => {
    const facts = { seen: ALL_SEEN, changed: [], began: NOON, now: NOON + 60 };
    for (const fetchedAt of [NOON - 12.5 * DAY, NOON + DAY]) {
      const knownNovels = known(40, fetchedAt);
      expect(recordsToFetch({ ...facts, knownNovels }).ncodes.size).toBe(40);
    }
    const young = known(40, NOON - 12 * DAY);
    expect(recordsToFetch({ ...facts, knownNovels: young }).ncodes.size).toBe(3);
    const oldLast = new Map([...young, [keyOf(50), [...known(1, NOON - 13 * DAY).values()][0]!]]);
    expect(recordsToFetch({ ...facts, knownNovels: oldLast }).ncodes).toContain('N1050A');
  });

  it('are fetched of changed and of missing novels, which count in the fourteenth, and not twice in a round', () => {
    const knownNovels = known(56, NOON - DAY);
    const seen = new Set([...knownNovels.keys()].slice(1));
    const facts = { knownNovels, seen, began: NOON, now: NOON + 60 };
    const missing = new Set(['N1000A']);
    const ncodes = new Set(['N1007A', 'N1000A', 'N1001A', 'N1002A']);
    expect(recordsToFetch({ ...facts, changed: ['N1007A'] })).toEqual({ missing, ncodes });
    for (const ncode of ncodes)
      knownNovels.set(ncodeToNumber(ncode), {
        firstup: 0,
        lastup: 1,
        lastupdate: 1,
        genre: 1,
        fetchedAt: NOON + 30,
      });
    expect(recordsToFetch({ ...facts, changed: [] })).toEqual({ missing: new Set(), ncodes: new Set() });
  });
});
