import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, itRequesting, startOn } from '../../../test/catalogue/three-sources.ts';
import { EXAMPLES, dayOfDate } from '@mokuroku/narou';
import { compareNcodes } from '../../../../narou/src/novels/ncode.ts';

describe.each(SOURCES)('on %s', (source) => {
  let service: TestCatalogue;
  let unranked: string;
  beforeAll(async () => {
    service = await startOn(source);
    unranked = neverRanked();
  });
  afterAll(() => service.close());

  const history = (ncode: string) => service.get(`/v1/novels/${ncode}/ranking-history`);

  /** The first novels ranked in a month long ago, and the oldest of the novels that no ranking ever had. */
  const ranked = () =>
    (service.catalogue.ranking('monthly', dayOfDate('2026-03-01') ?? 0) ?? []).map(({ ncode }) => ncode);
  const neverRanked = () =>
    [...service.catalogue.novels()]
      .sort((a, b) => a.yearly_point - b.yearly_point || compareNcodes(a.ncode, b.ncode))
      .find(({ ncode }) => service.catalogue.rankingHistory(ncode)?.length === 0)?.ncode ?? '';

  // The folder of these tests has not every ranking; see local/rankings.test.ts.
  itRequesting(source)(
    'the history contains every ranking with the novel, in the upstream’s order and form',
    async () => {
      for (const ncode of ranked().slice(0, 2)) {
        const rows = service.catalogue.rankingHistory(ncode) ?? [];
        expect(rows.length).toBeGreaterThan(20);
        const { body } = await history(ncode.toLowerCase());
        expect(body.meta.source).toBe('rankin');
        expect(body.data).toMatchObject(rows.map(({ rtype, rank, pt }) => ({ rtype, rank, pt })));
        expect((body.data as { rtype: string }[]).map((entry) => entry.rtype)).toEqual(
          rows.map(({ rtype }) => rtype).sort(),
        );
      }
    },
  );

  const WAYS = (['empty', 'error'] as const).flatMap((neverRanked) =>
    ([200, 400, 404, 500] as const).map((errorStatus) => ({ neverRanked, errorStatus })),
  );

  it.each(WAYS)('an unranked novel is empty, an unknown one is 404: %o', async (switches) => {
    Object.assign(service.upstream.switches, switches);
    service.advance(2 * 3600);
    const empty = await history(unranked);
    expect([empty.status, empty.body]).toMatchObject([200, { data: [], meta: { cached: false } }]);
    const absent = await history('N9999ZZ');
    expect([absent.status, absent.body.error.code]).toEqual([404, 'not_found']);
  });

  it('a history outlives its novel', async () => {
    const living = new Set(service.catalogue.novels().map((novel) => novel.ncode));
    const deleted = ranked().find((ncode) => !living.has(ncode)) ?? '';
    expect((await service.get(`/v1/novels/${deleted}`)).status).toBe(404);
    expect((await history(deleted)).body.data).not.toEqual([]);
  });

  it('a malformed code is rejected', async () => {
    expect((await history('N1')).status).toBe(400);
  });

  it('with a type, a history has its rows of that type alone, in JSON and as CSV', async () => {
    const whole = (await history(EXAMPLES.ncode)).body.data as { type: string }[];
    const path = `/v1/novels/${EXAMPLES.ncode}/ranking-history?type=weekly`;
    const weekly = whole.filter(({ type }) => type === 'weekly');
    expect([weekly.length > 0, weekly.length < whole.length]).toEqual([true, true]);
    const { body } = await service.get(path);
    expect([body.data, body.meta]).toEqual([weekly, expect.objectContaining({ source: 'rankin' })]);
    const { text } = await service.get(`${path}&format=csv`);
    expect(text.trim().split('\r\n')).toHaveLength(weekly.length + 1);
    expect((await service.get('/v1/novels/N9999ZZ/ranking-history?type=weekly')).status).toBe(404);
    expect((await service.get(`/v1/novels/${EXAMPLES.ncode}/ranking-history?type=yearly`)).status).toBe(400);
  });

  it('type and date of an entry lead to the ranking with the stated place', async () => {
    const { body } = await history(EXAMPLES.ncode);
    const entries = body.data as { rtype: string; rank: number; pt: number; type: string; date: string }[];
    for (const letter of ['d', 'w', 'm', 'q']) {
      const entry = entries.findLast(({ rtype }) => rtype.endsWith(letter));
      if (entry === undefined) throw new Error(`no ${letter}`);
      const { type, date, rank, pt } = entry;
      const ranking = await service.get(`/v1/rankings/${type}?date=${date}`);
      expect(ranking.body.data).toContainEqual({ ncode: EXAMPLES.ncode, rank, pt });
      if (type === 'weekly') expect(new Date(date).getUTCDay()).toBe(1);
    }
  });
});
