import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, startOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  let service: TestCatalogue;
  beforeAll(async () => {
    service = await startOn(source);
  });
  afterAll(() => service.close());

  it('the table holds the 4 adult genres with their labels, from no cache and no upstream', async () => {
    await service.get('/v1/meta/nocgenres');
    const { body } = await service.get('/v1/meta/nocgenres');
    expect(body.meta).toMatchObject({ cached: false, source: 'static' });
    expect(body.data).toEqual({
      nocgenres: [
        { code: 1, label_ja: 'ノクターンノベルズ(男性向け)' },
        { code: 2, label_ja: 'ムーンライトノベルズ(女性向け)' },
        { code: 3, label_ja: 'ムーンライトノベルズ(BL)' },
        { code: 4, label_ja: 'ミッドナイトノベルズ(大人向け)' },
      ],
    });
    expect(service.upstream.requestCount()).toBe(0);
  });
});
