import { expect, it } from 'vitest';
import { biggenreOf } from '@mokuroku/narou';
import type { CodeLabel } from '@mokuroku/narou';
import { serviceOn } from '../../../test/catalogue/three-sources.ts';

const service = serviceOn('upstream');

it('the tables contain 22 genres, 7 big genres and 4 adult genres once, a genre with the label of its big genre', async () => {
  const { body } = await service.get('/v1/meta/genres');
  const { genres, biggenres, ...others } = body.data as Record<'genres' | 'biggenres', CodeLabel[]>;
  const big = new Map(biggenres.map(({ code, label_ja }) => [code, label_ja]));
  expect([new Set(genres.map(({ code }) => code)).size, big.size, others]).toEqual([22, 7, {}]);
  for (const { code, label_ja } of genres)
    expect(label_ja).toMatch(new RegExp(`〔${big.get(biggenreOf(code))!}〕$`));
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
