import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { localSources } from '../../test/local-sources.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex } from '../engine/build-index.ts';
import { requireGeneration } from '../engine/index-generations.ts';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { RANKING_TYPES, checkRankingDate } from '@mokuroku/narou';
import type { CatalogueSource } from '@mokuroku/narou/source';
import type { LocalSource } from './local-source.ts';
import { publishRankings } from './ranking-files.ts';

const DAY = 86_400;
const NOON = Date.parse('2026-11-21T12:00:00+09:00') / 1000;
const OLD = NOON - 14 * DAY;

const clock = { seconds: NOON };
beforeEach(() => {
  clock.seconds = NOON;
});
const openSource = localSources(() => clock.seconds * 1000);
const open = (dir: string, upstream?: CatalogueSource) => openSource(dir, { upstream });

const build = (dir: string, part: 'novels' | 'adult', novels: readonly Partial<CatalogueNovel>[]) =>
  buildIndex(
    path.join(dir, part),
    novels.map((each, index) => plainNovel({ ncode: `N000${index + 1}TA`, fetched_at: NOON - 60, ...each })),
    { spacing: 4, isLogged: false },
  );
const rank = (dir: string, fetchedAt: number, dates = ['2026-11-20']) =>
  publishRankings(path.join(dir, 'rankings'), {
    put: dates.map((date) => ({
      type: 'daily',
      date,
      fetchedAt,
      rows: [{ ncode: 'N0001TA', pt: 9, rank: 1 }],
    })),
  });

/** Cuts off the only generation of a part. */
const spoil = (dir: string, part: string) => () => {
  fs.truncateSync(path.join(dir, part, 'generation-000001.json'));
};

const codeOf = async (answer: () => unknown) => {
  try {
    await answer();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

async function findOne(source: CatalogueSource, ncode: string) {
  const [novel] = (await source.novels.novelapi.find([ncode], ['t'])).value;
  if (novel?.state === 'unknown') throw novel.reason;
  return novel;
}

describe('the state of a part', () => {
  const query: NovelQuery = { order: 'new', st: 1, lim: 1 };
  it.each<[string, (dir: string) => unknown, string | undefined]>([
    ['served', (dir) => build(dir, 'novels', [{ fetched_at: OLD }, {}]), undefined],
    ['outdated', (dir) => build(dir, 'novels', [{ fetched_at: OLD }]), 'catalogue_outdated'],
    ['empty', (dir) => build(dir, 'novels', []), 'not_available_here'],
    ['empty', (dir) => fs.promises.mkdir(path.join(dir, 'novels')), 'not_available_here'],
    ['broken', (dir) => build(dir, 'novels', [{}]).then(spoil(dir, 'novels')), 'catalogue_unreadable'],
    ['absent', () => undefined, 'not_available_here'],
  ])('novels: %s', async (state, fill, code) => {
    const dir = temporaryFolder();
    await fill(dir);
    const { source } = open(dir);
    expect(source.states()).toEqual({ novels: state, adult: 'absent', rankings: 'absent' });
    for (const answer of [
      () => source.novels.novelapi.search(query),
      () => findOne(source, 'N0002TA'),
      () => source.novels.novelapi.stream?.(query),
      () => source.local?.countNovels('novelapi', {}, ['genre']),
      () => source.local?.suggest('霧', 1),
    ]) {
      expect(await codeOf(answer)).toBe(code);
    }
    expect(await codeOf(() => source.novels.novel18api.search(query))).toBe('not_available_here');
    expect(await codeOf(() => source.changes?.({ lim: 1 }))).toBe(code ?? 'not_available_here');
  });

  it.each<[string, (dir: string) => unknown, string | undefined]>([
    ['served', (dir) => rank(dir, OLD + 1), undefined],
    [
      'served',
      (dir) => rank(dir, OLD, ['2026-11-20', '2026-11-19']).then(() => rank(dir, NOON, ['2026-11-18'])),
      'catalogue_outdated',
    ],
    ['outdated', (dir) => rank(dir, OLD), 'catalogue_outdated'],
    ['empty', (dir) => publishRankings(path.join(dir, 'rankings'), { put: [] }), 'not_available_here'],
    ['empty', (dir) => fs.promises.mkdir(path.join(dir, 'rankings')), 'not_available_here'],
    ['broken', (dir) => rank(dir, OLD + 1).then(spoil(dir, 'rankings')), 'catalogue_unreadable'],
    ['absent', () => undefined, 'not_available_here'],
  ])('rankings: %s', async (state, fill, code) => {
    const dir = temporaryFolder();
    await fill(dir);
    const { source } = open(dir);
    expect(source.states().rankings).toBe(state);
    expect(await codeOf(() => source.getRanking('daily', '2026-11-20'))).toBe(code);
    expect(await codeOf(() => source.getRanking('daily', '2026-11-19'))).toBe(code ?? 'not_available_here');
    // A history needs all rankings.
    expect(await codeOf(() => source.getRankingHistory('N0001TA'))).toBe(code ?? 'not_available_here');
  });

  it('is logged once when it is outdated, and again after a new harvest', async () => {
    const dir = temporaryFolder();
    await build(dir, 'novels', [{ fetched_at: OLD + DAY }]);
    await build(dir, 'adult', [{ fetched_at: OLD }]);
    const { source, log } = open(dir);
    const parts = () => log.splice(0).flatMap((line) => line['part'] ?? []);
    expect(parts()).toEqual(['adult']);
    await source.refresh();
    clock.seconds += DAY;
    await source.refresh();
    await source.refresh();
    expect(parts()).toEqual(['novels']);
    await build(dir, 'novels', [{ fetched_at: clock.seconds }]);
    await source.refresh();
    expect(parts()).toEqual([]);
    clock.seconds += 14 * DAY;
    await source.refresh();
    expect(parts()).toEqual(['novels']);
  });
});

describe('the facts of a folder', () => {
  it('count each part, the outdated records of all, and state the age of the oldest novel', async () => {
    const dir = temporaryFolder();
    await build(dir, 'novels', [{ fetched_at: OLD }, {}, { fetched_at: NOON - DAY }]);
    await build(dir, 'adult', [{ fetched_at: OLD }, { fetched_at: OLD }, {}]);
    await rank(dir, OLD);
    expect(open(dir).source.facts()).toEqual({
      novels: 2,
      adultNovels: 1,
      rankings: 0,
      outdated: 4,
      generation: 1,
      asOf: '2026-11-20T03:00:00.000Z',
    });
    const none = { novels: 0, adultNovels: 0, rankings: 0, outdated: 0, generation: 0, asOf: null };
    expect(open(temporaryFolder()).source.facts()).toEqual(none);
  });
});

describe('an upstream', () => {
  const [HERE, THERE] = ['題', '上流の題'];
  async function openBoth(change: (dir: string) => unknown = () => undefined) {
    const [dir, far] = [temporaryFolder(), temporaryFolder()];
    await build(dir, 'novels', [{ title: HERE }, { title: HERE }]);
    await build(far, 'novels', [{ title: THERE, xid: 'x0001a' }, { title: THERE }]);
    await rank(far, NOON);
    await change(dir);
    const upstream: LocalSource = { ...open(far).source, maxStart: 2, maxHistories: () => 7 };
    return open(dir, upstream).source;
  }
  const titles = async (source: CatalogueSource, query: Partial<NovelQuery>) =>
    (await source.novels.novelapi.search({ order: 'old', st: 1, lim: 9, ...query })).items.map(
      ({ title }) => title,
    );
  const titleOf = async (source: CatalogueSource, ncode: string) => {
    const novel = await findOne(source, ncode);
    return novel?.state === 'found' ? novel.record['title'] : novel?.state;
  };

  /** Damages the second record. */
  function damage(dir: string): void {
    const folder = path.join(dir, 'novels');
    const file = path.join(folder, requireGeneration(folder).segments[0]?.folder ?? '', 'records');
    const bytes = fs.readFileSync(file);
    bytes[Math.floor(bytes.length * 0.75)] = 0;
    fs.writeFileSync(file, bytes);
  }

  it('is closed with the folder', async () => {
    let closed = 0;
    const close = async () => {
      await Promise.resolve();
      closed += 1;
    };
    const { source } = open(temporaryFolder(), { ...open(temporaryFolder()).source, close });
    await source.close();
    expect(closed).toBe(1);
  });

  it('gets no request for data that the folder has', async () => {
    const source = await openBoth();
    expect(await titles(source, {})).toEqual([HERE, HERE]);
    expect(await titleOf(source, 'N0002TA')).toBe(HERE);
    expect(await titles(source, { st: 3 })).toEqual([]);
  });

  it('returns what a damaged file of the folder contains; all others stay those of the folder', async () => {
    const source = await openBoth(damage);
    expect(await titleOf(source, 'N0001TA')).toBe(HERE);
    expect(await titleOf(source, 'N0002TA')).toBe(THERE);
    expect(await titles(source, { ncode: ['N0001TA'] })).toEqual([HERE]);
    expect(await titles(source, {})).toEqual([THERE, THERE]);
    // Streams, facets and suggestions are functions of the folder alone.
    const stream = source.novels.novelapi.stream?.({ order: 'ncodeasc', st: 1, lim: 9 });
    expect(stream?.total).toBe(2);
    expect(await codeOf(() => [...stream!.batches(new AbortController().signal)])).toBe(
      'catalogue_unreadable',
    );
    expect(source.states().novels).toBe('damaged');
  });

  it('gets no request if the search fails for another reason than damage', async () => {
    const source = await openBoth();
    await expect(titles(source, { order: 'none' as 'new' })).rejects.toThrow(TypeError);
    expect(source.states().novels).toBe('served');
  });

  it('searches by a field that the folder lacks, up to the last row that it serves', async () => {
    const source = await openBoth();
    expect(await titles(source, { xid: ['x0001a'] })).toEqual([THERE]);
    expect(await titles(source, { xid: ['x0001a'], st: 2 })).toEqual([]);
    await expect(titles(source, { xid: ['x0001a'], st: 3 })).rejects.toMatchObject({
      code: 'not_available_here',
    });
    // No record has a style, so that of all novels would be a wider result.
    await expect(titles(source, { buntai: [1] })).rejects.toThrow('by buntai');
    // A stream comes from the folder alone.
    const query = { order: 'new', st: 1, lim: 9, xid: ['x0001a'] } as const;
    expect(() => source.novels.novelapi.stream?.(query)).toThrow(
      'lacks the fields for a search of novels by xid',
    );
  });

  it('returns the rankings that the folder lacks, and states how many histories it returns', async () => {
    const source = await openBoth();
    expect((await source.getRanking('daily', '2026-11-20')).value).toHaveLength(1);
    expect(source.maxHistories()).toBe(7);
    expect(open(temporaryFolder()).source.maxHistories()).toBe(500);
    const invented = { ...source, isSample: () => true };
    expect(open(temporaryFolder(), invented).source.isSample(), 'as its data are').toBe(true);
  });
});

describe('the history of a novel', () => {
  // Early enough that all rankings are few.
  const LAST = '2013-05-08';
  const EARLY = Date.parse(`${LAST}T12:00:00+09:00`) / 1000;
  beforeEach(() => {
    clock.seconds = EARLY;
  });
  async function fill(lacks?: string): Promise<string> {
    const dir = temporaryFolder();
    const fetched_at = EARLY - 60;
    await build(dir, 'novels', [{ fetched_at }, { fetched_at }]);
    const dates = Array.from({ length: 8 }, (_, index) => `2013-05-0${index + 1}`);
    const put = RANKING_TYPES.flatMap((type) =>
      dates
        .filter((date) => date !== lacks && checkRankingDate(type, date, EARLY * 1000).valid)
        .map((date) => ({
          type,
          date,
          fetchedAt: EARLY - Number(date.slice(-1)),
          rows: [{ ncode: 'N0001TA', pt: 9, rank: 1 }],
        })),
    );
    await publishRankings(path.join(dir, 'rankings'), { put });
    return dir;
  }

  it('has every ranking with the novel, is empty if it never ranked, and not available if the novel is unknown', async () => {
    const { source } = open(await fill());
    const history = await source.getRankingHistory('N0001TA');
    // Eight days, a week, a month, a quarter.
    expect(history.value).toHaveLength(11);
    expect(await source.getRankingHistory('N0002TA')).toMatchObject({ value: [] });
    expect(await codeOf(() => source.getRankingHistory('N0003TA'))).toBe('not_available_here');
  });

  it('states when its oldest part was fetched, and its last day', async () => {
    const { source } = open(await fill());
    const oldest = EARLY - 8;
    expect(await source.getRankingHistory('N0001TA')).toMatchObject({ fetchedAt: oldest, until: LAST });
    expect(await source.getRanking('daily', LAST)).toMatchObject({ fetchedAt: oldest });
    // That the novel never ranked is known from all rankings and from the novel, fetched a minute ago.
    const never = await source.getRankingHistory('N0002TA');
    expect(never).toMatchObject({ fetchedAt: EARLY - 60, until: LAST });
  });

  it('comes from the upstream if the folder lacks a ranking; without one it names that ranking', async () => {
    const far = open(await fill()).source;
    const dir = await fill('2013-05-04');
    const alone = await open(dir).source.getRankingHistory('N0001TA');
    expect(alone.value).toHaveLength(10);
    expect(alone).toMatchObject({ missing: ['20130504-d'], until: LAST });
    expect((await open(dir, far).source.getRankingHistory('N0001TA')).value).toHaveLength(11);
  });

  it('is one of as many as the upstream returns at once, unless the folder has all rankings', async () => {
    const far = { ...open(await fill()).source, maxHistories: () => 7 };
    const countOf = (dir: string) => open(dir, far).source.maxHistories();
    const whole = await fill();
    expect([countOf(whole), countOf(await fill('2013-05-04')), countOf(temporaryFolder())]).toEqual([
      500, 7, 7,
    ]);
    // Only the oldest ranking is outdated.
    clock.seconds = EARLY - 8 + 14 * DAY;
    expect(countOf(whole)).toBe(7);
  });
});
