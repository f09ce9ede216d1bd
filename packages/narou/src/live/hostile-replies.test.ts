import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ServiceError } from '@mokuroku/kit';
import { packed } from '../../../../test/catalogue/loopback-upstream.ts';
import { RECORD_OF_TODAY } from '../../test/invented-records.ts';
import { startAnsweredSource } from '../../test/narou-test-source.ts';
import { splittingSource } from './split-requests.ts';

/** `String` and `Number` throw for some of them. */
const objects: unknown[] = [
  { toString: 1 },
  { toString: {}, valueOf: 1 },
  [{ toString: 1 }],
  { then: 1 },
  [],
  {},
  null,
];
const numbers = [true, -1, 0, 1, 2, 201, 300, 1.5, 1e300, Number.MAX_SAFE_INTEGER + 2];
const dates = ['2026-01-01 00:00:00', '9999-99-99 99:99:99', '20261101-d', '20261101-x'];
const texts = ['', '1', 'N0001A', 'n0002a', 'N1A', '\ud800', '&#0;&amp;', 'x'.repeat(30_000), '__proto__'];
const value = fc.constantFrom<unknown>(...objects, ...numbers, ...dates, ...texts);

const others = ['allcount', 'rank', 'pt', 'rtype', 'userid', 'name', 'name1st', 'noveltype', 'weekly_unique'];
const inherited = ['constructor', '__proto__', 'toString', 'toJSON', 'hasOwnProperty'];
const fields = fc.dictionary(
  fc.constantFrom(...Object.keys(RECORD_OF_TODAY), ...others, ...inherited),
  value,
  { maxKeys: 5 },
);
const row = fc.oneof(
  fields,
  fields.map((more) => ({ ...RECORD_OF_TODAY, ...more })),
  fields.map((more) => ({ rank: 1, pt: 2, ncode: 'N0001A', ...more })),
  value,
);
const rows = fc.array(row, { maxLength: 12 });
const count = fc.record({ allcount: fc.oneof(value, fc.integer({ min: 0, max: 5 })) });
const reply = fc.oneof(
  fc.tuple(count, rows).map(([first, more]) => [first, ...more]),
  rows,
  value,
);

it(
  'whatever JSON the upstream sends is served or its fault, never an error of ours',
  { timeout: 60_000 },
  async () => {
    let sent: unknown;
    const { source: whole } = await startAnsweredSource((...call) => packed(sent)(...call));
    const { novels, ...source } = splittingSource(whole, () => undefined);
    const page = { order: 'new', st: 1, lim: 20 } as const;
    const calls: (() => Promise<unknown>)[] = [
      () => novels.novelapi.search({ ...page, type: 'er', genre: [201], word: 'N0001A', stop: '1', istt: 1 }),
      () =>
        novels.novelapi.search({ ...page, of: ['t', 'g'], length: { min: 1 }, lastup: { min: 1, max: 2 } }),
      () => novels.novelapi.search({ ...page, ncode: ['N0001A', 'N0002A'], order: 'weekly', word: 'x' }),
      () => novels.novel18api.search({ ...page, nocgenre: [1], opt: 'weekly' }),
      () => novels.novelapi.find(['N0001A', 'N0002A', 'N0003A'], ['nt']),
      () => source.getRanking('daily', '2026-11-01'),
      () => source.getRankingHistory('N0001A'),
      () => source.searchUsers({ ...page, order: undefined, userid: 1, minnovel: 1 }),
      () => source.searchUsers({ userid: 1, st: 1, lim: 1 }),
    ];
    const failures: unknown[] = [];
    const property = fc.asyncProperty(reply, async (json) => {
      sent = json;
      for (const call of calls) {
        const outcome: unknown = await call().then(JSON.stringify, (error: unknown) => error);
        const isTheirs = outcome instanceof ServiceError && outcome.code.startsWith('upstream_');
        if (outcome instanceof Error && !isTheirs) failures.push(outcome);
      }
    });
    await fc.assert(property, { numRuns: 120, seed: 62 });
    expect(failures).toEqual([]);
  },
);
