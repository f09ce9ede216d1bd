import { describe, expect, it } from 'vitest';
import { UNKNOWN_KEY } from '@mokuroku/narou/scan';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { SECOND_LOOK_SECONDS } from '@mokuroku/narou';
import { novelOf } from './harvested-novel.ts';
import { EMPTY_TALLY, addPage, decideWalk } from './tally.ts';
import type { WalkFindings, WalkTally } from './tally.ts';

const NOW = 1_900_000_000;
const LATER = NOW + SECOND_LOOK_SECONDS;
const USAGE = { requests: 1, bytes: 10 };
const WAY_OUT = 'A harvest that finds the same at least 22 hours after the first is accepted.';

/** A page of records as the upstream publishes them, of which one in `every` has these changes. */
const pageOf = (of: object, every = 1, count = 700) => ({
  items: Array.from({ length: count }, (_, index) => {
    const published = { ...plainNovel({ ncode: `N${1_000 + index}A` }), isbl: 0, isgl: 0 };
    return index % every === 0 ? { ...published, ...of } : published;
  }),
  refused: [],
  overlong: [],
  compared: count - 1,
  ...USAGE,
});
const tallyOf = (of: object, every?: number, count?: number): WalkTally =>
  addPage(EMPTY_TALLY, 'novels', pageOf(of, every, count));
const walkWith = (tally: Partial<WalkTally>, of: Partial<WalkFindings> = {}) => ({
  tally: { ...EMPTY_TALLY, ...tally },
  counted: 700,
  had: 700,
  ...of,
});

describe('the tally of a page', () => {
  it.each<[string, object, number, object]>([
    ['nothing of ordinary records', {}, 1, {}],
    ['a field that some lack', { isr15: undefined }, 200, { isr15: 4 }],
    ['a figure that cannot be stored', { global_point: 2 ** 32 }, 50, { global_point: 14 }],
    ['a missing figure of the week', { weekly_unique: undefined }, 1, { weekly_unique: 700 }],
  ])('counts %s', (_, of, every, fieldsMissing) => {
    const { doubled, ...tally } = tallyOf(of, every);
    expect(tally).toMatchObject({ records: 700, compared: 699, fieldsMissing, ...USAGE });
    expect(doubled).toBe(0);
  });

  it('counts records that are twice in it', () => {
    const page = pageOf({}, 1, 10);
    const items = [...page.items, ...page.items.slice(0, 3)];
    expect(addPage(EMPTY_TALLY, 'novels', { ...page, items })).toMatchObject({ records: 13, doubled: 3 });
  });

  it('names refused records and long texts once if the page is read again, and a hundred at most', () => {
    const ncodes = Array.from({ length: 101 }, (_, index) => `N${1_000 + index}A`);
    const refused = ncodes.map((ncode) => ({ ncode, lastup: 1, reason: '' }));
    const overlong = ncodes.map((ncode) => ({ ncode, field: 'story', length: 70_000 }));
    const few = { ...pageOf({}, 1, 0), refused: refused.slice(0, 2), overlong: overlong.slice(0, 2) };
    const tally = addPage(addPage(EMPTY_TALLY, 'novels', few), 'novels', few);
    expect(tally).toMatchObject({
      unreadable: 2,
      refused: few.refused,
      overlong: 2,
      overlongTexts: few.overlong,
      requests: 2,
      bytes: 20,
    });
    const { unreadable, ...named } = addPage(tally, 'novels', { ...few, refused, overlong });
    expect([unreadable, named.refused.length, named.overlong, named.overlongTexts.length]).toEqual([
      101, 100, 101, 100,
    ]);
  });
});

it.each([
  ['length', UNKNOWN_KEY - 1, UNKNOWN_KEY],
  ['genre', 0xfffe, 0xffff],
  ['biggenre', 0xfe, 0xff],
])('the greatest %s that can be stored is %i; %i is unknown', (field, most, unknown) => {
  const read = (value: number) => novelOf({ ncode: 'N0001A', [field]: value }, 7);
  expect(read(most)).toEqual({ ncode: 'N0001A', [field]: most, fetched_at: 7 });
  expect(read(unknown)).toEqual({ ncode: 'N0001A', fetched_at: 7 });
});

describe('a walk', () => {
  it.each<[string, Parameters<typeof walkWith>, string | undefined]>([
    ['with every novel and field', [{}], undefined],
    ['that lacks a field in one record of a hundred', [{ fieldsMissing: { length: 7 } }], undefined],
    ['that lacks it in more', [{ fieldsMissing: { length: 8 } }], 'length was missing from 8 records'],
    ['with 7 unreadable records', [{ unreadable: 7 }], undefined],
    ['with more', [{ unreadable: 1_000 }], '1,000 records could not be read'],
    ['that ended with nine tenths of the novels', [{}, { had: 630, recounted: 700 }], undefined],
    ['that ended with fewer', [{}, { had: 629, recounted: 5 }], '629 of 700 novels were received'],
    ['that the last count contradicts', [{}, { recounted: 778 }], '700 of 778 novels were received'],
    [
      'of a site with an index',
      [
        { unreadable: 70, compared: 1 },
        { had: 7, recounted: 700 },
      ],
      undefined,
    ],
    ['that is under way with few novels', [{}, { had: 5 }], undefined],
    ['that is under way with none', [{}, { had: 0 }], undefined],
    ['of more novels than were counted', [{ unreadable: 9 }, { had: 1_000 }], undefined],
  ])('%s is accepted, or only if a second one finds the same after 22 hours', (_, findings, fault) => {
    const walk = walkWith(...findings);
    const first = decideWalk(walk, undefined, NOW);
    expect(first.refusedBecause).toBe(fault && `${fault}. ${WAY_OUT}`);
    const early = decideWalk(walk, first.doubt, LATER - 1);
    expect([early.doubt, early.refusedBecause]).toEqual([first.doubt, first.refusedBecause]);
    expect(decideWalk(walk, first.doubt, LATER)).toEqual({ doubt: first.doubt });
  });

  it('with another fault than the first is not accepted, and with none forgets it', () => {
    const { doubt } = decideWalk(walkWith({ fieldsMissing: { isr15: 700 } }), undefined, NOW);
    expect(doubt).toEqual({ isr15: NOW });
    const both = walkWith({ fieldsMissing: { isr15: 700, title: 9 } });
    expect(decideWalk(both, doubt, LATER).doubt).toEqual({ isr15: NOW, title: LATER });
    expect(decideWalk(both, doubt, LATER).refusedBecause).toMatch(/^isr15 was .* title was /);
    expect(decideWalk(walkWith({}), doubt, LATER)).toEqual({ doubt: {} });
  });

  it('that received nothing is never accepted', () => {
    const walk = walkWith({}, { had: 0, recounted: 0 });
    const refused = { doubt: { novels: 1 }, refusedBecause: '0 of 700 novels were received.' };
    expect(decideWalk(walk, { novels: 1 }, NOW)).toEqual(refused);
  });
});
