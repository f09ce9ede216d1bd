import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestBody, TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, itRequesting, requestsOn, startOn } from '../../../test/catalogue/three-sources.ts';
import { dayOfDate } from '@mokuroku/narou';

describe.each(SOURCES)('on %s', (source) => {
  let service: TestCatalogue;
  let ranked: string[];
  beforeEach(async () => {
    service = await startOn(source);
    const ranking = service.catalogue.ranking('monthly', dayOfDate('2026-03-01') ?? 0) ?? [];
    ranked = ranking.map(({ ncode }) => ncode);
  });
  afterEach(() => service.close());

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
      const codes = ranked.slice(0, 5);
      const answer = await many([...codes.map((code) => code.toLowerCase()), 'N9999ZZ']);
      const histories = historiesOf(answer);
      expect(answer.body.meta.source).toBe('rankin');
      expect(Object.keys(histories).sort()).toEqual([...codes, 'N9999ZZ'].sort());
      expect(histories['N9999ZZ']).toBeNull();
      for (const code of codes) {
        const own = await service.get(`/v1/novels/${code}/ranking-history`);
        expect([own.body.meta.cached, own.body.data]).toEqual([true, histories[code]]);
      }
    });

    it('cost only the upstream requests of those that are not cached', async () => {
      for (const code of ranked.slice(0, 3)) await service.get(`/v1/novels/${code}/ranking-history`);
      const before = service.upstream.requestCount();
      await many(ranked.slice(0, 5));
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 2));
      const again = await many(ranked.slice(0, 4));
      expect(again.headers['cache-status']).toMatch(/; hit; ttl=\d+$/);
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 2));
    });

    // A folder queries no upstream that could fail.
    itRequesting(source)('fail like a single one, and are served if all are cached', async () => {
      await many(ranked.slice(0, 10));
      service.upstream.switches.status = 500;
      expect((await many(ranked.slice(0, 12))).body.error.code).toBe('upstream_unavailable');
      expect((await many(ranked.slice(0, 9))).status).toBe(200);
    });

    it('are at most 50, on a local catalogue 500, and at least one', async () => {
      expect((await many(ranked.slice(0, 50))).status).toBe(200);
      const most = source === 'local' ? 500 : 50;
      const codes = Array.from({ length: most + 1 }, (_, index) => `N${String(index).padStart(4, '0')}AA`);
      if (source === 'local') expect((await many(codes.slice(1))).status).toBe(200);
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
      const codes = ranked.slice(0, 6);
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
      await many(ranked.slice(0, 3));
      service.upstream.switches.status = 500;
      const lines = linesOf((await many([...ranked.slice(0, 4), 'N9999ZZ'], '&format=ndjson')).text);
      expect(lines.filter(({ data }) => data)).toHaveLength(3);
      const failed = lines.filter(({ error }) => error);
      expect(new Set(failed.map(({ error }) => error?.code))).toEqual(new Set(['upstream_unavailable']));
      for (const { retryAfterSeconds } of failed) expect(retryAfterSeconds).toBeGreaterThan(0);
      expect(service.lines.filter((line) => line.includes('"code":"upstream_unavailable"'))).toHaveLength(1);
    });

    it('a HEAD request causes no upstream request', async () => {
      const path = `/v1/ranking-histories?ncode=${ranked.slice(0, 9).join()}&format=ndjson`;
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

it('rows that a history lacks are counted, beside it and in all', async () => {
  const service = await startTestCatalogue({
    sourceOver: (source) => ({
      ...source,
      getRankingHistory: (ncode) => Promise.resolve({ value: [], unreadable: ncode === 'N0001A' ? 2 : 1 }),
    }),
  });
  onTestFinished(() => service.close());
  const path = '/v1/ranking-histories?ncode=N0001A,N0002A';
  expect((await service.get(path)).body.meta.unreadable).toBe(3);
  const lines = (await service.get(`${path}&format=ndjson`)).text.trimEnd().split('\n').sort();
  expect(lines).toEqual([
    '{"ncode":"N0001A","data":[],"unreadable":2}',
    '{"ncode":"N0002A","data":[],"unreadable":1}',
  ]);
});
