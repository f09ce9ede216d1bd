import { describe, expect, it } from 'vitest';
import type { LookUp } from 'mokuroku-client/source';
import { NOTHING_STATED } from '../../../../whois/src/record/registration-record.ts';
import { followedFacts, sortByExpiry, toCsv } from './many.ts';

const PARSED = {
  ...NOTHING_STATED,
  domainName: 'a.com',
  registrar: '=Sample, "Names"',
  creationDate: '2001-04-09',
  expirationDate: '2031-04-09T01:30:00Z',
  updatedDate: '2026-01-02',
  nameServers: ['ns1.a.com', 'ns2.a.com'],
  status: ['ok'],
};

it.each([
  [undefined, { state: 'registered', ending: null, registrar: '=Sample, "Names"', expires: null }],
  [['expirationDate'], { state: 'registered', registrar: '=Sample, "Names"' }],
  [['dnssec'], { state: 'registered', ending: null, registrar: '=Sample, "Names"', expires: null }],
] satisfies [LookUp['incomplete'], object][])(
  'the shelf remembers an absent expiry, not an unknown one (incomplete: %j)',
  (incomplete, facts) => {
    const parsed = { ...PARSED, expirationDate: null };
    expect(followedFacts({ state: 'registered', parsed, ...(incomplete && { incomplete }) })).toEqual(facts);
  },
);

it('the shelf distinguishes a field that the registry never publishes from one that it does not state', () => {
  const parsed = { ...PARSED, expirationDate: null, registrar: null };
  const result = { state: 'registered', parsed, unpublished: ['expirationDate' as const] };
  expect(followedFacts(result)).toEqual({ state: 'registered', ending: null, registrar: null, expires: '' });
});

describe('several names', () => {
  it('become CSV for spreadsheets: one line each, without formulas', () => {
    const results = new Map([['a.com', { state: 'registered', parsed: PARSED }]]);
    expect(toCsv(['a.com', 'b.com'], results).split('\r\n')).toEqual([
      '\ufeffdomain,state,expires,created,updated,registrar,nameServers,status,ending,deletionDate',
      'a.com,registered,2031-04-09T01:30:00Z,2001-04-09,2026-01-02,"\'=Sample, ""Names""",ns1.a.com ns2.a.com,ok,,',
      'b.com,,,,,,,,,',
      '',
    ]);
  });

  it('can be sorted by expiry, those without one last in their order', () => {
    const ending = (expirationDate: string | null) => ({
      state: 'registered',
      parsed: { ...PARSED, expirationDate },
    });
    const results = new Map([
      ['b.com', ending('2031-04-09T01:30:00Z')],
      ['c.com', ending(null)],
      ['d.jp', ending('2027-01-31')],
    ]);
    expect(sortByExpiry(['free.com', 'b.com', 'c.com', 'd.jp'], results)).toEqual([
      'd.jp',
      'b.com',
      'free.com',
      'c.com',
    ]);
  });
});
