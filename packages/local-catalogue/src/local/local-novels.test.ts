import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { silentLogger } from '@mokuroku/kit/process';
import { buildIndex } from '../engine/build-index.ts';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { openLocalSource } from './local-source.ts';
import type { LocalSource } from './local-source.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-published-'));
const NOVEL = plainNovel({
  ncode: 'N0001TA',
  genre: 7,
  isr15: 1,
  isstop: 0,
  review_cnt: 9,
  weekly_unique: 5,
});
const SPARSE = {
  ncode: 'N0002TA',
  title: '","genre":1,"weekly_unique":2,"fetched_at":3,"',
  xid: 'x0001a',
  fetched_at: 0,
};
let source: LocalSource;
beforeAll(async () => {
  await buildIndex(path.join(dir, 'novels'), [NOVEL]);
  await buildIndex(path.join(dir, 'adult'), [SPARSE, { ncode: 'N0003TA', weekly_unique: 4, fetched_at: 0 }]);
  const clock = { now: () => 0, monotonic: () => 0 };
  source = openLocalSource({ dir, upstream: undefined, clock, logger: silentLogger() });
});
afterAll(async () => {
  await source.close();
  fs.rmSync(dir, { recursive: true });
});

const read = async (query: Pick<NovelQuery, 'of' | 'opt'>) => {
  const { items } = await source.novels.novelapi.search({ order: 'new', st: 1, lim: 1, ...query });
  return items[0];
};

it('has all published fields, the readers of the week on request, and nothing else of a record', async () => {
  const { novel_type, weekly_unique, ...others } = NOVEL;
  const published = { noveltype: novel_type, gensaku: '', genre_label: '', fetched_at: undefined };
  const whole = { ...others, ...published };
  expect(await read({})).toEqual(whole);
  expect(await read({ opt: 'weekly' })).toEqual({ ...whole, weekly_unique });
});

it('finds no field within a text, nor one that its record lacks', async () => {
  const { ncode, title } = SPARSE;
  const find = async (query: Pick<NovelQuery, 'of' | 'opt'>) =>
    (await source.novels.novel18api.search({ ncode: [ncode], order: 'new', st: 1, lim: 1, ...query })).items;
  expect(await find({})).toEqual([{ title, ncode, gensaku: '' }]);
  expect(await find({ opt: 'weekly' })).toEqual(await find({}));
  expect(await find({ of: ['t', 'g', 'ua'], opt: 'weekly' })).toEqual([{ title }]);
  expect(await find({ of: ['k'] })).toEqual([{}]);
  const { value } = await source.novels.novel18api.find([ncode], ['t']);
  expect(value).toEqual([{ state: 'found', record: { title } }]);
});

it('a code without a label has an empty one', async () => {
  expect(await read({ of: ['g'] })).toEqual({ genre: 7, genre_label: '' });
});

it('has the fields of its own search, not those of one before', async () => {
  const { isstop, review_cnt, isr15, genre, length, general_lastup, weekly_unique } = NOVEL;
  expect(await read({ of: ['i', 'r'] })).toEqual({ isstop, review_cnt });
  expect(await read({ of: ['ir'] })).toEqual({ isr15 });
  expect(await read({ of: ['g', 'l'] })).toEqual({ genre, genre_label: '', length });
  expect(await read({ of: ['gl'] })).toEqual({ general_lastup });
  expect(await read({ of: ['l'], opt: 'weekly' })).toEqual({ length, weekly_unique });
  expect(await read({ of: ['l'] })).toEqual({ length });
});
