import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { followedUpstream, novel, novels } from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn, reportIn } from '../../../test/catalogue/harvest-under-test.ts';
import { describeFailure } from '../../process/throttled-log.ts';
import { MAX_BODY_BYTES } from '../narou/upstream-settings.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { IncompleteWalk } from './harvest-site.ts';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();
const COUNT = 700;

type Switches = Parameters<typeof upstream.set>[0];

/** Harvests under switches: what came, the report, and how it failed. */
async function harvestUnder(switches: Switches, dir = upstream.folders.next(), count = COUNT) {
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
  it.each([
    [{ missingField: 'isr15' }, 'isr15'],
    [{ renamedField: 'general_lastup' }, 'general_lastup'],
    [{ renamedField: 'length', fieldFaultEvery: 50 }, 'length'],
  ] as const)(
    'ends without an index if a field is missing from more than one record in a hundred: %j',
    async (switches, field) => {
      const { failure, dir } = await harvestUnder(switches);
      expect(failure).toContain(`novels: ${field} was missing from `);
      expect(reportIn(dir)?.refusedBecause).toContain(field);
      expect(fs.existsSync(`${dir}/novels`)).toBe(false);
      // The next walk restarts, and accepts a recovered upstream.
      upstream.set({ missingField: 'off', renamedField: 'off', fieldFaultEvery: 0 });
      expect((await harvestUnder({}, dir)).harvested.size).toBe(COUNT);
      expect(reportIn(dir)).toMatchObject({ had: COUNT, refusedBecause: null });
    },
  );

  it('counts a figure that cannot be stored as missing', async () => {
    const index = upstream.scan(
      novels(COUNT).map((each, number) => (number % 50 === 0 ? { ...each, global_point: -5 } : each)),
    );
    upstream.searchBy((query) => index.search(query));
    const { failure, dir } = await harvestUnder({});
    expect(failure).toContain('novels: global_point was missing from ');
    expect(Object.keys(reportIn(dir)?.walk?.fieldsMissing ?? {})).toEqual(['global_point']);
  });

  it('counts a field missing from fewer records in the report, and omits it from those records only', async () => {
    const { harvested, dir } = await harvestUnder({ missingField: 'length', fieldFaultEvery: 200 });
    expect(harvested.size).toBe(COUNT);
    expect(harvested.get('N0200AA')).not.toHaveProperty('length');
    expect(reportIn(dir)?.walk?.fieldsMissing).toEqual({ length: 4 });
  });

  it('accepts a field missing from exactly one record in a hundred', async () => {
    const { harvested, dir } = await harvestUnder({ missingField: 'length', fieldFaultEvery: 100 });
    expect(harvested.size).toBe(COUNT);
    expect(reportIn(dir)?.walk?.fieldsMissing).toEqual({ length: 7 });
  });

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
    const dir = upstream.folders.next();
    upstream.novels = novels(COUNT);
    upstream.set({ overlongText: MAX_BODY_BYTES });
    const options = upstream.options(dir);
    await harvest(options);
    // The same request would get the same: nothing is retried.
    expect(options.waits).toEqual([]);
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.size).toBe(COUNT - 1);
    expect(harvested.has('N0007AA')).toBe(false);
    expect(reportIn(dir)).toMatchObject({
      had: COUNT - 1,
      counted: COUNT,
      missing: 1,
      walk: {
        unreadable: 1,
        refused: [
          {
            ncode: 'N0007AA',
            reason: expect.stringContaining('decompresses to more than is accepted') as string,
          },
        ],
      },
    });
  });

  it('loses only its unreadable records of a page, and reads the page of their range once', async () => {
    const unreadable = new Set([3, 4, 100, 333, 499, 650]);
    const dir = upstream.folders.next();
    const story = 'a'.repeat(MAX_BODY_BYTES);
    upstream.novels = novels(COUNT).map((each, index) => (unreadable.has(index) ? { ...each, story } : each));
    const { requestCount } = upstream;
    const before = requestCount();
    await harvest(upstream.options(dir));
    expect(harvestedIn(dir, 'novels').size).toBe(COUNT - unreadable.size);
    expect(reportIn(dir)?.walk).toMatchObject({ unreadable: unreadable.size });
    // Each record costs about two requests for each halving of 500, and a second reading would double that.
    expect(requestCount() - before).toBeLessThan(unreadable.size * 2 * Math.log2(500));
  });

  it.each([
    [
      { maxRows: 100 },
      /novels with lastup from .* to .*, rows 1 to 500\..*returns fewer rows a page than the 500 requested/,
    ],
    [{ body: 'truncated' }, /the response was cut off: its gzip file ends early/],
    [{ body: 'notJson' }, /a web page instead of data/],
    [{ body: 'empty' }, /nothing/],
  ] as const)('fails with its own reason, also in the report: %j', async (switches, words) => {
    const { failure, dir } = await harvestUnder(switches);
    expect(failure).toMatch(words);
    expect(reportIn(dir)?.refusedBecause).toBe(failure);
    upstream.set({ maxRows: 0, body: 'normal' });
    expect((await harvestUnder({}, dir)).harvested.size).toBe(COUNT);
    expect(reportIn(dir)?.refusedBecause).toBeNull();
  });

  it('retries when one response in three is cut off', async () => {
    const { harvested } = await harvestUnder({ body: 'truncated', bodyFaultEvery: 3 });
    expect(harvested.size).toBe(COUNT);
  });

  it('stores duplicate rows once, and counts them in the report', async () => {
    const { harvested, dir } = await harvestUnder({ doubledRows: true });
    expect(harvested.size).toBe(COUNT);
    expect(reportIn(dir)?.walk?.doubled).toBeGreaterThan(0);
  });

  it('does not count records without an Ncode as duplicates', async () => {
    const { failure, dir } = await harvestUnder({ record: 'nullStrings' });
    expect(failure).toContain('ncode was missing from 500 records');
    expect(reportIn(dir)?.walk?.doubled).toBe(0);
  });

  // Counts of 1,000 and more may be outdated: the missing rows show when half of the range is counted.
  it.each([COUNT, 1_500])(
    'fails if pages skip rows: missing novels are not treated as withdrawn (%d novels)',
    async (count) => {
      const { failure, dir } = await harvestUnder({ shiftedRows: 3 }, undefined, count);
      expect(failure).toMatch(/ (\d+) rows instead of \d+/);
      expect(fs.existsSync(`${dir}/novels`)).toBe(false);
    },
  );

  it('accepts an outdated count', async () => {
    const { harvested } = await harvestUnder({ staleAllcount: true }, undefined, 1_500);
    expect(harvested.size).toBe(1_500);
  });

  it('accepts a page with some novels outside the requested time, and rejects one with only such novels', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(COUNT);
    let isWhole = false;
    upstream.searchBy((query, index) => {
      const { total, records } = index.search(query);
      const general_lastup = '2025-01-01 00:00:00';
      const isMoved = (row: number) => isWhole || row % 2 === 0;
      return {
        total,
        records: records.map((each, row) => (isMoved(row) ? { ...each, general_lastup } : each)),
      };
    });
    await harvest(upstream.options(dir));
    expect(harvestedIn(dir, 'novels').size).toBe(COUNT);
    isWhole = true;
    await expect(harvest(upstream.options(upstream.folders.next()))).rejects.toThrow(
      'outside the requested time (lastup)',
    );
  });

  it.each([
    ['time', 'lastup', 'time (lastup)', 5],
    // Unbounded, the walk would end after 340.
    ['length, which divides the novels of one second', 'length', 'length', 100],
  ])('ends soon with a clear error if the upstream ignores the %s', async (_, ignored, named, most) => {
    const general_lastup = '2012-04-01 18:00:00';
    upstream.novels = novels(2_050).map((each, index) => ({
      ...each,
      general_lastup,
      length: 1_000 + index,
    }));
    if (ignored === 'lastup') upstream.novels = novels(COUNT);
    upstream.searchBy((query, index) => index.search({ ...query, [ignored]: undefined }));
    const before = upstream.requestCount();
    await expect(harvest(upstream.options(upstream.folders.next()))).rejects.toThrow(
      `outside the requested ${named}`,
    );
    expect(upstream.requestCount() - before).toBeLessThan(most);
  });

  it.each([
    ['counts a tenth more than it returns', 0],
    ['counts a tenth more at the end of the walk than it has', 1],
  ])('accepts an upstream that %s, and no more', async (_, exactCounts) => {
    const harvestCounting = (share: number) => {
      upstream.novels = novels(COUNT);
      let counts = 0;
      upstream.searchBy((query, index) => {
        const { total, records } = index.search(query);
        const isExact = query.lastup || ++counts <= exactCounts;
        return { total: isExact ? total : Math.floor(total / share), records };
      });
      return harvest(upstream.options(upstream.folders.next()));
    };
    await expect(harvestCounting(0.9)).resolves.toBeDefined();
    await expect(harvestCounting(0.89)).rejects.toThrow(IncompleteWalk);
  });

  it('of more novels in every second than can be read ends with the reason in its report, and stores none', async () => {
    let sentCount = 0;
    const dir = upstream.folders.next();
    const any = novel(0);
    upstream.searchBy((query) => {
      sentCount++;
      const { min = 0 } = (query.lastup ?? {}) as { min?: number };
      const of = { general_lastup: japanDateTime(min * 1_000), length: query.length?.min ?? 0 };
      const records = Array.from({ length: query.lim }, (_, row) => ({
        ...any,
        ncode: `N${5_000 + row}AA`,
        ...of,
      }));
      return { total: query.lastup ? 2_001 : 10, records };
    });
    const crowded = harvest(upstream.options(dir));
    await expect(crowded).rejects.toThrow(IncompleteWalk);
    const reason = 'The walk was stopped: 101 responses are too many for 10 novels.';
    await expect(crowded).rejects.toThrow(`novels: ${reason}`);
    expect(sentCount).toBe(102);
    expect(reportIn(dir)?.refusedBecause).toContain(reason);
    // The next walk has only the novels of an upstream that is consistent again.
    upstream.own = {};
    expect((await harvestUnder({}, dir)).harvested.size).toBe(COUNT);
  });
});
