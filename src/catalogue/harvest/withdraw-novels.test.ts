import { describe, expect, it } from 'vitest';
import { HOUR, followedUpstream, novels } from '../../../test/catalogue/followed-upstream.ts';
import { eventsIn, harvestedIn, reportIn } from '../../../test/catalogue/harvest-under-test.ts';
import { seededRandom } from '../../../test/catalogue/random-questions.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { amongWitnesses } from '../narou/find-by-ncode.ts';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();

async function harvestedFolder(count = 100) {
  const dir = upstream.folders.next();
  upstream.novels = novels(count);
  await harvest(upstream.options(dir));
  return dir;
}

type Filter = (each: CatalogueNovel) => boolean;
const all: Filter = () => true;
const isOther: Filter = ({ ncode }) => ncode !== 'N0007AA';

/** An upstream that lists and returns only the novels that pass. */
function serveNovels(isListed: Filter, isReturned = isListed): void {
  const [listed, returned] = [isListed, isReturned].map((is) =>
    upstream.scan((upstream.novels ?? []).filter(is)),
  );
  upstream.searchBy(
    (query, index) => (query.ncode ? returned : listed)?.search(query) ?? index.search(query),
  );
}

/** What a harvest a day later left: novels, events, and the number in doubt. */
async function harvestLater(dir: string, hours = 24) {
  upstream.clock.set(upstream.clock.now() + hours * HOUR);
  await harvest(upstream.options(dir));
  return {
    novels: harvestedIn(dir, 'novels').size,
    events: eventsIn(dir).map(({ kind, ncode }) => `${kind} ${ncode}`),
    pending: reportIn(dir)?.pending?.['ncode'] ?? 0,
  };
}

describe('a repeated harvest', { timeout: 60_000 }, () => {
  it('withdraws no novel that its walk missed but the upstream returns', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther, all);
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], pending: 0 });
  });

  it('withdraws a novel at the second proof that the upstream does not return it, 22 hours after the first', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], pending: 1 });
    expect(await harvestLater(dir, 21)).toEqual({ novels: 100, events: [], pending: 1 });
    const events = ['withdrawn N0007AA'];
    expect(await harvestLater(dir, 1)).toEqual({ novels: 99, events, pending: 0 });
    expect(await harvestLater(dir)).toEqual({ novels: 99, events, pending: 0 });
  });

  it('counts the hours anew if the clock of the first proof was ahead', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    upstream.clock.set(upstream.clock.now() + 100 * HOUR);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, pending: 1 });
    upstream.clock.set(upstream.clock.now() - 200 * HOUR);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, pending: 1 });
    expect(await harvestLater(dir)).toMatchObject({ novels: 99, pending: 0 });
  });

  it('needs a second proof anew after the novel was returned in between', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    await harvestLater(dir);
    serveNovels(isOther, all);
    expect(await harvestLater(dir)).toMatchObject({ pending: 0 });
    serveNovels(isOther);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, events: [], pending: 1 });
  });

  it('accepts the withdrawal of most novels after the second look', async () => {
    const dir = await harvestedFolder(210);
    serveNovels(({ ncode }) => ncode > 'N0149AA');
    expect(await harvestLater(dir)).toEqual({ novels: 210, events: [], pending: 150 });
    const later = await harvestLater(dir);
    expect([later.novels, later.events.length, later.pending]).toEqual([60, 150, 0]);
  });

  /** The first rows of requests by Ncode, of novels that the list lacks in part. */
  type Cut = (rows: readonly CatalogueNovel[], ncodes: readonly string[]) => readonly CatalogueNovel[];
  const among = (ncodes: readonly string[]) => (each: CatalogueNovel) => ncodes.includes(each.ncode);
  const random = seededRandom(54);
  const faults: [string, Cut][] = [
    ['reads 20 codes at most', (rows, ncodes) => rows.filter(among(ncodes.slice(0, 20)))],
    ['reads the last 20 codes only', (rows, ncodes) => rows.filter(among(ncodes.slice(-20)))],
    ['finds none', () => []],
    ['returns 20 rows at most', (rows) => rows.slice(0, 20)],
    ['loses one row in ten', (rows) => rows.filter(() => random() > 0.1)],
    ['returns a row twice in place of another', (rows) => [...rows.slice(1), ...rows.slice(-1)]],
    ['returns other novels', () => novels(3)],
  ];
  it.each(faults)('withdraws nothing by requests of which the upstream %s', async (_, cut) => {
    const dir = await harvestedFolder(240);
    const isListed: Filter = ({ ncode }) => Number(ncode.slice(1, 5)) % 4 !== 0;
    const list = upstream.scan(novels(240).filter(isListed));
    upstream.searchBy((query, index) => {
      if (query.ncode === undefined) return list.search(query);
      const records = [...cut(index.search(query).records, query.ncode)];
      return { total: records.length, records };
    });
    for (let day = 1; day <= 2; day++)
      expect(await harvestLater(dir)).toMatchObject({ novels: 240, events: [] });
  });

  it('withdraws a novel also if the upstream reads 20 codes at most: fewer are requested', async () => {
    const dir = await harvestedFolder(400);
    upstream.novels = novels(400).filter(isOther);
    upstream.searchBy((query, index) =>
      index.search(query.ncode ? { ...query, ncode: query.ncode.slice(0, 20) } : query),
    );
    await harvestLater(dir);
    expect(await harvestLater(dir)).toMatchObject({ novels: 399, events: ['withdrawn N0007AA'] });
  });

  it('fetches every record also if the upstream reads 60 codes at most', async () => {
    const dir = await harvestedFolder(400);
    const list = upstream.scan(novels(400).slice(200));
    upstream.searchBy((query, index) => {
      if (query.ncode === undefined) return list.search(query);
      return index.search({ ...query, ncode: query.ncode.slice(0, 60) });
    });
    await harvestLater(dir);
    const times = [...harvestedIn(dir, 'novels').values()].map(({ fetched_at }) => fetched_at);
    expect([times.length, new Set(times)]).toEqual([400, new Set([upstream.clock.now() / 1_000])]);
  });

  it('drops a novel without an answer after fourteen days, which is no event', async () => {
    const dir = await harvestedFolder(200);
    serveNovels(({ ncode }) => ncode > 'N0029AA');
    expect(await harvestLater(dir, 15 * 24)).toEqual({ novels: 170, events: [], pending: 30 });
  });
});

it.each([
  [3, 4, 'W0 A0 W1 A1 W2 A2 W3'],
  [1, 4, 'W0 W1 W2 A0 W3'],
  [5, 2, 'W0 A0 A1 A2 A3 A4 W1'],
  [2, 1, 'A0 A1 W0'],
])('of %d novels with %d witnesses a cut list lacks a witness', (asked, witnesses, list) => {
  const named = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index}`);
  expect(amongWitnesses(named('A', asked), named('W', witnesses)).join(' ')).toBe(list);
});
