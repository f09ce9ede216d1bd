import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillLocalFolder } from '../../../test/catalogue/local-folder.ts';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { createLogger } from '@mokuroku/kit/process';
import { openLocalSource } from '../../../../local-catalogue/src/local/local-source.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-at-hand-'));
const services: Partial<Record<'sample' | 'local' | 'live', TestCatalogue>> = {};

beforeAll(async () => {
  services.live = await startTestCatalogue();
  services.sample = await startTestCatalogue({ isLocal: true });
  await fillLocalFolder(dir, services.sample.catalogue, { now: TEST_NOW, fetchedAt: TEST_NOW / 1000 - 60 });
  const { logger } = createLogger('catalogue', 'silent');
  services.local = await startTestCatalogue({
    sourceOver: (_upstream, clock) => openLocalSource({ dir, upstream: undefined, clock, logger }),
  });
}, 120_000);
afterAll(async () => {
  for (const service of Object.values(services)) await service.close();
  fs.rmSync(dir, { recursive: true });
});

const send = (name: 'sample' | 'local' | 'live', question: string) => services[name]!.get(question);

/** How often each value occurs, by hand. */
function countBy<Item>(items: readonly Item[], valueOf: (item: Item) => string | number) {
  const counts: Record<string, number> = {};
  for (const item of items) counts[valueOf(item)] = (counts[valueOf(item)] ?? 0) + 1;
  return counts;
}

describe.each(['sample', 'local'] as const)('on %s, facets', (name) => {
  it('count all matches, not only those of the page', async () => {
    const word = '図書館';
    const { body } = await send(
      name,
      `/v1/novels?word=${encodeURIComponent(word)}&title=1&lim=1&of=n&facets=genre,type`,
    );
    const matches = services.sample!.catalogue.novels().filter(({ title }) => title.includes(word));
    expect(body.meta.upstreamAllCount).toBe(matches.length);
    expect(body.data).toHaveLength(1);
    expect(body.meta.facets).toEqual({
      genre: countBy(matches, (novel) => novel.genre),
      type: countBy(matches, (novel) => (novel.novel_type === 2 ? 't' : novel.end === 1 ? 'r' : 'er')),
    });
  });

  it('count novels on hiatus, although the filter has another name', async () => {
    const { body } = await send(name, '/v1/novels?lim=1&facets=isstop');
    const novels = services.sample!.catalogue.novels();
    expect(body.meta.facets).toEqual({ isstop: countBy(novels, ({ isstop }) => isstop) });
    expect(body.meta.ignored).toBeUndefined();
  });

  it('of adult novels count by their own genres', async () => {
    const { body } = await send(name, '/v1/r18/novels?lim=1&facets=nocgenre');
    const adult = services.sample!.catalogue.adultNovels();
    expect(body.meta.facets).toEqual({ nocgenre: countBy(adult, (novel) => novel.nocgenre) });
  });

  it('are absent unless requested, and an unknown facet is rejected', async () => {
    expect((await send(name, '/v1/novels?lim=1')).body.meta.facets).toBeUndefined();
    for (const question of [
      '/v1/novels?facets=genre,writer',
      '/v1/r18/novels?facets=genre',
      '/v1/novels?facets=',
    ]) {
      const { status, body } = await send(name, question);
      expect([status, body.error.details[0]?.parameter], question).toEqual([400, 'facets']);
    }
  });

  it('belong to their own query, even if a page with the same novels is cached', async () => {
    const counts = async (facets: string) =>
      Object.keys((await send(name, `/v1/novels?lim=2&of=n&order=hyoka&${facets}`)).body.meta.facets ?? {});
    expect(await counts('')).toEqual([]);
    expect(await counts('facets=type')).toEqual(['type']);
    expect(await counts('facets=type,isr15')).toEqual(['isr15', 'type']);
  });
});

it.each([
  ['buntai,type', ['type']],
  ['buntai', undefined],
])('a local catalogue names the facets of %s that it cannot count', async (facets, counted) => {
  const { meta } = (await send('local', `/v1/novels?lim=1&of=n&facets=${facets}`)).body;
  expect(meta.ignored).toEqual(['facets=buntai']);
  expect(meta.facets && Object.keys(meta.facets)).toEqual(counted);
});

describe.each(['sample', 'local'] as const)('on %s, suggestions', (name) => {
  it('contain the typed text, ordered by weekly points', async () => {
    const typed = '図書';
    const { body } = await send(name, `/v1/suggest?q=${encodeURIComponent(typed)}&lim=3`);
    const novels = services.sample!.catalogue.novels();
    const titles = novels
      .filter(({ title }) => title.includes(typed))
      .toSorted((a, b) => b.weekly_point - a.weekly_point);
    expect((body.data as { titles: { title: string }[] }).titles.map(({ title }) => title)).toEqual(
      [...new Set(titles.map(({ title }) => title))].slice(0, 3),
    );
    const library = novels.filter(({ keyword }) => keyword.split(' ').includes('図書館'));
    expect(body.data).toMatchObject({ keywords: [{ keyword: '図書館', novels: library.length }] });
    expect(body.meta.asOf).toBe(name === 'local' ? new Date(TEST_NOW - 60_000).toISOString() : undefined);
  });

  it('are at most ten of each kind, none for an empty text, and up to 50 on request', async () => {
    const lengths = async (query: string) => {
      const { titles, writers, keywords } = (await send(name, `/v1/suggest?${query}`)).body.data as Record<
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
    expect((await send(name, '/v1/suggest?q=a&lim=51')).status).toBe(400);
  });
});

describe('on the live upstream', () => {
  it.each(['/v1/novels?facets=genre', '/v1/r18/novels?facets=nocgenre', '/v1/suggest?q=a'])(
    '%s is not available, the error names the required source, and no request is sent',
    async (question) => {
      const before = services.live!.upstream.requests().length;
      const { status, body } = await send('live', question);
      expect([status, body.error.code]).toEqual([501, 'not_available_here']);
      expect(body.error.message).toContain('local catalogue');
      expect(services.live!.upstream.requests()).toHaveLength(before);
    },
  );
});
