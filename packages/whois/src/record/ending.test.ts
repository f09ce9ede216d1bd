import { expect, it } from 'vitest';
import type { Completeness } from './registration-record.ts';
import { daysLeft, endDate, endingOf } from './ending.ts';

const NOW = Date.parse('2026-11-27T00:00:00Z');
const FUTURE = '2027-10-23T00:00:00Z';
const PAST = '2026-11-26';

it.each([
  [['ok'], FUTURE, 'none'],
  // The registry has renewed the name by a year.
  [['redemptionPeriod', 'pendingDelete', 'serverHold'], FUTURE, 'redemption'],
  [['pendingRestore'], FUTURE, 'redemption'],
  [['in quarantine'], null, 'redemption'],
  [['serverHold', 'pendingDelete'], FUTURE, 'pending_delete'],
  [['pending delete restorable'], FUTURE, 'pending_delete'],
  [['To be deleted'], null, 'pending_delete'],
  [['redemptionPeriod', 'serverHold'], PAST, 'redemption'],
  [['pendingDelete'], PAST, 'pending_delete'],
  [['clientTransferProhibited'], PAST, 'expired'],
  [['clientHold'], PAST, 'expired'],
  [['Expired'], null, 'expired'],
  [['Renewal required.'], FUTURE, 'expired'],
  [['clientHold'], FUTURE, 'on_hold'],
  [['serverHold', 'ok'], null, 'on_hold'],
  // Renewed automatically: a healthy name has it for 45 days.
  [['autoRenewPeriod'], FUTURE, 'none'],
  // Says nothing of an end.
  [['clientDeleteProhibited', 'deletion forbidden'], null, 'none'],
  [[], FUTURE, 'none'],
  [[], null, null],
] as const)(
  'a registration with the statuses %j until %s has the ending %s',
  (status, expirationDate, expected) =>
    expect(endingOf({ parsed: { status: [...status], expirationDate, deletionDate: null } }, NOW)).toBe(
      expected,
    ),
);

it.each([
  ['2026-11-27T00:00:00Z', '2026-11-27', 0, 'none'],
  ['2026-11-27T23:59:59Z', '2026-11-27', 0, 'none'],
  ['2026-11-28T00:00:00Z', '2026-11-27', -1, 'expired'],
  ['2026-11-26T18:00:00Z', '2026-11-27', 1, 'none'],
  ['2026-11-27T00:00:01Z', '2026-11-27T00:00:00Z', 0, 'expired'],
  ['2026-11-27T18:00:00Z', '2026-11-27T00:00:00Z', -1, 'expired'],
])('at %s, %s is %i days away: a day has passed when it is over', (now, expirationDate, days, ending) => {
  const at = Date.parse(now);
  expect(daysLeft(expirationDate, at)).toBe(days);
  expect(endingOf({ parsed: { status: [], expirationDate, deletionDate: null } }, at)).toBe(ending);
});

it('a stated day of deletion alone is a statement, and no ending', () => {
  expect(endingOf({ parsed: { status: [], expirationDate: null, deletionDate: FUTURE } }, NOW)).toBe('none');
});

it.each([
  [{ truncated: true }, null],
  [{ incomplete: ['status'] }, null],
  [{ incomplete: ['expirationDate'] }, null],
  // It depends on no other field.
  [{ incomplete: ['dnssec', 'nameServers', 'updatedDate', 'deletionDate'] }, 'none'],
] satisfies [Completeness, string | null][])(
  'a record that is %j without a stated ending has the ending %s',
  (more, expected) => {
    const ofStatus = (word: string) =>
      endingOf({ parsed: { status: [word], expirationDate: FUTURE, deletionDate: null }, ...more }, NOW);
    expect([ofStatus('ok'), ofStatus('pendingDelete')]).toEqual([expected, 'pending_delete']);
  },
);

it.each([
  [FUTURE, '2026-12-01', '2026-12-01'],
  [FUTURE, '2027-12-01', FUTURE],
  [null, '2026-12-01', '2026-12-01'],
  [FUTURE, null, FUTURE],
  [null, null, null],
])('of %s and a deletion on %s the earlier is the end: %s', (expirationDate, deletionDate, expected) => {
  expect(endDate({ expirationDate, deletionDate })).toBe(expected);
});
