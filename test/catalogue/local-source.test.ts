import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedRanking } from '../../packages/mokuroku/test/catalogue/local-folder.ts';
import { HOUR_AGO, localServices } from '../../packages/mokuroku/test/catalogue/local-services.ts';
import { plainNovel } from '../../packages/narou/test/plain-novel.ts';
import { chanceOf, randomQuery, seededRandom } from '../../packages/narou/test/random-questions.ts';
import type { CatalogueSource, NovelSource } from '@mokuroku/narou/source';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex } from '../../packages/local-catalogue/src/engine/build-index.ts';
import { CONDITION_NAMES } from '@mokuroku/narou/queries';
import type { NovelQuery, SearchCondition } from '@mokuroku/narou/queries';
import { SERVED_CODES, NOVEL18API_ORDERS } from '@mokuroku/narou';
import type { NovelInterface } from '@mokuroku/narou';
import { publishRankings } from '../../packages/local-catalogue/src/local/ranking-files.ts';

const DAY = 86_400;
/** 2,000 were tested once; each is sent over HTTP. */
const QUESTIONS = Number(process.env['MOKUROKU_LOCAL_QUESTIONS'] ?? 100);

const services = localServices();

const isWellFormed = (text: string): boolean => !/[\ud800-\udfff]/u.test(text);
/** Whether it can be sent in a query string. */
const isAskable = (value: unknown): boolean => {
  if (typeof value === 'string') return isWellFormed(value);
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== 'object' || value === null) return true;
  const { min, max } = value as { min?: number; max?: number };
  return min !== undefined && max !== undefined && min <= max;
};

/** The part of a query that an interface serves, without values that a URL cannot express. */
function askable(query: NovelQuery, name: NovelInterface, { applies }: NovelSource): NovelQuery {
  const isServed = (key: string) => !CONDITION_NAMES.has(key) || applies.has(key as SearchCondition);
  const conditions = Object.entries(query).filter(([key, value]) => isServed(key) && isAskable(value));
  const order = name === 'novelapi' || query.order in NOVEL18API_ORDERS ? query.order : 'new';
  return { ...(Object.fromEntries(conditions) as unknown as NovelQuery), order };
}

describe('a local catalogue', () => {
  it(
    'returns the same records, totals and pages as the upstream over HTTP, for random queries',
    { timeout: 300_000 },
    async () => {
      const { local } = await services.start(services.filled);
      const narou = services.upstream.source;
      const chance = chanceOf(seededRandom(2026));
      for (let requestCount = 0; requestCount < QUESTIONS; requestCount++) {
        const name: NovelInterface = chance.often(0.8) ? 'novelapi' : 'novel18api';
        const { catalogue } = services.upstream;
        const novels = name === 'novelapi' ? catalogue.novels() : catalogue.adultNovels();
        const codes = SERVED_CODES[name].filter(() => chance.often(0.2));
        const query: NovelQuery = {
          ...askable(randomQuery(chance, novels), name, narou.novels[name]),
          ...(chance.often(0.5) && { of: codes }),
          ...(chance.often(0.2) && { opt: 'weekly' as const }),
        };
        const search = (source: CatalogueSource) => source.novels[name].search(query);
        const [here, there] = [await search(local), await search(narou)];
        const [total, page] = [here.allCount, here.items.map(({ ncode }) => ncode)];
        expect([total, page], JSON.stringify(query)).toEqual([
          there.allCount,
          there.items.map(({ ncode }) => ncode),
        ]);
        // As text, so that the order of the fields counts.
        expect(JSON.stringify(here.items) === JSON.stringify(there.items), JSON.stringify(query)).toBe(true);
      }
    },
  );

  it('returns rankings, hydrated ones and histories like the upstream, without a request to it', async () => {
    const { get, upstream: server } = await services.start(services.filled);
    const ncode = ((await services.upstream.get('/v1/rankings/daily')).body.data as { ncode: string }[])[0]!
      .ncode;
    for (const question of [
      '/v1/rankings/daily',
      '/v1/rankings/daily?date=2026-11-18',
      '/v1/rankings/weekly?date=2026-11-16',
      '/v1/rankings/quarterly?date=2026-11-01',
      '/v1/rankings/monthly/hydrated?of=t-w-g',
      '/v1/rankings/weekly/hydrated',
      `/v1/novels/${ncode}`,
      '/v1/novels?st=3001&lim=3',
    ]) {
      const [here, there] = [await get(question), await services.upstream.get(question)];
      // A folder does not know a novel that was withdrawn before the harvest.
      const data = JSON.stringify(here.body.data).replaceAll(',"unknown":"not_available_here"', '');
      expect(data === JSON.stringify(there.body.data), question).toBe(true);
    }
    const history = await get(`/v1/novels/${ncode}/ranking-history`);
    const whole = await services.upstream.get(`/v1/novels/${ncode}/ranking-history`);
    expect(history.body.data).not.toEqual([]);
    expect(history.body.data).toEqual(whole.body.data);
    expect(server.requests()).toHaveLength(0);
  });

  it('the link to the next page belongs to the response, also for a cached one', async () => {
    const dir = path.join(services.root, 'shrinking');
    const novels = ['N0001TA', 'N0002TA'].map((ncode) => plainNovel({ ncode, fetched_at: HOUR_AGO }));
    await buildIndex(path.join(dir, 'novels'), novels);
    const { get, advance, local } = await services.start(dir);
    const link = async (query = 'lim=1') => (await get(`/v1/novels?${query}`)).headers['link'];
    for (let times = 0; times < 3; times++) expect(await link()).toContain('rel="next"');
    await buildIndex(path.join(dir, 'novels'), novels.slice(0, 1));
    await local.refresh();
    advance(3_600);
    // The same question in another spelling brings the new response.
    await expect.poll(() => link('st=1&lim=1')).toBeUndefined();
    for (let times = 0; times < 3; times++) expect(await link()).toBeUndefined();
  });

  it('weekly readers that the folder lacks are not available', async () => {
    const dir = path.join(services.root, 'without-weekly');
    const fields = Object.entries(plainNovel({ fetched_at: HOUR_AGO }));
    const bare = Object.fromEntries(fields.filter(([name]) => name !== 'weekly_unique'));
    await buildIndex(path.join(dir, 'novels'), [bare as unknown as CatalogueNovel]);
    const { get } = await services.start(dir);
    for (const query of ['opt=weekly', 'order=weekly']) {
      const { status, body } = await get(`/v1/novels?${query}`);
      expect([status, body.error.code], query).toEqual([501, 'not_available_here']);
    }
    expect((await get('/v1/novels')).status).toBe(200);
  });

  it('fetches users from the upstream; without one they are not available', async () => {
    const alone = await services.start(services.filled);
    const refused = await alone.get('/v1/users?lim=1');
    expect([refused.status, refused.body.error.code]).toEqual([501, 'not_available_here']);
    const { userid } = alone.catalogue.users()[0]!;
    expect((await alone.get(`/v1/users/${userid}`)).status).toBe(501);
    const joined = await services.start(services.filled, { hasUpstream: true });
    expect((await joined.get('/v1/users?lim=1')).body.data).toHaveLength(1);
    expect((await joined.get(`/v1/users/${userid}`)).body.data).toMatchObject({ userid: String(userid) });
  });

  it('fetches from the upstream what the folder lacks: adult novels and rankings; without an upstream they are not available', async () => {
    const dir = path.join(services.root, 'novels-alone');
    await buildIndex(path.join(dir, 'novels'), services.datedNovels(() => HOUR_AGO).slice(0, 9));
    const questions = [
      '/v1/r18/novels?lim=1',
      '/v1/rankings/daily?date=2026-11-01',
      `/v1/novels/${services.upstream.catalogue.novels()[0]!.ncode}/ranking-history`,
    ];
    const alone = await services.start(dir);
    const joined = await services.start(dir, { hasUpstream: true });
    for (const question of questions) {
      const refused = await alone.get(question);
      expect([refused.status, refused.body.error.code], question).toEqual([501, 'not_available_here']);
      expect((await joined.get(question)).status, question).toBe(200);
      expect((await joined.get(question)).body.meta.asOf, question).toBeUndefined();
    }
    const positions = [2_000, 2_001].map((st) => joined.get(`/v1/r18/novels?lim=1&st=${st}`));
    expect((await Promise.all(positions)).map(({ status }) => status)).toEqual([200, 501]);
    expect((await alone.get('/v1/novels?lim=1')).status).toBe(200);
  });
});

describe('the age of its responses', () => {
  it('of histories is stated with the last day that they contain, until fourteen days after the harvest', async () => {
    const { get, advance } = await services.start(services.copyOf('histories'));
    const [row] = (await get('/v1/rankings/daily?date=2026-11-20&of=n')).body.data as { ncode: string }[];
    const asOf = new Date(HOUR_AGO * 1000).toISOString();
    const send = async (path: string) => {
      const { status, headers, body } = await get(path);
      return [status, headers['age'], body.meta.asOf, body.meta.until, JSON.stringify(body.data)] as const;
    };
    const one = `/v1/novels/${row!.ncode}/ranking-history`;
    const many = `/v1/ranking-histories?ncode=${row!.ncode}`;
    const before = [await send(one), await send(many)];
    advance(13 * DAY + 22 * 3600);
    const after = [await send(one), await send(many)];
    for (const [index, [status, age, ...stated]] of after.entries()) {
      expect([status, age]).toEqual([200, String(13 * DAY + 23 * 3600)]);
      expect(stated).toEqual([asOf, '2026-11-21', before[index]?.[4]]);
    }
    advance(3600);
    for (const path of [one, many]) expect((await get(path)).body.error.code).toBe('catalogue_outdated');
  });

  it('never exceeds fourteen days: records, their suggestions, rankings and cached responses expire one by one', async () => {
    const dir = path.join(services.root, 'growing-old');
    // Half of them an hour old, half thirteen days.
    const all = services.datedNovels((index) => (index % 2 === 0 ? HOUR_AGO : HOUR_AGO - 13 * DAY));
    const dated = all.slice(0, 600);
    await buildIndex(path.join(dir, 'novels'), dated);
    await publishRankings(path.join(dir, 'rankings'), {
      put: [storedRanking(services.upstream.catalogue, 'daily', '2026-11-20', HOUR_AGO - 13 * DAY)],
    });
    const service = await services.start(dir);
    const { get, advance } = service;
    const count = async () => (await get('/v1/novels?lim=500&of=n')).body.meta.upstreamAllCount;
    expect(await count()).toBe(dated.length);
    expect((await get('/v1/rankings/daily?date=2026-11-20')).status).toBe(200);
    advance(DAY - 3600 - 61);
    expect(await count()).toBe(dated.length);
    const { headers: ofOldest } = await get(`/v1/novels/${dated[1]!.ncode}`);
    expect(Number(ofOldest['age'])).toBeLessThan(14 * DAY);
    expect(ofOldest['cache-control']).toBe(`public, max-age=${14 * DAY}`);
    advance(61);
    const old = await get(`/v1/novels/${dated[1]!.ncode}`);
    expect([old.status, old.body.error.code]).toEqual([503, 'catalogue_outdated']);
    expect((await get(`/v1/novels/${dated[2]!.ncode}`)).status).toBe(200);
    expect(await count()).toBe(Math.ceil(dated.length / 2));
    const ranking = await get('/v1/rankings/daily?date=2026-11-20');
    expect([ranking.status, ranking.body.error.code]).toEqual([503, 'catalogue_outdated']);
    advance(13 * DAY);
    const gone = await get('/v1/novels?lim=500&of=n');
    expect([gone.status, gone.body.error.code]).toEqual([503, 'catalogue_outdated']);
    expect(Number(gone.headers['retry-after'])).toBe(3600);
    expect((await get(`/v1/novels/${dated[2]!.ncode}`)).status).toBe(503);
    expect((await get('/v1/suggest?q=a')).status).toBe(503);
    const changes = await get('/v1/changes?since=now');
    expect([changes.status, changes.body.error.code]).toEqual([503, 'catalogue_outdated']);
    const withUpstream = await services.start(dir, { hasUpstream: true });
    withUpstream.advance(DAY);
    expect((await withUpstream.get(`/v1/novels/${dated[1]!.ncode}`)).status).toBe(200);
  });

  it('never exceeds fourteen days between two checks a minute apart; nor do suggested keywords', async () => {
    const dir = path.join(services.root, 'between-looks');
    const dated = (ncode: string, keyword: string, fetched_at: number) =>
      plainNovel({ ncode, keyword, fetched_at });
    const novels = [dated('N0001TA', '古い灯台', HOUR_AGO - 13 * DAY), dated('N0002TA', '灯台', HOUR_AGO)];
    await buildIndex(path.join(dir, 'novels'), novels);
    const { get, advance } = await services.start(dir);
    const keywords = async (q: string) => {
      const { body } = await get(`/v1/suggest?q=${encodeURIComponent(q)}`);
      return (body.data as { keywords: { keyword: string }[] }).keywords.map(({ keyword }) => keyword);
    };
    expect(await keywords('古い灯')).toEqual(['古い灯台']);
    // The look is made here, while the record has half a minute left.
    advance(DAY - 3600 - 30);
    expect((await get('/v1/novels/N0002TA')).status).toBe(200);
    advance(59);
    expect((await get('/v1/novels/N0001TA')).status).toBe(503);
    expect((await get('/v1/novels/N0003TA')).status).toBe(501);
    expect(await keywords('灯')).toEqual(['灯台']);
  });
});
