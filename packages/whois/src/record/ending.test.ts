import { expect, it } from 'vitest';
import type { Completeness } from './registration-record.ts';
import { endDate, endingOf } from './ending.ts';

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
