import { describe, expect, test } from 'vitest';
import { japan, NOON, standingClock } from '../../test/upstream-under-test.ts';
import { dayOfDate } from '../novels/japan-date.ts';
import { RANKING_TYPES, type RankingType, rtypeOfDay } from '../novels/ranking-date.ts';
import { createEmbeddedCatalogue } from './embedded-catalogue.ts';
import type { RankingEntry, RankingHistoryEntry } from '../novels/ranking-date.ts';

const clock = standingClock(NOON);
const catalogue = createEmbeddedCatalogue({ clock });
const dayOf = (date: string): number => dayOfDate(date) ?? 0;
const ranking = (type: RankingType, date: string): readonly RankingEntry[] =>
  catalogue.ranking(type, dayOf(date)) ?? [];

const NEWEST: Record<RankingType, string> = {
  daily: '2026-11-21',
  weekly: '2026-11-17',
  monthly: '2026-11-01',
  quarterly: '2026-11-01',
};
const OLDEST: Record<RankingType, string> = {
  daily: '2013-05-01',
  weekly: '2013-05-07',
  monthly: '2013-05-01',
  quarterly: '2013-05-01',
};

describe('a ranking', () => {
  test.each(RANKING_TYPES)(
    '%s: 300 rows, ranks 1 to 300, points even and never rising, each novel once',
    (type) => {
      for (const date of [OLDEST[type], NEWEST[type]]) {
        const rows = ranking(type, date);
        expect(rows.map((row) => row.rank)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
        const points = rows.map((row) => row.pt);
        expect(points.toSorted((a, b) => b - a)).toEqual(points);
        expect(points.every((pt) => pt > 0 && pt % 2 === 0)).toBe(true);
        expect(new Set(rows.map((row) => row.ncode)).size).toBe(300);
      }
    },
  );

  test('it contains mostly existing novels, and some withdrawn ones', () => {
    const ncodes = new Set(catalogue.novels().map((novel) => novel.ncode));
    const missing = ranking('daily', NEWEST.daily).filter((row) => !ncodes.has(row.ncode));
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.length).toBeLessThan(30);
  });

  test('the points of the newest daily ranking are the daily points of its novels', () => {
    const points = new Map(catalogue.novels().map((novel) => [novel.ncode, novel.daily_point]));
    for (const row of ranking('daily', NEWEST.daily)) expect(points.get(row.ncode) ?? row.pt).toBe(row.pt);
    const { records } = catalogue.novelIndex().search({ order: 'dailypoint', st: 1, lim: 100 });
    const best = records.map((novel) => novel.ncode);
    const ranked = ranking('daily', NEWEST.daily).map((row) => row.ncode);
    expect(ranked.filter((ncode) => points.has(ncode)).slice(0, 100)).toEqual(best);
  });

  test('a past ranking is always the same', () => {
    const later = createEmbeddedCatalogue({ clock: standingClock(japan('2028-02-29T12:00:00')) });
    const dates = {
      daily: '2026-03-09',
      weekly: '2026-03-10',
      monthly: '2026-03-01',
      quarterly: '2026-03-01',
    };
    for (const type of RANKING_TYPES) {
      expect(later.ranking(type, dayOf(dates[type]))).toEqual(ranking(type, dates[type]));
    }
  });

  test.each([
    ['weekly', '2026-11-16'],
    ['weekly', '2026-11-18'],
    ['monthly', '2026-10-02'],
    ['quarterly', '2026-10-31'],
    ['daily', '2013-04-30'],
    ['weekly', '2013-04-30'],
    ['daily', '2026-11-22'],
    ['monthly', '2026-12-01'],
  ] as const)('there is no %s ranking of %s', (type, date) => {
    expect(catalogue.ranking(type, dayOf(date))).toBeNull();
  });

  test("today's exists from 04:00 in Japan on", () => {
    const own = standingClock(japan('2026-11-21T03:59:59'));
    const early = createEmbeddedCatalogue({ clock: own });
    expect(early.ranking('daily', dayOf('2026-11-21'))).toBeNull();
    own.set(japan('2026-11-21T04:00:00'));
    expect(early.ranking('daily', dayOf('2026-11-21'))).toHaveLength(300);
  });
});

describe("a novel's history", () => {
  const historyOf = (ncode: string) => catalogue.rankingHistory(ncode) ?? [];

  test('it contains exactly the rankings with the novel, of all types', () => {
    const expected = new Map<string, RankingHistoryEntry[]>();
    const first = dayOf('2026-10-20');
    for (let day = first; day <= dayOf(NEWEST.daily); day += 1) {
      for (const type of RANKING_TYPES) {
        for (const { ncode, pt, rank } of catalogue.ranking(type, day) ?? []) {
          const row = { pt, rank, rtype: rtypeOfDay(type, day) };
          expected.set(ncode, [...(expected.get(ncode) ?? []), row]);
        }
      }
    }
    const ranked = [...expected.keys()].filter((_, index) => index % 20 === 0);
    const unranked = catalogue.novels().filter((novel) => !expected.has(novel.ncode));
    for (const ncode of [...ranked, ...unranked.slice(0, 10).map((novel) => novel.ncode)]) {
      const history = historyOf(ncode).filter(({ rtype }) => rtype >= '20261020');
      const own = expected.get(ncode) ?? [];
      expect(history).toEqual(own.toSorted((x, y) => (x.rtype < y.rtype ? -1 : 1)));
    }
  });

  test('it is sorted by rtype', () => {
    const longest = historyOf(ranking('quarterly', '2013-05-01')[0]?.ncode ?? '');
    const rtypes = longest.map((row) => row.rtype);
    expect(rtypes.length).toBeGreaterThan(100);
    expect(rtypes.toSorted()).toEqual(rtypes);
  });

  test('many novels never ranked; unknown novels and adult entries have no history', () => {
    const some = catalogue.novels().filter((_, index) => index % 300 === 7);
    expect(some.filter((novel) => historyOf(novel.ncode).length === 0).length).toBeGreaterThan(1);
    for (const ncode of ['N0000A', 'N0000TA', 'N9999ZZ']) expect(catalogue.rankingHistory(ncode)).toBeNull();
    expect(catalogue.rankingHistory(catalogue.adultNovels()[0]?.ncode ?? '')).toBeNull();
  });

  test('a withdrawn novel still has its history', () => {
    const ncodes = new Set(catalogue.novels().map((novel) => novel.ncode));
    const gone = ranking('monthly', NEWEST.monthly).find((row) => !ncodes.has(row.ncode));
    expect(historyOf(gone?.ncode ?? '').map((row) => row.rtype)).toContain('20261101-m');
  });
});
