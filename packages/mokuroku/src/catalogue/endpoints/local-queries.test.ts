import { describe, expect, it } from 'vitest';
import { TEST_NOW } from '../../../test/catalogue/start-test-catalogue.ts';
import { serviceOn } from '../../../test/catalogue/three-sources.ts';

/** How often each value occurs, by hand. */
function countBy<Item>(items: readonly Item[], valueOf: (item: Item) => string | number) {
  const counts: Record<string, number> = {};
  for (const item of items) counts[valueOf(item)] = (counts[valueOf(item)] ?? 0) + 1;
  return counts;
}

describe.each(['sample', 'local'] as const)('on %s, facets', (name) => {
  const service = serviceOn(name);

  it('count all matches, not only those of the page', async () => {
    const word = '図書館';
    const { body } = await service.get(
      `/v1/novels?word=${encodeURIComponent(word)}&title=1&lim=1&of=n&facets=genre,type`,
    );
    const matches = service.catalogue.novels().filter(({ title }) => title.includes(word));
    expect(body.meta.upstreamAllCount).toBe(matches.length);
    expect(body.data).toHaveLength(1);
    expect(body.meta.facets).toEqual({
      genre: countBy(matches, (novel) => novel.genre),
      type: countBy(matches, (novel) => (novel.noveltype === 2 ? 't' : novel.end === 1 ? 'r' : 'er')),
    });
  });

  it('count novels on hiatus, although the filter has another name', async () => {
    const { body } = await service.get('/v1/novels?lim=1&facets=isstop');
    const novels = service.catalogue.novels();
    expect(body.meta.facets).toEqual({ isstop: countBy(novels, ({ isstop }) => isstop) });
    expect(body.meta.ignored).toBeUndefined();
  });

  it('of adult novels count by their own genres', async () => {
    const { body } = await service.get('/v1/r18/novels?lim=1&facets=nocgenre');
    const adult = service.catalogue.adultNovels();
    expect(body.meta.facets).toEqual({ nocgenre: countBy(adult, (novel) => novel.nocgenre) });
  });

  it('are absent unless requested, and an unknown facet is rejected', async () => {
    expect((await service.get('/v1/novels?lim=1')).body.meta.facets).toBeUndefined();
    for (const question of [
      '/v1/novels?facets=genre,writer',
      '/v1/r18/novels?facets=genre',
      '/v1/novels?facets=',
    ]) {
      const { status, body } = await service.get(question);
      expect([status, body.error.details[0]?.parameter], question).toEqual([400, 'facets']);
    }
  });

  it('belong to their own query, even if a page with the same novels is cached', async () => {
    const counts = async (facets: string) =>
      Object.keys((await service.get(`/v1/novels?lim=2&of=n&order=hyoka&${facets}`)).body.meta.facets ?? {});
    expect(await counts('')).toEqual([]);
    expect(await counts('facets=type')).toEqual(['type']);
    expect(await counts('facets=type,isr15')).toEqual(['isr15', 'type']);
  });
});

describe.each(['sample', 'local'] as const)('on %s, suggestions', (name) => {
  const service = serviceOn(name);

  it('contain the typed text, ordered by weekly points', async () => {
    const typed = '図書';
    const { body } = await service.get(`/v1/suggest?q=${encodeURIComponent(typed)}&lim=3`);
    const novels = service.catalogue.novels();
    const titles = novels
      .filter(({ title }) => title.includes(typed))
      .toSorted((a, b) => b.weekly_point - a.weekly_point);
    expect((body.data as { titles: { title: string }[] }).titles.map(({ title }) => title)).toEqual(
      [...new Set(titles.map(({ title }) => title))].slice(0, 3),
    );
    const library = novels.filter(({ keyword }) => keyword.split(' ').includes('図書館'));
    expect(body.data).toMatchObject({ keywords: [{ keyword: '図書館', novels: library.length }] });
    expect(body.meta.asOf).toBe(name === 'local' ? new Date(TEST_NOW).toISOString() : undefined);
  });

  it('are at most ten of each kind, none for an empty text, and up to 50 on request', async () => {
    const lengths = async (query: string) => {
      const { titles, writers, keywords } = (await service.get(`/v1/suggest?${query}`)).body.data as Record<
        string,
        []
      >;
      return [titles?.length, writers?.length, keywords?.length];
    };
    const [titles] = await lengths(`q=${encodeURIComponent('の')}`);
    expect(titles).toBe(10);
    expect(await lengths('')).toEqual([0, 0, 0]);
    expect(await lengths('q=%E3%80%80')).toEqual([0, 0, 0]);
    expect((await lengths(`q=${encodeURIComponent('の')}&lim=50`))[0]).toBe(50);
    expect((await service.get('/v1/suggest?q=a&lim=51')).status).toBe(400);
  });
});

describe.each(['sample', 'upstream', 'local'] as const)('on %s, facets', (name) => {
  const service = serviceOn(name);

  it.each(['csv', 'atom'])('have no effect on %s, which says so', async (format) => {
    const path = `/v1/novels?lim=1&format=${format}`;
    const { status, text, headers } = await service.get(`${path}&facets=type`);
    const without = await service.get(path);
    const sameAddress = text.replace('&amp;facets=type', '');
    expect([status, headers['x-ignored'], sameAddress]).toEqual([200, 'facets', without.text]);
  });
});

describe('on a local catalogue', () => {
  const service = serviceOn('local');

  it.each([
    ['buntai,type', ['type']],
    ['buntai', undefined],
  ])('a local catalogue names the facets of %s that it cannot count', async (facets, counted) => {
    const { meta } = (await service.get(`/v1/novels?lim=1&of=n&facets=${facets}`)).body;
    expect(meta.ignored).toEqual(['facets=buntai']);
    expect(meta.facets && Object.keys(meta.facets)).toEqual(counted);
  });
});

describe('on the live upstream', () => {
  const service = serviceOn('upstream');

  it.each(['/v1/novels?facets=genre', '/v1/r18/novels?facets=nocgenre', '/v1/suggest?q=a'])(
    '%s is not available, the error names the required source, and no request is sent',
    async (question) => {
      const before = service.upstream.requests().length;
      const { status, body } = await service.get(question);
      expect([status, body.error.code]).toEqual([501, 'not_available_here']);
      expect(body.error.message).toContain('local catalogue');
      expect(service.upstream.requests()).toHaveLength(before);
    },
  );
});
