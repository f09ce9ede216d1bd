import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fillLocalFolder, storedRanking } from '../../../test/catalogue/local-folder.ts';
import { plainNovel } from '../../../test/catalogue/plain-novel.ts';
import { chanceOf, randomQuery, seededRandom } from '../../../test/catalogue/random-questions.ts';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue, TestCatalogueOptions } from '../../../test/catalogue/start-test-catalogue.ts';
import { createLogger } from '../../process/logger.ts';
import type { CatalogueSource } from '../catalogue-source.ts';
import { buildIndex, changeIndex } from '../index/engine/build-index.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import { NOVEL18API_ORDERS } from '../novels/orders.ts';
import { openLocalSource } from './local-source.ts';
import type { LocalSource } from './local-source.ts';
import { publishRankings } from './publish-rankings.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-local-'));
const open: { close(): Promise<void> }[] = [];
const HOUR_AGO = TEST_NOW / 1000 - 3600;
const DAY = 86_400;
/** 2,000 have been asked; each goes over HTTP. */
const QUESTIONS = Number(process.env['MOKUROKU_LOCAL_QUESTIONS'] ?? 300);

let upstream: TestCatalogue;
/** Filled once; tests that change a folder work on a copy. */
const filled = path.join(root, 'filled');

beforeAll(async () => {
  upstream = await startTestCatalogue({ switches: { stBeyondWindow: 'serve' }, maxStart: null });
  await fillLocalFolder(filled, upstream.catalogue, { fetchedAt: HOUR_AGO, now: TEST_NOW });
}, 120_000);
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(async () => {
  await upstream.close();
  fs.rmSync(root, { recursive: true });
});

const plainOther = plainNovel({ ncode: 'N0001A', fetched_at: HOUR_AGO });

const copyOf = (name: string, from = filled): string => {
  const dir = path.join(root, name);
  fs.cpSync(from, dir, { recursive: true });
  return dir;
};

interface Started extends TestCatalogue {
  local: LocalSource;
  log: string[];
}

interface StartOptions extends TestCatalogueOptions {
  hasUpstream?: boolean;
  loadWorker?: URL;
}

/** The service over a folder; with an upstream or without. */
async function start(
  dir: string,
  { hasUpstream = false, loadWorker, ...options }: StartOptions = {},
): Promise<Started> {
  let local: LocalSource | undefined;
  const log: string[] = [];
  const logger = createLogger('catalogue', 'info', { write: (line) => void log.push(line) }).logger;
  const sourceOver: TestCatalogueOptions['sourceOver'] = (narou, clock) => {
    local = openLocalSource({ dir, upstream: hasUpstream ? narou : undefined, clock, logger, loadWorker });
    return local;
  };
  const service = await startTestCatalogue({ ...options, sourceOver });
  open.push(service);
  if (local === undefined) throw new Error('no local source was opened');
  return { ...service, local, log };
}

const isWellFormed = (text: string): boolean => !/[\ud800-\udfff]/u.test(text);
/** Whether it can stand in a query string. */
const isAskable = (value: unknown): boolean => {
  if (typeof value === 'string') return isWellFormed(value);
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== 'object' || value === null) return true;
  const { min, max } = value as { min?: number; max?: number };
  return min !== undefined && max !== undefined && min <= max;
};

/** A question as an endpoint may ask it: what cannot stand in a URL, or names no such filter there, is left out. */
function askable(query: NovelQuery, name: NovelInterface): NovelQuery {
  const foreign = name === 'novelapi' ? /^(not)?nocgenre|xid/ : /^userid|^(not)?(big)?genre|r15$/;
  const kept = Object.entries(query).filter(([key, value]) => !foreign.test(key) && isAskable(value));
  const order = name === 'novelapi' || query.order in NOVEL18API_ORDERS ? query.order : 'new';
  return { ...(Object.fromEntries(kept) as unknown as NovelQuery), order };
}

describe('a local catalogue', () => {
  it(
    'publishes the very records, totals and pages that the upstream over HTTP leads to: random questions',
    { timeout: 300_000 },
    async () => {
      const { local } = await start(filled);
      const narou = upstream.source;
      const chance = chanceOf(seededRandom(2026));
      for (let asked = 0; asked < QUESTIONS; asked++) {
        const name: NovelInterface = chance.often(0.8) ? 'novelapi' : 'novel18api';
        const { catalogue } = upstream;
        const novels = name === 'novelapi' ? catalogue.novels() : catalogue.adultNovels();
        const codes = ofCodesServedBy(name).filter(() => chance.often(0.2));
        const query: NovelQuery = {
          ...askable(randomQuery(chance, novels), name),
          ...(chance.often(0.5) && { of: codes }),
          ...(chance.often(0.2) && { opt: 'weekly' as const }),
        };
        const search = (source: CatalogueSource) =>
          name === 'novelapi' ? source.searchNovels(query) : source.searchAdultNovels(query);
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

  it('gives rankings, hydrated ones and histories as the upstream does, without asking it', async () => {
    const { get, upstream: server } = await start(filled);
    const ncode = ((await upstream.get('/v1/rankings/daily')).body.data as { ncode: string }[])[0]!.ncode;
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
      const [here, there] = [await get(question), await upstream.get(question)];
      expect(JSON.stringify(here.body.data), question).toBe(JSON.stringify(there.body.data));
    }
    const history = await get(`/v1/novels/${ncode}/ranking-history`);
    const whole = await upstream.get(`/v1/novels/${ncode}/ranking-history`);
    expect(history.body.data).not.toEqual([]);
    expect(history.body.data).toEqual(whole.body.data);
    expect(server.requests()).toHaveLength(0);
  });

  it('a novel that it does not hold is not found; one that was never ranked has an empty history', async () => {
    const { get, catalogue } = await start(filled);
    expect((await get('/v1/novels/N9999ZZ')).status).toBe(404);
    expect((await get('/v1/novels/N9999ZZ/ranking-history')).status).toBe(404);
    const unranked = catalogue.novels().find(({ yearly_point }) => yearly_point === 0)!;
    const { status, body } = await get(`/v1/novels/${unranked.ncode}/ranking-history`);
    expect([status, body.data]).toEqual([200, []]);
  });

  it('asks the upstream for users; without one it says that it has none', async () => {
    const alone = await start(filled);
    const refused = await alone.get('/v1/users?lim=1');
    expect([refused.status, refused.body.error.code]).toEqual([501, 'not_available_here']);
    const { userid } = alone.catalogue.users()[0]!;
    expect((await alone.get(`/v1/users/${userid}`)).status).toBe(501);
    const joined = await start(filled, { hasUpstream: true });
    expect((await joined.get('/v1/users?lim=1')).body.data).toHaveLength(1);
    expect((await joined.get(`/v1/users/${userid}`)).body.data).toMatchObject({ userid: String(userid) });
  });

  it('asks the upstream for what the folder lacks: adult novels, rankings; without one it says so', async () => {
    const dir = path.join(root, 'novels-alone');
    await buildIndex(path.join(dir, 'novels'), datedNovels(HOUR_AGO));
    const questions = [
      '/v1/r18/novels?lim=1',
      '/v1/rankings/daily?date=2026-11-01',
      `/v1/novels/${upstream.catalogue.novels()[0]!.ncode}/ranking-history`,
    ];
    const alone = await start(dir);
    const joined = await start(dir, { hasUpstream: true });
    for (const question of questions) {
      const refused = await alone.get(question);
      expect([refused.status, refused.body.error.code], question).toEqual([501, 'not_available_here']);
      expect((await joined.get(question)).status, question).toBe(200);
      expect((await joined.get(question)).body.meta.asOf, question).toBeUndefined();
    }
    expect((await alone.get('/v1/novels?lim=1')).status).toBe(200);
  });

  it('the newest ranking that has not been fetched yet is not published; left out, the one before is served', async () => {
    const dir = path.join(root, 'late-ranking');
    const put = [storedRanking(upstream.catalogue, 'daily', '2026-11-20', HOUR_AGO)];
    await publishRankings(path.join(dir, 'rankings'), { put });
    const { get } = await start(dir);
    expect((await get('/v1/rankings/daily?date=2026-11-21')).body.error.code).toBe('ranking_not_published');
    expect((await get('/v1/rankings/daily')).body.meta.date).toBe('2026-11-20');
  });
});

const datedNovels = (fetched_at: number | ((place: number) => number)): CatalogueNovel[] =>
  upstream.catalogue.novels().map((novel, place) => ({
    ...novel,
    fetched_at: typeof fetched_at === 'number' ? fetched_at : fetched_at(place),
  }));

describe('the age of its answers', () => {
  it('is that of the oldest record, ranking or history in them; of none, that of the oldest held', async () => {
    const dir = path.join(root, 'ages');
    const dated = datedNovels((place) => HOUR_AGO - place);
    await buildIndex(path.join(dir, 'novels'), dated);
    const { get } = await start(dir);
    const asOf = (fetchedAt: number) => new Date(fetchedAt * 1000).toISOString();
    const page = await get('/v1/novels?order=ncodeasc&lim=3&of=n');
    expect(page.body.meta.asOf).toBe(asOf(HOUR_AGO - 2));
    expect(page.headers['age']).toBe('3602');
    expect(page.headers['cache-control']).toBe(`public, max-age=${3602 + 300}`);
    expect((await get(`/v1/novels/${dated[7]!.ncode}`)).body.meta.asOf).toBe(asOf(HOUR_AGO - 7));
    const none = await get('/v1/novels?word=NOTHINGOFTHISKIND');
    expect(none.body.meta.asOf).toBe(asOf(HOUR_AGO - dated.length + 1));
  });

  it('of a hydrated ranking is that of its oldest part', async () => {
    const dir = copyOf('hydrated-age');
    const old = HOUR_AGO - 3 * DAY;
    const put = [storedRanking(upstream.catalogue, 'daily', '2026-11-20', old)];
    await publishRankings(path.join(dir, 'rankings'), { put });
    const { get } = await start(dir);
    const { headers } = await get('/v1/rankings/daily/hydrated?date=2026-11-20&of=t');
    expect(headers['age']).toBe(String(3 * DAY + 3600));
    expect((await get('/v1/rankings/daily/hydrated?date=2026-11-19&of=t')).headers['age']).toBe('3600');
  });

  it('never passes fourteen days: records, suggestions of them and rankings go one by one, kept answers too', async () => {
    const dir = path.join(root, 'growing-old');
    // Half of them an hour old, half thirteen days.
    const dated = datedNovels((place) => (place % 2 === 0 ? HOUR_AGO : HOUR_AGO - 13 * DAY));
    await buildIndex(path.join(dir, 'novels'), dated);
    await publishRankings(path.join(dir, 'rankings'), {
      put: [storedRanking(upstream.catalogue, 'daily', '2026-11-20', HOUR_AGO - 13 * DAY)],
    });
    const service = await start(dir);
    const { get, advance } = service;
    const count = async () => (await get('/v1/novels?lim=500&of=n')).body.meta.upstreamAllCount;
    expect(await count()).toBe(dated.length);
    expect((await get('/v1/rankings/daily?date=2026-11-20')).status).toBe(200);
    advance(DAY - 3600 - 61);
    expect(await count()).toBe(dated.length);
    expect(Number((await get(`/v1/novels/${dated[1]!.ncode}`)).headers['age'])).toBeLessThan(14 * DAY);
    advance(61);
    expect((await get(`/v1/novels/${dated[1]!.ncode}`)).status).toBe(404);
    expect((await get(`/v1/novels/${dated[2]!.ncode}`)).status).toBe(200);
    expect(await count()).toBe(Math.ceil(dated.length / 2));
    expect((await get('/v1/rankings/daily?date=2026-11-20')).status).toBe(501);
    advance(13 * DAY);
    const gone = await get('/v1/novels?lim=500&of=n');
    expect([gone.status, gone.body.error.code]).toEqual([501, 'not_available_here']);
    expect((await get(`/v1/novels/${dated[2]!.ncode}`)).status).toBe(501);
  });
});

describe('the folder', () => {
  it('is served in its newest generation without a restart; what vanished upstream vanishes', async () => {
    const dir = copyOf('changing');
    const { get, local } = await start(dir, { cacheBytes: 1 });
    const [first, second] = upstream.catalogue.novels();
    const put = [{ ...first!, title: '書き換えられた題名', fetched_at: HOUR_AGO + 60 }];
    await changeIndex(path.join(dir, 'novels'), { put, remove: [second!.ncode] });
    expect((await get(`/v1/novels/${second!.ncode}`)).status).toBe(200);
    await local.refresh();
    expect((await get(`/v1/novels/${second!.ncode}`)).status).toBe(404);
    const { body } = await get(`/v1/novels/${first!.ncode}`);
    expect(body.data).toMatchObject({ title: '書き換えられた題名' });
    expect(body.meta.asOf).toBe(new Date((HOUR_AGO + 60) * 1000).toISOString());
  });

  it('may be empty as yet: what arrives is served', async () => {
    const dir = path.join(root, 'empty-as-yet');
    fs.mkdirSync(dir);
    const { get, local } = await start(dir, { cacheBytes: 1 });
    expect((await get('/v1/novels?lim=1')).status).toBe(501);
    await buildIndex(path.join(dir, 'novels'), datedNovels(HOUR_AGO).slice(0, 10));
    await local.refresh();
    expect((await get('/v1/novels?lim=1')).body.meta.upstreamAllCount).toBe(10);
    expect(local.facts()).toMatchObject({ novels: 10, adultNovels: 0, rankings: 0 });
  });

  it('a new generation whose contents are not what was written is left out, and said so once', async () => {
    const dir = copyOf('broken-later');
    const { get, local, log } = await start(dir, { cacheBytes: 1 });
    await local.refresh();
    const remove = upstream.catalogue
      .novels()
      .slice(0, 5)
      .map(({ ncode }) => ncode);
    await changeIndex(path.join(dir, 'novels'), { put: [plainOther], remove });
    const changes = path.join(dir, 'novels', 'segment-000002-changes', 'records');
    fs.writeFileSync(changes, 'X', { flag: 'r+' });
    await local.refresh();
    await local.refresh();
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(200);
    expect(log.filter((line) => line.includes('is broken and left out'))).toHaveLength(1);
    await changeIndex(path.join(dir, 'novels'), { put: [], remove });
    await local.refresh();
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(404);
  });

  it('one that was opened and turns out to be broken gives way to the one before', async () => {
    const dir = copyOf('broken-at-start');
    const remove = [upstream.catalogue.novels()[0]!.ncode];
    await changeIndex(path.join(dir, 'novels'), { put: [plainOther], remove });
    fs.writeFileSync(path.join(dir, 'novels', 'segment-000002-changes', 'records'), 'X', { flag: 'r+' });
    const { get, local } = await start(dir, { cacheBytes: 1 });
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(404);
    await local.refresh();
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(200);
  });

  it('is taken up by another thread while questions go on: each is answered by one state or the next', async () => {
    const dir = copyOf('under-load');
    const worker = path.join(root, 'load-worker.mjs');
    const entry = path.resolve(import.meta.dirname, '../index/engine/load-worker.ts');
    await build({ entryPoints: [entry], outfile: worker, bundle: true, platform: 'node', format: 'esm' });
    const { get, local, log } = await start(dir, { cacheBytes: 1, loadWorker: pathToFileURL(worker) });
    const novels = upstream.catalogue.novels();
    let isOver = false;
    const totals: number[] = [];
    const asking = async (): Promise<void> => {
      for (let asked = 0; !isOver; asked++) {
        const { status, body } = await get(`/v1/novels?lim=20&st=${1 + (asked % 500)}&of=n-t`);
        expect(status).toBe(200);
        totals.push(body.meta.upstreamAllCount);
      }
    };
    const load = Promise.all([asking(), asking(), asking()]);
    for (let round = 1; round <= 3; round++) {
      // The last time everything is built anew.
      if (round === 3) await buildIndex(path.join(dir, 'novels'), datedNovels(HOUR_AGO).slice(3));
      else await changeIndex(path.join(dir, 'novels'), { put: [], remove: [novels[round]!.ncode] });
      await local.refresh();
      expect(local.facts().novels).toBe(novels.length - round);
    }
    isOver = true;
    await load;
    const states = new Set([0, 1, 2, 3].map((removed) => novels.length - removed));
    expect(totals.filter((total) => !states.has(total))).toEqual([]);
    expect(log.filter((line) => line.includes('a new generation of the catalogue is served'))).toHaveLength(
      3,
    );
  });
});
