import { describe, expect, it } from 'vitest';
import { recordByHand } from '../../../test/catalogue/search-by-hand.ts';
import { omit } from '../../../../narou/test/invented-records.ts';
import { SOURCES, serviceOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

  it('a novel has all its fields, whatever the case of its code', async () => {
    for (const novel of service.catalogue
      .novels()
      .slice(0, 400)
      .filter((_, i) => i % 40 === 0)) {
      const { status, body } = await service.get(`/v1/novels/${novel.ncode.toLowerCase()}`);
      expect(status).toBe(200);
      expect(body.meta.source).toBe('novelapi');
      expect(omit(body.data as Record<string, unknown>, 'genre_label')).toEqual(
        recordByHand(novel, undefined),
      );
    }
  });

  it('a pasted address is refused with the code that it contains', async () => {
    const pasted = encodeURIComponent(' https://ncode.syosetu.com/n8403vf/1/');
    const { status, body } = await service.get(`/v1/novels/${pasted}`);
    expect([status, body.error.details]).toMatchObject([400, [{ reason: 'not an Ncode; try N8403VF' }]]);
  });

  it('text comes without HTML entities', async () => {
    const awkward = service.catalogue.novels().filter((novel) => /[&<>"]/.test(novel.title + novel.story));
    expect(awkward.length).toBeGreaterThan(0);
    for (const novel of awkward.slice(0, 5)) {
      const { body } = await service.get(`/v1/novels/${novel.ncode}`);
      expect(body.data).toMatchObject({ title: novel.title, story: novel.story, keyword: novel.keyword });
    }
  });

  it('a novel that does not exist is 404, cached for a minute', async () => {
    const { status, body } = await service.get('/v1/novels/N9999ZZ');
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    const sentCount = service.upstream.requestCount();
    expect((await service.get('/v1/novels/n9999zz')).status).toBe(404);
    expect(service.upstream.requestCount()).toBe(sentCount);
    service.advance(61);
    expect((await service.get('/v1/novels/n9999zz')).status).toBe(404);
    expect(service.upstream.requestCount()).toBe(sentCount + (source === 'sample' ? 0 : 1));
  });

  it('a novel of the other site is not found', async () => {
    const [general, adult] = [
      service.catalogue.novels()[0]?.ncode,
      service.catalogue.adultNovels()[0]?.ncode,
    ];
    for (const path of [`novels/${adult}`, `r18/novels/${general}`, 'r18/novels/N9999ZZ']) {
      const { status, body } = await service.get(`/v1/${path}`);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
  });

  it('an adult novel has all its metadata', async () => {
    const novel = service.catalogue.adultNovels()[0];
    const { body } = await service.get(`/v1/r18/novels/${novel?.ncode.toLowerCase() ?? ''}`);
    expect(omit(body.data as Record<string, unknown>, 'nocgenre_label')).toEqual(
      recordByHand(novel as never, undefined),
    );
    expect(body.meta.source).toBe('novel18api');
  });

  it.each(['x', 'N1234AB,N1234AC', '%E7%8C%AB', 'a'.repeat(2_000)])(
    'the code %s is malformed',
    async (code) => {
      const { status, body } = await service.get(`/v1/novels/${code}`);
      expect(status).toBe(400);
      expect(body.error.details[0]?.parameter).toBe('ncode');
    },
  );
});
