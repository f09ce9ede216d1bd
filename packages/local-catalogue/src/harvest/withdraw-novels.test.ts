import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, HOUR, THEN, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, reportIn } from '../../test/harvest-under-test.ts';
import type { CatalogueNovel, FoundPage } from '@mokuroku/narou/scan';
import { SECOND_LOOK_SECONDS } from '@mokuroku/narou';
import { recordedLog } from '../../test/recorded-log.ts';
import { silentLogger } from '@mokuroku/kit/process';
import type { Doubt } from './doubts.ts';
import { HarvestMemory } from './harvest-memory.ts';
import { harvest } from './harvest.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import { decideWithdrawals } from './withdraw-novels.ts';

const upstream = followedUpstream();

async function harvestedFolder(count = 100) {
  const dir = temporaryFolder();
  upstream.novels = novels(count);
  await harvest(upstream.options(dir));
  return dir;
}

const isOther = ({ ncode }: CatalogueNovel) => ncode !== 'N0007AA';

/** What a harvest a day later left: novels, events, and the number in doubt. */
async function harvestLater(dir: string, hours = 24, logger = silentLogger()) {
  upstream.clock.set(upstream.clock.now() + hours * HOUR);
  await harvest(upstream.options(dir, { logger }));
  return {
    novels: harvestedIn(dir, 'novels').size,
    events: eventsIn(dir).map(({ kind, ncode }) => `${kind} ${ncode}`),
    pending: reportIn(dir)?.pending?.['ncode'] ?? 0,
  };
}

describe('a repeated harvest', { timeout: 60_000 }, () => {
  it('withdraws a novel at the second proof that the upstream does not return it, 22 hours after the first', async () => {
    const dir = await harvestedFolder();
    upstream.listOnly(isOther);
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], pending: 1 });
    expect(await harvestLater(dir, 21)).toEqual({ novels: 100, events: [], pending: 1 });
    const events = ['withdrawn N0007AA'];
    expect(await harvestLater(dir, 1)).toEqual({ novels: 99, events, pending: 0 });
    expect(await harvestLater(dir)).toEqual({ novels: 99, events, pending: 0 });
  });

  /** The rows of a request by Ncode for two unlisted novels, of which the upstream has the second. */
  type Spoil = (records: readonly CatalogueNovel[]) => FoundPage<CatalogueNovel>;
  const rows = (records: CatalogueNovel[]) => ({ total: records.length, records });

  it.each<[string, Spoil]>([
    ['that novel', (records) => rows([...records, novel(7)])],
    ['a row twice in its place', (records) => rows([...records, ...records.slice(0, 1)])],
    [
      'a novel in its place that was not requested',
      (records) => {
        const received = new Set(records.map(({ ncode }) => ncode));
        const other = novels(100).find((each) => isOther(each) && !received.has(each.ncode));
        return rows([...records.slice(0, -1), ...(other ? [other] : []), ...records.slice(-1)]);
      },
    ],
    ['a count with it, but no row', (records) => ({ total: records.length + 1, records: [...records] })],
  ])('withdraws no unlisted novel if requests by Ncode return %s', async (_, spoil) => {
    const dir = await harvestedFolder();
    upstream.listOnly(
      ({ ncode }) => !['N0007AA', 'N0008AA'].includes(ncode),
      (query, index) => spoil(index.search(query).records.filter(isOther)),
    );
    for (const events of [[], []])
      expect(await harvestLater(dir)).toEqual({ novels: 100, events, pending: 0 });
  });

  it('keeps the first proof over a day on which requests by Ncode are counted, but return nothing', async () => {
    const dir = await harvestedFolder();
    upstream.listOnly(isOther);
    expect((await harvestLater(dir)).pending).toBe(1);
    upstream.listOnly(isOther, () => ({ total: 1, records: [] }));
    const { lines, logger } = recordedLog();
    expect(await harvestLater(dir, 24, logger)).toEqual({ novels: 100, events: [], pending: 1 });
    const msg = expect.stringContaining('no absence is proven') as string;
    expect(lines).toContainEqual(expect.objectContaining({ site: 'novels', novels: 1, msg }));
    upstream.listOnly(isOther);
    expect((await harvestLater(dir)).events).toEqual(['withdrawn N0007AA']);
  });

  it('has no doubt left about a novel that it withdraws, nor about one whose doubt is settled', async () => {
    const dir = await harvestedFolder();
    upstream.novels = novels(100).map((each, at) => (at === 7 || at === 8 ? { ...each, title: '別' } : each));
    await harvestLater(dir);
    expect(reportIn(dir)?.pending).toEqual({ title: 2 });
    upstream.novels = novels(100);
    upstream.listOnly(isOther);
    await harvestLater(dir);
    expect((await harvestLater(dir)).events).toEqual(['withdrawn N0007AA']);
    const memory = new HarvestMemory(dir, silentLogger(), () => ({}));
    expect([...memory.doubts('novels').keys()]).toEqual([]);
    memory.close();
  });

  it('fetches every record also if the upstream reads 60 codes at most', async () => {
    const dir = await harvestedFolder(400);
    upstream.listOnly(
      ({ ncode }) => ncode >= 'N0200AA',
      (query, index) => index.search({ ...query, ncode: query.ncode?.slice(0, 60) }),
    );
    await harvestLater(dir);
    const times = [...harvestedIn(dir, 'novels').values()].map(({ fetched_at }) => fetched_at);
    expect([times.length, new Set(times)]).toEqual([400, new Set([upstream.clock.now() / 1_000])]);
  });

  it('drops a novel without an answer after fourteen days, which is no event', async () => {
    const dir = await harvestedFolder(200);
    upstream.listOnly(({ ncode }) => ncode > 'N0029AA');
    expect(await harvestLater(dir, 15 * 24)).toEqual({ novels: 170, events: [], pending: 30 });
  });
});

it.each<[string, (dir: string) => Promise<unknown>]>([
  ['harvest', (dir) => harvestLater(dir)],
  ['round', (dir) => upstream.followUntil(dir, upstream.clock.now() + 24 * HOUR)],
])(
  'a %s withdraws no novel that is lost by Ncode with one in five, as its witnesses show',
  async (_, later) => {
    const dir = await harvestedFolder();
    const isLost = ({ ncode }: CatalogueNovel) => /[27]AA$/.test(ncode);
    upstream.listOnly(isOther, (query, index) => {
      const records = index.search(query).records.filter((each) => !isLost(each));
      return { total: records.length, records };
    });
    for (let day = 1; day <= 3; day++) await later(dir);
    expect([eventsIn(dir), reportIn(dir)?.pending]).toEqual([[], {}]);
  },
);

it('a round has no doubt about a novel that it withdrew before its build failed, nor after a restart', async () => {
  const dir = await upstream.followedFolder();
  upstream.listOnly(isOther);
  await upstream.followUntil(dir, THEN + DAY);
  expect(reportIn(dir)?.pending).toEqual({ ncode: 1 });
  await upstream.followUntil(dir, THEN + 2 * DAY, { freeBytes: () => 0 });
  expect([reportIn(dir)?.pending, eventsIn(dir)]).toEqual([{}, []]);
  await upstream.followUntil(dir, THEN + 2 * DAY + HOUR);
  expect(eventsIn(dir).map(({ kind }) => kind)).toEqual(['withdrawn']);
  expect(reportIn(dir)?.pending).toEqual({});
});

it('withdraws no changed novel that the upstream lists every day, but never returns by its Ncode', async () => {
  const dir = await upstream.followedFolder();
  upstream.novels = novels(40).with(7, novel(7, { novelupdated_at: '2013-06-10 12:00:00' }));
  const returned = upstream.scan(upstream.novels.filter(isOther));
  upstream.listOnly(
    () => true,
    (query) => returned.search(query),
  );
  await upstream.followUntil(dir, upstream.clock.now() + 30 * HOUR);
  expect([harvestedIn(dir, 'novels').has('N0007AA'), eventsIn(dir)]).toEqual([true, []]);
  // Of the first walk and a round: the witnesses of its requests are no changes.
  expect(newestGeneration(path.join(dir, 'novels'))?.number).toBe(2);
  expect(reportIn(dir)?.pending).toEqual({});
});

describe('a novel that the upstream denies', () => {
  const NOW = 1_900_000_000;
  const decide = (before: [string, Doubt][], now = NOW, denied = ['A'], missing = ['A', 'B']) =>
    decideWithdrawals(new Map(before), missing, denied, now);

  it('is withdrawn if a second proof confirms the first, and is in doubt until then', () => {
    const first = decide([]);
    expect(first).toEqual({ gone: [], doubts: [['A', { ncode: NOW }]] });
    expect(decide([['A', { ncode: NOW }]], NOW + SECOND_LOOK_SECONDS - 1)).toEqual(first);
    const gone = ['A'];
    expect(decide([['A', { ncode: NOW, title: 1 }]], NOW + SECOND_LOOK_SECONDS)).toEqual({
      gone,
      doubts: [],
    });
  });

  it('keeps its other doubts, and needs two proofs anew if the clock of the first was ahead', () => {
    expect(decide([['A', { ncode: NOW + 100, title: 1 }]])).toEqual({
      gone: [],
      doubts: [['A', { ncode: NOW, title: 1 }]],
    });
  });

  it('is not in doubt any more once it came, and stays so if it came to nobody', () => {
    const before: [string, Doubt][] = [
      ['A', { ncode: 1, title: 2 }],
      ['B', { ncode: 1 }],
      ['C', { title: 1 }],
    ];
    expect(decide(before, NOW, [], ['B'])).toEqual({ gone: [], doubts: [['A', { title: 2 }]] });
    // One that came since its proof is not withdrawn by it.
    expect(decide(before, NOW, ['A'], ['B']).gone).toEqual([]);
  });
});
