import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, startOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  let service: TestCatalogue;
  beforeAll(async () => {
    service = await startOn(source);
  });
  afterAll(() => service.close());

  it('the tables contain 22 genres and 7 big genres with their labels', async () => {
    const { body } = await service.get('/v1/meta/genres');
    expect(Object.keys(body.data as object)).toEqual(['genres', 'biggenres']);
    const { genres, biggenres } = body.data as Record<string, { code: number; label_ja: string }[]>;
    expect([genres?.length, biggenres?.length]).toEqual([22, 7]);
    expect(genres).toContainEqual({ code: 302, label_ja: 'ヒューマンドラマ〔文芸〕' });
    expect(biggenres).toContainEqual({ code: 98, label_ja: 'ノンジャンル' });
  });

  it('they are always uncached and need no upstream, also the second time', async () => {
    for (const query of ['', '', '?a=1', '?a=1']) {
      const { body } = await service.get(`/v1/meta/genres${query}`);
      expect(body.meta).toEqual({
        cached: false,
        tookMs: expect.any(Number) as number,
        source: 'static',
        ...(query === '' ? {} : { ignored: ['a'] }),
      });
    }
    expect(service.upstream.requestCount()).toBe(0);
  });
});
