import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { ChangeEvent, CatalogueNovel, NovelChange } from '@mokuroku/narou/scan';
import { CHANGE_KINDS } from '@mokuroku/narou';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { changesSince, eventsOf, formatEvents, loadEvents } from '@mokuroku/narou/scan';

const DAY = 86_400;
const HOUR = 3_600;
const NOW = Date.UTC(2026, 10, 21) / 1000;
const EVENTS = 24;
const GENRES = [101, 102, 201, 9901];
const ncodeOf = (index: number): string => `N000${index % 5}TA`;

/** Some novels have no known author, others no known genre. */
function authored(ncode: string, index: number): CatalogueNovel {
  const { userid, genre, ...novel } = plainNovel({ ncode, userid: index % 4, genre: GENRES[index % 5] ?? 0 });
  return { ...novel, ...(userid !== 3 && { userid }), ...(index % 5 !== 4 && { genre }) };
}

/** Events of four generations, an hour apart: the oldest is as old as events may be. */
const LOG = { id: 'abcdef01', dropped: [1, 0] } as const;
const events = [1, 2, 3, 4].flatMap((number) => {
  const changed = Array.from({ length: EVENTS / 4 }, (_, at): NovelChange => {
    const index = number * 6 + at;
    return {
      kind: CHANGE_KINDS[index % CHANGE_KINDS.length] ?? 'new',
      novel: authored(ncodeOf(index), index),
      ...(index % 7 === 2 && { before: { userid: 3 + (index % 2), writer: '以前の名' } }),
    };
  });
  return eventsOf(changed, LOG.id, number, NOW - 14 * DAY + (number - 1) * HOUR);
});
const changes = loadEvents(LOG, formatEvents(events));
const since = (query: Partial<Parameters<typeof changesSince>[1]>, now = NOW) =>
  changesSince(changes, { lim: 500, ...query }, now * 1000);

it('the newest events are followed by what comes after them, whether their page is full or not', () => {
  const { next } = since({ since: 'now' });
  for (const lim of [1, EVENTS - 1, 500]) {
    const newest = since({ isNewestFirst: true, lim });
    expect([newest.next, newest.lines[0]]).toEqual([next, since({}).lines.at(-1)]);
    expect(since({ since: newest.next }).lines).toEqual([]);
  }
});

const some = <Value>(values: readonly Value[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const filters = fc.record(
  {
    kind: some(CHANGE_KINDS),
    ncode: some([...Array(6).keys()].map(ncodeOf)),
    userid: some([0, 1, 2, 3, 4, 5, 0xffff_ffff]),
    genre: some([...GENRES, 0, 7, 0xffff]),
    notgenre: some([...GENRES, 0, 7]),
    biggenre: some([0, 1, 2, 99, 7, 655]),
    notbiggenre: some([1, 2, 99, 7]),
  },
  { requiredKeys: [] },
);
type Filters = typeof filters extends fc.Arbitrary<infer Value> ? Value : never;

function isWanted(event: ChangeEvent, filter: Filters): boolean {
  const { kind, ncode, userid, genre, before } = event;
  const big = genre === undefined ? undefined : Math.floor(genre / 100);
  const users: unknown[] = [userid, before.userid ?? userid];
  // An unknown genre matches no condition.
  const isIn = (list: readonly number[] | undefined, code: number | undefined, isWanted: boolean) =>
    list === undefined || (code !== undefined && list.includes(code) === isWanted);
  return (
    (filter.kind?.includes(kind) ?? true) &&
    (filter.ncode?.includes(ncode) ?? true) &&
    (filter.userid?.some((user) => users.includes(user)) ?? true) &&
    isIn(filter.genre, genre, true) &&
    isIn(filter.notgenre, genre, false) &&
    isIn(filter.biggenre, big, true) &&
    isIn(filter.notbiggenre, big, false)
  );
}

describe('changes', () => {
  it('of pages of any size are those that match all filters, each once and in order', () => {
    fc.assert(
      fc.property(filters, fc.integer({ min: 1, max: 9 }), (filter, lim) => {
        const wanted = events.filter((event) => isWanted(event, filter));
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let left = wanted.length; ;) {
          const page = since({ ...filter, lim, since: cursor });
          expect(page.total).toBe(left);
          expect(page.lines).toHaveLength(Math.min(left, lim));
          seen.push(...page.lines);
          left -= page.lines.length;
          cursor = page.next;
          if (left === 0) break;
        }
        expect(seen).toEqual(wanted.map((event) => JSON.stringify(event)));
      }),
      // Most filters together match nothing.
      { numRuns: 2_000 },
    );
  });

  it('begin after any cursor; that of the last page has seen all events, also those that no filter wants', () => {
    for (const [index, { cursor }] of events.entries()) {
      expect(since({ since: cursor }).lines).toHaveLength(EVENTS - index - 1);
    }
    expect(since({ ncode: ['N9999TA'] })).toEqual({ lines: [], total: 0, next: events.at(-1)?.cursor });
  });

  it('of a full page continue behind its last event', () => {
    expect(since({ lim: 2 }).next).toBe(events[1]?.cursor);
  });

  it('since now are none, and those that follow', () => {
    const { next, ...page } = since({ since: 'now' });
    expect(page).toEqual({ lines: [], total: 0 });
    expect(next).toBe(events.at(-1)?.cursor);
  });

  it('since now are none, although the only event is young', () => {
    const novel = plainNovel({ ncode: 'N0009TA' });
    const only = loadEvents(
      { id: LOG.id, dropped: [9, 0] },
      formatEvents(eventsOf([{ kind: 'new', novel }], LOG.id, 9, NOW)),
    );
    const { next } = changesSince(only, { lim: 1, since: 'now' }, NOW * 1000);
    expect(changesSince(only, { lim: 1, since: next }, NOW * 1000)).toEqual({ lines: [], total: 0, next });
  });

  it.each([
    ['to the second', NOW, EVENTS],
    ['a second later', NOW + 1, EVENTS - 6],
    ['two hours later', NOW + 2 * HOUR, EVENTS - 12],
    ['a day later', NOW + DAY, 0],
  ])('are returned for two weeks, %s', (_, now, count) => {
    expect(since({}, now).lines).toEqual(events.slice(EVENTS - count).map((event) => JSON.stringify(event)));
    // The cursor is valid, although no event has it any more.
    expect(since({ since: since({ since: 'now' }, now).next }, now).total).toBe(0);
    expect(since({ since: since({ lim: 1 }, now).next }, now).total).toBe(Math.max(0, count - 1));
  });

  it('after a cursor that events have expired behind are refused', () => {
    const [first, last] = [events[4]?.cursor, events[5]?.cursor];
    expect(since({ since: first }).total).toBe(EVENTS - 5);
    expect(() => since({ since: first }, NOW + 1)).toThrow(/older than two weeks .* since=now/);
    expect(since({ since: last }, NOW + 1).total).toBe(EVENTS - 6);
  });

  it.each([
    ...['00000000-4-1', 'yesterday', '', 'abcdef01', 'abcdef01-1', 'ABCDEF01-1-1'],
    ...['abcdef012-1-1', 'abcdef01-1-1-1', 'abcdef01--1-1'],
  ])('after the cursor "%s" of no or another log are refused', (cursor) => {
    expect(() => since({ since: cursor })).toThrow(/another catalogue.* since=now/);
  });
});

it(
  'a log of 150,000 events is loaded within 64 MB of heap: two weeks of the site have more',
  { timeout: 60_000 },
  async () => {
    const contents = `
    import { eventsOf, formatEvents, loadEvents } from '@mokuroku/narou/scan';
    const novel = { ncode: 'N0001TA', title: '題'.repeat(30), writer: '作者', story: '', keyword: '' };
    const changes = Array.from({ length: 10_000 }, (_, at) => ({ kind: 'episode', novel, episode: at }));
    const part = formatEvents(eventsOf(changes, 'abcdef12', 2, 1_800_000_000));
    const bytes = new Uint8Array(15 * part.length);
    for (let at = 0; at < 15; at++) bytes.set(part, at * part.length);
    const { kind } = loadEvents({ id: 'abcdef12', dropped: [1, 0] }, bytes);
    console.log(kind.length);`;
    const outfile = path.join(temporaryFolder(), 'load-log.mjs');
    const stdin = { contents, resolveDir: import.meta.dirname };
    await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm' });
    const { stdout } = spawnSync(process.execPath, ['--max-old-space-size=64', outfile], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('150000\n');
  },
);
