import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { plainNovel } from '../../../../test/catalogue/plain-novel.ts';
import { createNovelScan } from '../novel-scan.ts';
import { buildIndex } from './build-index.ts';
import { openIndex } from './open-index.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-suggest-'));
afterAll(() => {
  fs.rmSync(dir, { recursive: true });
});

it('suggestions include texts that follow two hundred novels with the same text', async () => {
  const novels = Array.from({ length: 220 }, (_, place) => {
    const name = place < 210 ? '霧の灯台' : `霧の灯台 ${place}`;
    return plainNovel({
      ncode: `N${1000 + place}A`,
      title: name,
      writer: name,
      userid: 5,
      weekly_point: 300 - place,
    });
  });
  await buildIndex(dir, novels, { spacing: 4 });
  const index = openIndex(dir, () => 0);
  const { titles, writers } = index.suggest('灯台', 8);
  index.close();
  expect([titles.length, writers.length]).toEqual([8, 8]);
  const { titles: expectedTitles, writers: expectedWriters } = createNovelScan(novels, () => 0).suggest(
    '灯台',
    8,
  );
  expect([titles, writers]).toEqual([expectedTitles, expectedWriters]);
});
