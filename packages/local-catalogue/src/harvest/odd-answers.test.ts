import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, leaveJournal, reportIn } from '../../test/harvest-under-test.ts';
import { seededRandom } from '../../../narou/test/random-questions.ts';
import { describeFailure } from '@mokuroku/kit/process';
import { MAX_BODY_BYTES } from '../../../narou/src/live/upstream-settings.ts';
import { japanSeconds } from '@mokuroku/narou';
import { harvest } from './harvest.ts';
import { beginWalk } from './walk.ts';

const upstream = followedUpstream();
const COUNT = 700;

type Switches = Parameters<typeof upstream.set>[0];

/** Harvests under switches: what came, the report, and how it failed. */
async function harvestUnder(switches: Switches, dir = temporaryFolder(), count = COUNT) {
  upstream.novels = novels(count);
  upstream.set(switches);
  let failure = '';
  await harvest(upstream.options(dir)).catch((error: unknown) => {
    failure = describeFailure(error);
  });
  const harvested = failure === '' ? harvestedIn(dir, 'novels') : new Map<string, never>();
  return { harvested, failure, dir };
}

describe('a walk', { timeout: 120_000 }, () => {
  it('drops an overlong text and nothing else', async () => {
    const { harvested, dir } = await harvestUnder({ overlongText: 70_000 });
    expect(harvested.size).toBe(COUNT);
    expect(harvested.get('N0007AA')).not.toHaveProperty('story');
    expect(harvested.get('N0008AA')?.story).toBe(novel(8).story);
    const overlongTexts = [{ ncode: 'N0007AA', field: 'story', length: 70_000 }];
    const walk = { fieldsMissing: { story: 1 }, unreadable: 0, overlong: 1, overlongTexts };
    expect(reportIn(dir)).toMatchObject({ had: COUNT, missing: 0, walk });
  });

  it('finds the record whose page never arrives whole by halving, names it, and lacks only that', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(COUNT);
    upstream.set({ overlongText: MAX_BODY_BYTES });
    const options = upstream.options(dir);
    const before = upstream.requestCount();
    await harvest(options);
    // Twice for each halving of 500, and once more for every page of the walk: none is read again.
    expect(upstream.requestCount() - before).toBeLessThan(40);
    // The same request would get the same: nothing is retried.
    expect(options.waits).toEqual([]);
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.size).toBe(COUNT - 1);
    expect(harvested.has('N0007AA')).toBe(false);
    const reason = expect.stringContaining('decompresses to more than is accepted') as string;
    const walk = { unreadable: 1, refused: [{ ncode: 'N0007AA', reason }] };
    expect(reportIn(dir)).toMatchObject({ had: COUNT - 1, counted: COUNT, missing: 1, walk });
    expect(reportIn(dir)?.pending, 'the doubts about whole records').toEqual({});
  });

  it.each([
    [{ body: 'truncated' }, /the response was cut off: its gzip file ends early/],
    [{ body: 'notJson' }, /a web page instead of data/],
    [{ body: 'empty' }, /nothing/],
  ] as const)('fails with its own reason, also in the report: %j', async (switches, words) => {
    const { failure, dir } = await harvestUnder(switches);
    expect(failure).toMatch(words);
    expect(reportIn(dir)?.refusedBecause).toBe(failure);
  });

  it('ends without a first index if pages are so short that it would lack a tenth of the novels', async () => {
    const { failure, dir } = await harvestUnder({ maxRows: 100 });
    expect(failure).toContain('200 of 700 novels were received');
    expect(fs.existsSync(`${dir}/novels`)).toBe(false);
    upstream.set({ maxRows: 0 });
    expect((await harvestUnder({}, dir)).harvested.size).toBe(COUNT);
    // A stored novel that a short page lacks is requested by its Ncode.
    upstream.clock.set(upstream.clock.now() + DAY);
    expect((await harvestUnder({ maxRows: 100 }, dir)).harvested.size).toBe(COUNT);
    expect([eventsIn(dir), reportIn(dir)?.refusedBecause]).toEqual([[], null]);
  });

  // Counts of 1,000 and more may be outdated: the missing rows show when half of the range is counted.
  it.each([COUNT, 1_500])(
    'stores the other rows of pages that skip some, and reports the missing ones (%d novels)',
    async (count) => {
      const { failure, harvested, dir } = await harvestUnder({ shiftedRows: 3 }, undefined, count);
      const missing = count - harvested.size;
      expect([failure, missing > 0, missing < 50]).toEqual(['', true, true]);
      expect(reportIn(dir)).toMatchObject({ had: harvested.size, counted: count, missing });
    },
  );

  it('has every novel although each page loses one row in twenty, and withdraws none', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(COUNT);
    await harvest(upstream.options(dir));
    const random = seededRandom(54);
    upstream.searchBy((query, index) => {
      const { total, records } = index.search(query);
      return { total, records: records.filter(() => random() > 0.05) };
    });
    upstream.clock.set(upstream.clock.now() + DAY);
    await harvest(upstream.options(dir));
    expect([harvestedIn(dir, 'novels').size, eventsIn(dir)]).toEqual([COUNT, []]);
  });

  it('lacks only the novels of a second for which the upstream fails, and reports that second', async () => {
    const general_lastup = '2012-04-15 12:00:00';
    const second = japanSeconds(general_lastup) ?? 0;
    upstream.novels = [...novels(200), novel(700, { general_lastup })];
    upstream.searchBy((query, index) => {
      const { min = 0, max = 0 } = typeof query.lastup === 'object' ? query.lastup : {};
      if (query.lim > 1 && min <= second && second <= max) throw new Error('the upstream fails');
      return index.search(query);
    });
    const dir = temporaryFolder();
    await harvest(upstream.options(dir));
    expect([...harvestedIn(dir, 'novels').keys()].sort()).toEqual(novels(200).map(({ ncode }) => ncode));
    const reason = expect.stringContaining('fails for this request') as string;
    const walk = { unreadable: 1, refused: [{ ncode: 'unknown', lastup: second, reason }] };
    expect(reportIn(dir)).toMatchObject({ had: 200, counted: 201, walk });
  });

  it('accepts an outdated count', async () => {
    const { harvested, dir } = await harvestUnder({ staleAllcount: true }, undefined, 1_500);
    expect([harvested.size, reportIn(dir)?.missing]).toEqual([1_500, 0]);
  });

  it('ends soon with a clear error if the upstream ignores the time', async () => {
    upstream.searchBy((query, index) => index.search({ ...query, lastup: undefined }));
    const before = upstream.requestCount();
    const { failure } = await harvestUnder({});
    expect(failure).toContain('novels are outside the requested time (lastup)');
    expect(upstream.requestCount() - before).toBeLessThan(12);
  });

  it.each(['of all novels', 'of a full page'])(
    'ends with a clear error if the count %s is missing',
    async (of) => {
      upstream.searchBy((query, index) => {
        const page = index.search(query);
        const isWanted = (query.lastup === undefined) === (of === 'of all novels');
        return isWanted && page.records.length === query.lim ? { ...page, total: NaN } : page;
      });
      expect((await harvestUnder({})).failure).toContain('the count is missing');
    },
  );

  it('ends as soon as a field is missing from more records than the others could make up for', async () => {
    const before = upstream.requestCount();
    const { failure } = await harvestUnder({ missingField: 'title' }, undefined, 4_000);
    expect(failure).toContain('title was missing from');
    // A whole walk, and its second count, take 61.
    expect(upstream.requestCount() - before).toBeLessThan(8);
  });

  it('that has no end stops with the reason in its report, and the next one restarts', async () => {
    const dir = temporaryFolder();
    leaveJournal(
      dir,
      { site: 'novels', put: [novel(5_000)] },
      { tasks: [{ kind: 'walk', site: 'novels' }], walk: { ...beginWalk(), answered: 169 }, counted: COUNT },
    );
    const reason = `The walk was stopped: 170 responses are too many for ${COUNT} novels.`;
    expect((await harvestUnder({}, dir)).failure).toContain(`novels: ${reason}`);
    expect(reportIn(dir)).toMatchObject({
      counted: COUNT,
      refusedBecause: expect.stringContaining(reason) as string,
    });
    // The next walk has only the novels of the upstream.
    expect((await harvestUnder({}, dir)).harvested.size).toBe(COUNT);
  });

  it('reads the lengths of a second one after the other', async () => {
    const dir = temporaryFolder();
    const general_lastup = '2012-04-01 18:00:00';
    const from = japanSeconds(general_lastup) ?? 0;
    // As left by a walk that met more than 2,000 novels of the second.
    const walk = {
      ...beginWalk({ from }),
      width: 1,
      lengths: [
        [20, 2 ** 30],
        [0, 19],
      ],
    } as const;
    leaveJournal(dir, {}, { tasks: [{ kind: 'walk', site: 'novels' }], walk, counted: 40 });
    upstream.novels = novels(40).map((each, length) => ({ ...each, general_lastup, length }));
    const found: number[] = [];
    upstream.searchBy((query, index) => {
      const page = index.search(query);
      if (query.length) found.push(page.total);
      return page;
    });
    await harvest(upstream.options(dir));
    expect([harvestedIn(dir, 'novels').size, found]).toEqual([40, [20, 20]]);
  });
});
