import { describe, expect, it } from 'vitest';
import { searchByHand } from '../../../test/catalogue/search-by-hand.ts';
import { SOURCES, serviceOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

  it.each([
    { episodes: '10-100' },
    { episodes: '-1' },
    { points: '1000-' },
    { anykeyword: '料理 猫' },
    { anykeyword: '料理', keyword: '1', notword: '魔法' },
    { notkeyword: '料理 魔法' },
    { anykeyword: '料理 猫', notkeyword: '魔法', points: '100-', genre: '201,202' },
  ])('%j finds what a search by hand finds; the live upstream refuses what it lacks', async (search) => {
    const query = new URLSearchParams({ ...search, of: 'n', order: 'ncodeasc', lim: '500' });
    const { status, body } = await service.get(`/v1/novels?${query.toString()}`);
    if (source === 'upstream') {
      expect([status, body.error.code]).toEqual([501, 'not_available_here']);
      for (const name of Object.keys(search).filter((each) => /^(episodes|points|\w+keyword)$/.test(each)))
        expect(body.error.message).toContain(name);
      return;
    }
    const byHand = searchByHand(service.catalogue.novels(), { ...search, order: 'ncodeasc', lim: '500' });
    expect(byHand.all).toBeGreaterThan(0);
    expect(byHand.all).toBeLessThan(service.catalogue.novels().length);
    expect([status, body.meta['upstreamAllCount']]).toEqual([200, byHand.all]);
    expect(body.data).toEqual(byHand.items.map(({ ncode }) => ({ ncode })));
  });

  it('faults are reported', async () => {
    const { status, body } = await service.get('/v1/novels?episodes=9-1&points=x');
    expect([status, body.error.details.map(({ parameter }) => parameter)]).toEqual([
      400,
      ['episodes', 'points'],
    ]);
  });
});
