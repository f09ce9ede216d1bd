import { describe, expect, it } from 'vitest';
import { newFolders } from '../../../../test/new-folders.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { createNovelScan } from '../../../narou/src/scan/novel-scan.ts';
import { buildIndex } from './build-index.ts';
import { openIndex } from '../../test/index-under-test.ts';

const newFolder = newFolders();

/** The suggestions of the index for some texts, which are those of the scan. */
async function suggestionsFor(novels: readonly CatalogueNovel[], ...typed: string[]) {
  const dir = newFolder();
  await buildIndex(dir, novels, { spacing: 4 });
  const index = openIndex(dir, () => 0);
  const scan = createNovelScan(novels, () => 0);
  const suggestions = typed.map((text) => index.suggest(text, 8));
  index.close();
  expect(suggestions).toEqual(typed.map((text) => scan.suggest(text, 8)));
  return suggestions;
}

describe('suggestions', () => {
  it('include texts that follow two hundred novels with the same text', async () => {
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
    const [suggestions] = await suggestionsFor(novels, '灯台');
    expect([suggestions?.titles.length, suggestions?.writers.length]).toEqual([8, 8]);
  });

  it('ignore case and width of what is typed, and of titles, pen names and keywords', async () => {
    const novels = [
      plainNovel({ ncode: 'N1001A', title: 'ReSTART！ ｶﾞﾗｽの国', writer: 'Ａｏｉ', keyword: 'ＶＲ ゲーム' }),
      plainNovel({ ncode: 'N1002A', title: 'restart', writer: 'aoi', keyword: 'vr' }),
      plainNovel({ ncode: 'N1003A', title: '星の国', writer: 'Bei', keyword: '旅' }),
    ];
    const count = ({ titles, writers, keywords }: Awaited<ReturnType<typeof suggestionsFor>>[number]) =>
      [titles, writers, keywords].map((list) => list.length);
    const typed = ['RESTART', 'ｒｅｓｔａｒｔ!', 'ガラス 国', 'ｶﾞﾗ', 'AOI', 'vR', 'か', 'reset'];
    expect((await suggestionsFor(novels, ...typed)).map(count)).toEqual([
      [2, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 2],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('are not found by a part of a letter with its mark', async () => {
    const novels = [plainNovel({ ncode: 'N1001A', title: 'か\u3099ラス', writer: 'B' })];
    expect((await suggestionsFor(novels, 'か', 'が')).map(({ titles }) => titles.length)).toEqual([0, 1]);
  });
});
