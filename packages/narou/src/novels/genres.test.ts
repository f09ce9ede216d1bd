import { expect, test } from 'vitest';
import { BIGGENRES, biggenreOf, GENRES, NOCGENRES, NOCGENRE_LABELS } from './genres.ts';

test('there are 22 genres, 7 big genres and 4 adult genres, each code once', () => {
  expect([GENRES, BIGGENRES, NOCGENRES].map((table) => new Set(table.map((row) => row.code)).size)).toEqual([
    22, 7, 4,
  ]);
});

test("every genre's label names the big genre to which its code belongs", () => {
  for (const genre of GENRES) {
    const big = BIGGENRES.find(({ code }) => code === biggenreOf(genre.code));
    expect(genre.label_ja).toMatch(new RegExp(`〔${big!.label_ja}〕$`));
  }
});

test('the brackets of an adult genre are ASCII', () => {
  expect(NOCGENRE_LABELS.get(1)).toBe('ノクターンノベルズ(男性向け)');
});
