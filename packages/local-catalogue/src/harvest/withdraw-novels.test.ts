import { describe, expect, it } from 'vitest';
import { HOUR, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, reportIn } from '../../test/harvest-under-test.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { SECOND_LOOK_SECONDS } from './doubts.ts';
import type { Doubt } from './doubts.ts';
import { harvest } from './harvest.ts';
import { decideWithdrawals } from './withdraw-novels.ts';

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

  it.each<[string, (received: readonly string[]) => Filter]>([
    [
      'a row twice',
      (received) =>
        ({ ncode }) =>
          ncode === received[0],
    ],
    [
      'a novel that was not requested',
      (received) =>
        ({ ncode }) =>
          !received.includes(ncode),
    ],
  ])('withdraws nothing by responses with %s in place of another', async (_, isReplacement) => {
    const dir = await harvestedFolder();
    const list = upstream.scan(novels(100).filter(isOther));
    upstream.searchBy((query, index) => {
      if (query.ncode === undefined) return list.search(query);
      const records = index.search(query).records.filter(isOther);
      const received = records.map(({ ncode }) => ncode);
      const other = novels(100).filter(isOther).find(isReplacement(received)) ?? novel(1);
      return { total: records.length + 1, records: [...records, other] };
    });
    for (const events of [[], []])
      expect(await harvestLater(dir)).toEqual({ novels: 100, events, pending: 0 });
  });

  it('keeps the first proof over a day on which requests by Ncode are counted, but return nothing', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    expect((await harvestLater(dir)).pending).toBe(1);
    const list = upstream.scan(novels(100).filter(isOther));
    upstream.searchBy((query) => (query.ncode ? { total: 1, records: [] } : list.search(query)));
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], pending: 1 });
    serveNovels(isOther);
    expect((await harvestLater(dir)).events).toEqual(['withdrawn N0007AA']);
  });

  it('withdraws nothing by responses that count more novels than they return', async () => {
    const dir = await harvestedFolder();
    const isListed: Filter = ({ ncode }) => !['N0007AA', 'N0008AA'].includes(ncode);
    const [listed, returned] = [isListed, isOther].map((is) => upstream.scan(novels(100).filter(is)));
    upstream.searchBy((query, index) => {
      if (!query.ncode) return listed?.search(query) ?? index.search(query);
      const { total = 0, records = [] } = returned?.search(query) ?? {};
      return { total: total + 1, records };
    });
    for (const events of [[], []])
      expect(await harvestLater(dir)).toEqual({ novels: 100, events, pending: 0 });
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

it('withdraws no changed novel that the upstream lists every day, but never returns by its Ncode', async () => {
  const dir = await upstream.followedFolder();
  const changed = novels(40).map((each) =>
    isOther(each) ? each : { ...each, novelupdated_at: '2013-06-10 12:00:00' },
  );
  const [listed, returned] = [changed, changed.filter(isOther)].map((all) => upstream.scan(all));
  upstream.searchBy(
    (query, index) => (query.ncode ? returned : listed)?.search(query) ?? index.search(query),
  );
  await upstream.followUntil(dir, upstream.clock.now() + 30 * HOUR);
  expect([harvestedIn(dir, 'novels').has('N0007AA'), eventsIn(dir)]).toEqual([true, []]);
  expect(reportIn(dir)?.pending).toEqual({});
});

it('withdraws nothing if the upstream has no novel for days', async () => {
  const dir = await upstream.followedFolder();
  upstream.novels = [];
  await upstream.followUntil(dir, upstream.clock.now() + 72 * HOUR);
  expect([harvestedIn(dir, 'novels').size, eventsIn(dir)]).toEqual([40, []]);
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
