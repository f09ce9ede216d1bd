import { describe, expect, it, onTestFinished } from 'vitest';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestBody } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, itRequesting, requestsOn, serviceOn } from '../../../test/catalogue/three-sources.ts';
import { EXAMPLES, dayOfDate } from '@mokuroku/narou';
import { Admission } from '../../../../kit/src/limits/admission.ts';
import type { TurnKind } from '../../../../kit/src/limits/admission.ts';
import { compareNcodes } from '../../../../narou/src/novels/ncode.ts';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

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
    const empty = await history(neverRanked());
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

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source, 'test');
  /** The first novels ranked in a month long ago. */
  const ranked = () =>
    (service.catalogue.ranking('monthly', dayOfDate('2026-03-01') ?? 0) ?? []).map(({ ncode }) => ncode);

  const many = (ncodes: readonly string[], more = '') =>
    service.get(`/v1/ranking-histories?ncode=${ncodes.join()}${more}`);

  const historiesOf = ({ body }: { body: TestBody }) => body.data as Record<string, unknown[] | null>;

  interface Line {
    ncode: string;
    data?: unknown[];
    error?: { code: string };
    retryAfterSeconds?: number;
  }
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  describe('many histories in one request', () => {
    it('equal the single histories; null for a novel that does not exist', async () => {
      const codes = ranked().slice(0, 5);
      const answer = await many([...codes.map((code) => code.toLowerCase()), 'N9999ZZ']);
      const histories = historiesOf(answer);
      expect(answer.body.meta.source).toBe('rankin');
      expect(Object.keys(histories).sort()).toEqual([...codes, 'N9999ZZ'].sort());
      expect(histories['N9999ZZ']).toBeNull();
      expect(answer.body.meta.absent).toEqual(['N9999ZZ']);
      // It has no row, like a novel that never ranked.
      const csv = await many([...codes, 'N9999ZZ'], '&format=csv');
      expect(csv.headers['x-incomplete']).toBe('absent=N9999ZZ');
      expect((await many(codes, '&format=csv')).headers).not.toHaveProperty('x-incomplete');
      for (const code of codes) {
        const own = await service.get(`/v1/novels/${code}/ranking-history`);
        expect([own.body.meta.cached, own.body.data]).toEqual([true, histories[code]]);
      }
    });

    it('have the latest entries of a type, as JSON, CSV and lines, each history as alone', async () => {
      const [code = '', other = ''] = ranked();
      const whole = historiesOf(await many([code, other])) as Record<string, { type: string }[]>;
      const drawn = (of: string) => whole[of]!.filter(({ type }) => type === 'weekly').slice(-3);
      expect(drawn(code)).toHaveLength(3);
      const asked = '&type=weekly&lim=3';
      expect(historiesOf(await many([code, other], asked))).toEqual({
        [code]: drawn(code),
        [other]: drawn(other),
      });
      const single = await service.get(`/v1/novels/${code}/ranking-history?type=weekly&lim=3`);
      expect(single.body.data).toEqual(drawn(code));
      for (const lim of [1, 2]) {
        const latest = await service.get(`/v1/novels/${code}/ranking-history?lim=${lim}`);
        expect(latest.body.data).toEqual(whole[code]!.slice(-lim));
      }
      const { text } = await many([code], `${asked}&format=csv`);
      expect(text.trim().split('\r\n')).toHaveLength(4);
      const [line] = linesOf((await many([code], `${asked}&format=ndjson`)).text);
      expect(line).toMatchObject({ ncode: code, data: drawn(code) });
    });

    it('cost only the upstream requests of those that are not cached', async () => {
      for (const code of ranked().slice(0, 3)) await service.get(`/v1/novels/${code}/ranking-history`);
      const before = service.upstream.requestCount();
      await many(ranked().slice(0, 5));
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 2));
      const again = await many(ranked().slice(0, 4));
      expect(again.headers['cache-status']).toMatch(/; hit; ttl=\d+$/);
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 2));
    });

    // A folder queries no upstream that could fail.
    itRequesting(source)('fail like a single one, and are served if all are cached', async () => {
      await many(ranked().slice(0, 10));
      service.upstream.switches.status = 500;
      expect((await many(ranked().slice(0, 12))).body.error.code).toBe('upstream_unavailable');
      expect((await many(ranked().slice(0, 9))).status).toBe(200);
    });

    it('are at most 50, on a local catalogue 500, and at least one', async () => {
      const most = source === 'local' ? 500 : 50;
      const codes = Array.from({ length: most + 1 }, (_, index) => `N${String(index).padStart(4, '0')}AA`);
      expect((await many(codes.slice(1))).status).toBe(200);
      const tooMany = await many(codes);
      expect([tooMany.status, tooMany.body.error.details[0]?.parameter]).toEqual([400, 'ncode']);
      const none = await service.get('/v1/ranking-histories');
      expect([none.status, none.body.error.details[0]?.['reason']]).toEqual([400, 'missing']);
      const invalid = await service.get('/v1/ranking-histories?ncode=x');
      expect(invalid.body.error.details).toHaveLength(1);
    });
  });

  describe('as lines', () => {
    it('each history is one line, by format or by Accept', async () => {
      const codes = ranked().slice(0, 6);
      const { text, headers } = await many(codes, '&format=ndjson');
      expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      const lines = linesOf(text);
      expect(lines.map(({ ncode }) => ncode).sort()).toEqual([...codes].sort());
      const histories = historiesOf(await many(codes));
      for (const { ncode, data } of lines) expect(data).toEqual(histories[ncode]);
      const accept = { headers: { accept: 'application/x-ndjson' } };
      const named = await service.get(`/v1/ranking-histories?ncode=${codes.join()}&what=1`, accept);
      expect(linesOf(named.text)).toHaveLength(6);
      expect(named.headers['x-ignored']).toBe('what');
    });

    itRequesting(source)('a failed history is a line with its error, and the others are sent', async () => {
      await many(ranked().slice(0, 3));
      service.upstream.switches.status = 500;
      const lines = linesOf((await many([...ranked().slice(0, 4), 'N9999ZZ'], '&format=ndjson')).text);
      expect(lines.filter(({ data }) => data)).toHaveLength(3);
      const failed = lines.filter(({ error }) => error);
      expect(new Set(failed.map(({ error }) => error?.code))).toEqual(new Set(['upstream_unavailable']));
      for (const { retryAfterSeconds } of failed) expect(retryAfterSeconds).toBeGreaterThan(0);
      expect(service.lines.filter((line) => line.includes('"code":"upstream_unavailable"'))).toHaveLength(1);
    });

    it('a HEAD request causes no upstream request', async () => {
      const path = `/v1/ranking-histories?ncode=${ranked().slice(0, 9).join()}&format=ndjson`;
      const { status, headers, text } = await service.get(path, { method: 'HEAD' });
      expect([status, headers['content-type'], text]).toEqual([
        200,
        'application/x-ndjson; charset=utf-8',
        '',
      ]);
      expect(headers['content-length']).toBeUndefined();
      expect(service.upstream.requestCount()).toBe(0);
    });

    it('a novel that does not exist is a line with not_found', async () => {
      const lines = linesOf((await many(['N9999ZZ'], '&format=ndjson')).text);
      expect(lines).toMatchObject([{ ncode: 'N9999ZZ', error: { code: 'not_found' } }]);
    });
  });
});

it('several histories are as old as the oldest, end at the earliest day, and count all the rows that they lack', async () => {
  const histories = {
    N0001A: { value: [], unreadable: 2, until: '2026-11-21', fetchedAt: TEST_NOW / 1000 - 60 },
    N0002A: {
      value: [],
      unreadable: 1,
      until: '2026-11-20',
      missing: ['20240409-w'],
      fetchedAt: TEST_NOW / 1000,
    },
    N0003A: { value: [], unreadable: 0 },
  };
  const service = await startTestCatalogue({
    sourceOver: (source) => ({
      ...source,
      getRankingHistory: (ncode) => Promise.resolve(histories[ncode as keyof typeof histories]),
    }),
  });
  onTestFinished(() => service.close());
  const get = async (query: string) => (await service.get(`/v1/ranking-histories?ncode=${query}`)).body.meta;
  const asOf = new Date(TEST_NOW - 60_000).toISOString();
  expect(await get('N0001A,N0002A,N0003A')).toMatchObject({
    unreadable: 3,
    until: '2026-11-20',
    missing: ['20240409-w'],
    asOf,
  });
  const meta = { cached: true, tookMs: expect.any(Number) as number, source: 'rankin' };
  expect(await get('N0003A')).toEqual(meta);
  const path = '/v1/ranking-histories?ncode=N0001A,N0002A&format=ndjson';
  const lines = (await service.get(path)).text.trimEnd().split('\n').sort();
  expect(lines).toEqual([
    '{"ncode":"N0001A","data":[],"until":"2026-11-21","unreadable":2}',
    '{"ncode":"N0002A","data":[],"until":"2026-11-20","missing":["20240409-w"],"unreadable":1}',
  ]);
});

it('several histories are put together one a turn of the event loop, so that other requests come in', async () => {
  const kinds: TurnKind[] = [];
  class CountedTurns extends Admission {
    override nextTurn(...of: Parameters<Admission['nextTurn']>): Promise<void> {
      kinds.push(of[0]);
      return super.nextTurn(...of);
    }
  }
  const service = await startTestCatalogue({ admission: new CountedTurns({}), isSample: true });
  onTestFinished(service.close);
  const day = dayOfDate('2026-03-01') ?? 0;
  const codes = (service.catalogue.ranking('monthly', day) ?? []).slice(0, 20).map(({ ncode }) => ncode);
  expect((await service.get(`/v1/ranking-histories?ncode=${codes.join()}&lim=1`)).status).toBe(200);
  expect(kinds.filter((kind) => kind === 'page')).toHaveLength(20);
});
