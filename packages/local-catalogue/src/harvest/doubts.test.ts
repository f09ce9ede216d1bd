import { describe, expect, it } from 'vitest';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { SECOND_LOOK_SECONDS } from '@mokuroku/narou';
import { PAGE, faultyFields, fieldOf, isWitness, lookAt, settle } from './doubts.ts';
import type { Doubt } from './doubts.ts';
import { FIGURE_NAMES, RECORD_NAMES } from './harvested-novel.ts';

const DAY_SECONDS = 86_400;
/** 2030-03-17 17:46:40 UTC. */
const NOW = 1_900_000_000;
const STORED = plainNovel({
  fetched_at: NOW - 3 * DAY_SECONDS,
  general_all_no: 63,
  isr15: 1,
  genre: 201,
  end: 1,
  global_point: 500,
  weekly_point: 40,
});
/** The times of a record that changed after it was stored. */
const LATER = { novelupdated_at: '2030-03-18 01:00:00' };
const EPISODE = { ...LATER, general_lastup: '2030-03-18 01:00:00' };

interface LookOptions {
  at?: number;
  doubt?: Doubt;
  stored?: CatalogueNovel | undefined;
  faulty?: readonly string[];
}

const lookOf = (of: Partial<CatalogueNovel>, { at = NOW, doubt, stored = STORED }: LookOptions = {}) =>
  lookAt({ ...stored, fetched_at: at, ...of }, stored, { doubt, fields: RECORD_NAMES, now: at });

/** What is stored of a record that came with these changes, and the doubt that remains. */
function look(of: Partial<CatalogueNovel>, options: LookOptions = {}) {
  const { received, ...rest } = lookOf(of, options);
  const { kept, doubt } = settle({ received, ...rest }, options.faulty);
  return { novel: { ...received, ...kept }, doubt };
}

const byField = (doubt: Doubt) =>
  Object.fromEntries(Object.entries(doubt).map(([claim, first]) => [fieldOf(claim), first]));

describe('a record', () => {
  it.each<Partial<CatalogueNovel>>([
    { ...LATER, title: '改題' },
    { ...EPISODE, general_all_no: 64, end: 0 },
    { ...LATER, isbl: 1, genre: 9801 },
    { global_point: 1 },
    { ...LATER, story: '一行目\u0085二行目' },
    { daily_point: 0, weekly_point: 0, weekly_unique: 0 },
  ])('is stored as it comes if it changed at a time that it states, and in its figures: %j', (of) => {
    expect(look(of)).toEqual({ novel: { ...STORED, fetched_at: NOW, ...of }, doubt: {} });
  });

  it.each([
    ['title', ''],
    ['title', '改題'],
    ['isr15', 0],
    ['isbl', 1],
    ['global_point', 0],
    ['genre', 0],
    ['end', 0],
    ['isstop', 1],
    ['isr15', undefined],
    ['weekly_point', undefined],
    ['keyword', 'ç\ufffd«'],
    ['novelupdated_at', '2026-10-31 18:00:00'],
    ['novelupdated_at', '2026-11-20 18:00:00'],
  ] as const)(
    'keeps a value that is lost, or changed at no time since it was stored, until a second look says the same: %s %j',
    (field, value) => {
      const other = { [field]: value, impression_cnt: 9 };
      const first = look(other);
      const kept = { ...STORED, impression_cnt: 9, fetched_at: STORED.fetched_at + 1 };
      expect(first.novel).toEqual(kept);
      expect(byField(first.doubt)).toEqual({ [field]: NOW });
      const early = NOW + SECOND_LOOK_SECONDS - 1;
      expect(look(other, { at: early, doubt: first.doubt })).toEqual(first);
      const at = NOW + SECOND_LOOK_SECONDS;
      const second = look(other, { at, doubt: first.doubt });
      expect(second).toEqual({ novel: { ...STORED, ...other, fetched_at: at }, doubt: {} });
      // Yet another value, or the stored one, confirms nothing.
      expect(look({ [field]: STORED[field] }, { at, doubt: first.doubt }).doubt).toEqual({});
      const third = look({ title: '別題' }, { at, doubt: first.doubt });
      expect([third.novel['title'], byField(third.doubt)]).toEqual([STORED.title, { title: at }]);
    },
  );

  it('keeps a lost value also beside a change, and the values that fall by themselves', () => {
    const lost = { global_point: 0, weekly_point: 0, isr15: 0, keyword: 'ç\ufffd«' } as const;
    const { novel, doubt } = look({ ...EPISODE, ...lost });
    const { keyword } = STORED;
    expect(novel).toMatchObject({ ...EPISODE, global_point: 500, weekly_point: 40, isr15: 1, keyword });
    expect(Object.keys(byField(doubt)).sort()).toEqual(Object.keys(lost).sort());
  });

  it('keeps an empty text in place of a garbled one', () => {
    const stored = { ...STORED, keyword: '' };
    expect(look({ ...LATER, keyword: 'ç\ufffd«' }, { stored }).novel['keyword']).toBe('');
  });

  it('is not believed to have changed at a time that moved back, or another time than its own', () => {
    // Within the hours by which a change may be late.
    const stored = { ...STORED, novelupdated_at: '2030-03-15 02:40:00' };
    const back = { title: '改題', novelupdated_at: '2030-03-15 02:39:00' };
    expect(look(back, { stored }).novel).toMatchObject({ ...stored, fetched_at: STORED.fetched_at + 1 });
    const { general_lastup } = STORED;
    expect(look({ ...LATER, general_lastup: '2026-01-01 08:00:00' }).novel).toMatchObject({
      ...LATER,
      general_lastup,
    });
  });

  it('is never older than the present for the stored values that it keeps', () => {
    expect(look({ title: '' }, { stored: { ...STORED, fetched_at: NOW } }).novel['fetched_at']).toBe(NOW);
  });

  it('is not believed in a field that is faulty around it', () => {
    expect(look({}, { faulty: ['title'] }).doubt).toEqual({});
    expect(look({ ...LATER, title: '改題' }, { faulty: ['novelupdated_at'] }).novel['title']).toBe(
      STORED.title,
    );
    expect(look({ ...LATER, title: '隣の題' }, { faulty: ['title'] }).novel).toMatchObject({
      ...LATER,
      title: STORED.title,
    });
    const { general_all_no, general_lastup } = STORED;
    // The count is the stored one by chance: the time waits for it.
    expect(look(EPISODE, { faulty: ['general_all_no'] }).novel).toMatchObject({
      ...LATER,
      general_all_no,
      general_lastup,
    });
    const isNew = lookAt({ ...STORED }, undefined, { doubt: undefined, fields: RECORD_NAMES, now: NOW });
    expect(settle(isNew, ['title']).kept).toEqual({ title: undefined });
  });

  it('of another novel, or beside one older than fourteen days, is stored as it comes', () => {
    expect(look({ general_firstup: '2015-05-05 18:00:00', isr15: 0, global_point: 0 })).toMatchObject({
      novel: { isr15: 0, global_point: 0, fetched_at: NOW },
      doubt: {},
    });
    const stored = { ...STORED, fetched_at: NOW - 14 * DAY_SECONDS };
    expect(look({ title: '改題' }, { stored }).novel['title']).toBe(STORED.title);
    const old = { ...stored, fetched_at: stored.fetched_at - 1 };
    expect(look({ title: '改題' }, { stored: old }).novel['title']).toBe('改題');
  });

  it('replaces a stored one of a single look, a day later', () => {
    const doubt = { [PAGE]: NOW - DAY_SECONDS };
    expect(look({ title: '題' }, { doubt })).toMatchObject({ novel: { title: '題' }, doubt: {} });
  });

  it('counts the hours anew if the clock of the first look was ahead', () => {
    const { doubt } = look({ title: '' }, { at: NOW + 100 * DAY_SECONDS });
    expect(byField(look({ title: '' }, { doubt }).doubt)).toEqual({ title: NOW });
  });

  it.each(['', undefined])(
    'without a stored one lacks what every novel has, until a second look: %j',
    (title) => {
      const { title: _, ...others } = plainNovel({ isr15: 0, fetched_at: NOW });
      const received = { ...others, ...(title !== undefined && { title }) };
      const first = lookAt(received, undefined, { doubt: { ncode: 1 }, fields: RECORD_NAMES, now: NOW });
      const { kept, doubt } = settle(first);
      expect(byField(doubt)).toEqual({ title: NOW });
      expect({ ...received, ...kept }).not.toHaveProperty('title', expect.anything());
      expect(settle({ ...first, doubt, now: NOW + 600 })).toEqual({ kept, doubt });
      expect(settle({ ...first, doubt, now: NOW + DAY_SECONDS })).toEqual({ kept: {}, doubt: {} });
    },
  );

  it.each([
    { ...EPISODE, general_all_no: 0 },
    { ...EPISODE, general_all_no: 64, general_lastup: '' },
  ])('that lost its count or the time of its last episode keeps both: %j', (of) => {
    const { general_all_no, general_lastup } = STORED;
    expect(look(of).novel).toMatchObject({ ...LATER, general_all_no, general_lastup });
  });
});

it('figures settle nothing about the other fields of a record', () => {
  const { ncode } = STORED;
  const received = { ncode, global_point: 0, weekly_point: 41 };
  const fields = FIGURE_NAMES.filter((name) => name in received);
  const { kept, doubt } = settle(lookAt(received, STORED, { doubt: { 'title 1': 5 }, fields, now: NOW }));
  expect(kept).toEqual({ global_point: 500 });
  expect(byField(doubt)).toEqual({ title: 5, global_point: NOW });
});

it('a field is faulty that several witnesses have wrong, and a fifth of those with a value', () => {
  const changed = lookOf({ title: '改題' });
  const right = lookOf({});
  const of = (wrong: number, all: number) =>
    faultyFields(Array.from({ length: all }, (_, index) => (index < wrong ? changed : right)));
  expect([of(1, 1), of(2, 9), of(2, 10)]).toEqual([[], ['title'], []]);
  expect(faultyFields([lookOf(LATER), lookOf(LATER)])).toEqual(['novelupdated_at']);
  const isOne = [{}, { title: '改題' }, LATER, { ...LATER, title: '改題' }].map((each) =>
    isWitness(lookOf(each)),
  );
  expect(isOne).toEqual([true, true, true, false]);
  // Of a single look, or without a stored one.
  expect(isWitness(lookOf({}, { doubt: { [PAGE]: NOW } }))).toBe(false);
  expect(isWitness(lookAt({}, undefined, { doubt: undefined, fields: RECORD_NAMES, now: NOW }))).toBe(false);
});
