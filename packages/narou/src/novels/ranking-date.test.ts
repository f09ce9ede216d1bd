import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateOfDay, dayOfDate, weekdayOfDay } from './japan-date.ts';
import {
  checkRankingDate,
  fromRtype,
  newestRankingDate,
  rankingDateBefore,
  rankingPublication,
  RANKING_TYPES,
  toRtype,
} from './ranking-date.ts';

/** The instant of a wall time in Japan. */
const japan = (text: string): number => Date.parse(`${text}+09:00`);
// A Saturday.
const NOW = japan('2026-11-21T12:00:00');

const nearest = (type: (typeof RANKING_TYPES)[number], text: string, now = NOW): string[] | 'valid' => {
  const check = checkRankingDate(type, text, now);
  return check.valid ? 'valid' : check.nearest;
};

describe('checkRankingDate', () => {
  test.each([
    ['daily', '2013-05-01'],
    ['daily', '2024-02-29'],
    ['daily', '2099-01-01'],
    ['weekly', '2013-05-06'],
    ['weekly', '2024-04-08'],
    ['monthly', '2013-05-01'],
    ['quarterly', '2024-08-01'],
  ] as const)('%s %s is valid', (type, date) => {
    expect(checkRankingDate(type, date, NOW)).toEqual({ valid: true, date });
  });

  test.each([
    ['daily', '2013-04-30', 'too_early', ['2013-05-01']],
    ['weekly', '2013-04-29', 'too_early', ['2013-05-06']],
    ['daily', '0000-01-01', 'too_early', ['2013-05-01']],
    ['weekly', '2024-04-09', 'wrong_day', ['2024-04-08', '2024-04-15']],
    ['weekly', '2013-05-01', 'wrong_day', ['2013-05-06']],
    ['weekly', '2026-11-21', 'wrong_day', ['2026-11-16']],
    ['weekly', '2030-01-01', 'wrong_day', ['2026-11-16']],
    ['monthly', '2024-04-30', 'wrong_day', ['2024-04-01', '2024-05-01']],
    ['quarterly', '2026-11-02', 'wrong_day', ['2026-11-01']],
    ['daily', '2024-02-30', 'malformed', ['2024-02-29', '2024-03-01']],
    ['daily', '2024-03-00', 'malformed', ['2024-02-29', '2024-03-01']],
    ['monthly', '2024-02-31', 'malformed', ['2024-02-01', '2024-03-01']],
    ['daily', '2024/4/9', 'malformed', ['2024-04-09']],
    ['weekly', '20240409', 'malformed', ['2024-04-08', '2024-04-15']],
    ['daily', '9999-12-32', 'malformed', ['2026-11-21']],
    ['daily', '', 'malformed', ['2026-11-21']],
    ['monthly', 'yesterday', 'malformed', ['2026-11-01']],
    ['daily', ' 2024-04-09', 'malformed', ['2024-04-09']],
    ['daily', '２０２４-04-09', 'malformed', ['2026-11-21']],
  ] as const)('%s %j is rejected as %s with the neighbours %j', (type, text, fault, neighbours) => {
    expect(checkRankingDate(type, text, NOW)).toEqual({ valid: false, fault, nearest: neighbours });
  });

  test('any text is valid or rejected with valid proposals, none of them in the future', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    fc.assert(
      fc.property(fc.constantFrom(...RANKING_TYPES), anyText, (type, text) => {
        const check = checkRankingDate(type, text.slice(0, 10), NOW);
        if (check.valid) return;
        expect(check.nearest.length).toBeGreaterThan(0);
        for (const date of check.nearest) {
          expect(nearest(type, date)).toBe('valid');
          expect(rankingPublication(type, date, NOW)).toBe('published');
        }
      }),
    );
  });
});

describe('publication', () => {
  test.each([
    ['daily', '2026-11-21', '2026-11-21T03:59:59', 'future'],
    ['daily', '2026-11-21', '2026-11-21T04:00:00', 'storing'],
    ['daily', '2026-11-21', '2026-11-21T06:59:59', 'storing'],
    ['daily', '2026-11-21', '2026-11-21T07:00:00', 'published'],
    ['weekly', '2026-11-16', '2026-11-16T23:59:59', 'future'],
    ['weekly', '2026-11-16', '2026-11-17T05:00:00', 'storing'],
    ['weekly', '2026-11-16', '2026-11-17T07:00:00', 'published'],
    ['monthly', '2026-12-01', '2026-11-30T23:59:59', 'future'],
    ['quarterly', '2026-12-01', '2026-12-01T07:00:00', 'published'],
  ] as const)('%s of %s at %s Japan time is %s', (type, date, at, state) => {
    expect(rankingPublication(type, date, japan(at))).toBe(state);
  });

  test.each([
    ['daily', '2026-11-21T03:59:59', '2026-11-20'],
    ['daily', '2026-11-21T04:00:00', '2026-11-21'],
    ['weekly', '2026-11-17T03:59:59', '2026-11-09'],
    ['weekly', '2026-11-17T04:00:00', '2026-11-16'],
    ['weekly', '2026-11-16T12:00:00', '2026-11-09'],
    ['monthly', '2026-11-01T03:00:00', '2026-10-01'],
    ['quarterly', '2026-11-01T04:00:00', '2026-11-01'],
  ] as const)('the newest %s ranking at %s Japan time is that of %s', (type, at, date) => {
    expect(newestRankingDate(type, japan(at))).toBe(date);
  });

  test('at 19:30 UTC Japan is already on the next day, at its 04:30', () => {
    expect(newestRankingDate('daily', Date.parse('2026-11-20T19:30:00Z'))).toBe('2026-11-21');
  });

  test('the previous ranking is one period earlier, and the first has none', () => {
    expect(rankingDateBefore('daily', '2024-03-01')).toBe('2024-02-29');
    expect(rankingDateBefore('weekly', '2024-04-08')).toBe('2024-04-01');
    expect(rankingDateBefore('quarterly', '2024-01-01')).toBe('2023-12-01');
    expect(rankingDateBefore('weekly', '2013-05-06')).toBeNull();
  });
});

describe('rtype', () => {
  test("the Monday of a week becomes the upstream's Tuesday, other dates stay the same", () => {
    expect(toRtype('weekly', '2024-04-08')).toBe('20240409-w');
    expect(toRtype('weekly', '2019-12-30')).toBe('20191231-w');
    expect(toRtype('daily', '2021-07-18')).toBe('20210718-d');
    expect(toRtype('quarterly', '2014-04-01')).toBe('20140401-q');
  });

  test.each([
    '20240408-w',
    '20240402-m',
    '20130430-d',
    '20240230-d',
    '2024-04-09-w',
    '20240409',
    '20240409-x',
  ])('%s is not an rtype of the upstream', (rtype) => {
    expect(fromRtype(rtype)).toBeNull();
  });

  test('every valid date and its rtype are inverse to each other; weekly ones are Tuesdays', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RANKING_TYPES),
        fc.integer({ min: 15_826, max: 40_000 }),
        (type, day) => {
          const date = checkRankingDate(type, dateOfDay(day), NOW).valid
            ? dateOfDay(day)
            : rankingDateBefore(type, dateOfDay(day));
          if (date === null) return;
          const rtype = toRtype(type, date);
          expect(fromRtype(rtype)).toEqual({ type, date });
          const upstream = `${rtype.slice(0, 4)}-${rtype.slice(4, 6)}-${rtype.slice(6, 8)}`;
          if (type === 'weekly') expect(weekdayOfDay(dayOfDate(upstream) ?? 0)).toBe(2);
        },
      ),
    );
  });
});
