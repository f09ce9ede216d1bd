import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';

let service: TestCatalogue;
beforeAll(async () => {
  service = await startTestCatalogue();
});
afterAll(() => service.close());

it('the tables contain 22 genres, 7 big genres and 4 adult genres with their labels', async () => {
  const { body } = await service.get('/v1/meta/genres');
  const { genres, biggenres, ...others } = body.data as Record<string, { code: number; label_ja: string }[]>;
  expect([genres?.length, biggenres?.length, others]).toEqual([22, 7, {}]);
  expect(genres).toContainEqual({ code: 302, label_ja: 'ヒューマンドラマ〔文芸〕' });
  expect(biggenres).toContainEqual({ code: 98, label_ja: 'ノンジャンル' });
  expect((await service.get('/v1/meta/nocgenres')).body.data).toEqual({
    nocgenres: [
      { code: 1, label_ja: 'ノクターンノベルズ(男性向け)' },
      { code: 2, label_ja: 'ムーンライトノベルズ(女性向け)' },
      { code: 3, label_ja: 'ムーンライトノベルズ(BL)' },
      { code: 4, label_ja: 'ミッドナイトノベルズ(大人向け)' },
    ],
  });
});

it.each(['genres', 'nocgenres'])('the table of %s is never cached and needs no upstream', async (table) => {
  for (const query of ['', '', '?a=1', '?a=1']) {
    const { body } = await service.get(`/v1/meta/${table}${query}`);
    expect(body.meta).toEqual({
      cached: false,
      tookMs: expect.any(Number) as number,
      source: 'static',
      ...(query === '' ? {} : { ignored: ['a'] }),
    });
  }
  expect(service.upstream.requestCount()).toBe(0);
});
