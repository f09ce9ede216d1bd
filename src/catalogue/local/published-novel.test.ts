import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainNovel } from '../../../test/catalogue/plain-novel.ts';
import { silentLogger } from '../../process/logger.ts';
import { buildIndex } from '../index/engine/build-index.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
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
let source: LocalSource;
beforeAll(async () => {
  await buildIndex(path.join(dir, 'novels'), [NOVEL]);
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
