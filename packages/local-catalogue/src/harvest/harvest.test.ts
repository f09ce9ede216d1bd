import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, HOUR, THEN, followedUpstream, novels } from '../../test/followed-upstream.ts';
import { expectNovels, harvestedIn, interruptedAfter, leaveJournal } from '../../test/harvest-under-test.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { dayOfDate, japanDateTime } from '@mokuroku/narou';
import { silentLogger } from '@mokuroku/kit/process';
import type { Logger } from '@mokuroku/kit/process';
import { newestGeneration } from '../engine/index-generations.ts';
import { Rankings } from '../local/open-rankings.ts';
import { publishedRankings } from '../local/ranking-files.ts';
import type { HarvestProgress } from './harvest-run.ts';
import { harvest } from './harvest.ts';
import { IncompleteWalk } from './walk-catalogue.ts';
import { journalFile } from './harvest-journal.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { HarvestMemory } from './harvest-memory.ts';
import { openJournal, readEntries } from './journal.ts';
import { FolderInUse } from './lock-folder.ts';

const upstream = followedUpstream();
const { options } = upstream;

/** Novels of three years: enough for ranges and pages, few enough for frequent builds. */
const manyNovels = (count = COUNT) =>
  novels(count).map((each, index) => ({
    ...each,
    general_firstup: '2009-01-01 18:00:00',
    general_lastup: japanDateTime(THEN - Math.ceil(((count - index) / count) * 1_080) * DAY),
  }));
const COUNT = 60;
beforeEach(() => {
  upstream.novels = manyNovels();
});

type Options = Parameters<typeof options>[1];

/** Harvests until this many progress reports. */
const interrupt = async (dir: string, steps: number, of: Options = {}) =>
  expect(harvest(options(dir, { ...of, ...interruptedAfter(steps) }))).rejects.toThrow('interrupted');

/** Harvests, and is interrupted after this many progress reports, until it is done. Returns the number of runs. */
async function harvestInParts(dir: string, steps: number, of: Options = {}): Promise<number> {
  for (let runs = 1; ; runs++) {
    const parts = options(dir, { ...of, ...interruptedAfter(steps) });
    const error: unknown = await harvest(parts).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) return runs;
    expect([error, runs < 100]).toEqual([new Error('interrupted'), true]);
  }
}

const expectWhole = (dir: string) => {
  expectNovels(dir, upstream.novels ?? []);
};

describe('an interrupted harvest', () => {
  it('resumes wherever it stopped: only the running request is repeated', async () => {
    upstream.novels = manyNovels(540);
    await harvest(options(temporaryFolder()));
    const whole = upstream.requestCount();
    const dir = temporaryFolder();
    const runs = await harvestInParts(dir, 3);
    expect(runs).toBeGreaterThan(3);
    expect(upstream.requestCount() - whole).toBeLessThan(whole + 3);
    expectWhole(dir);
  });

  const spent = { requests: 0, bytes: 0, at: 0 };
  /** Opens a journal that has one entry, of any release. */
  function memoryOf(entry: unknown, logger: Logger): HarvestMemory {
    const dir = temporaryFolder();
    fs.mkdirSync(path.join(dir, 'harvest'), { recursive: true });
    const isEntry = (value: unknown): value is unknown => value !== undefined;
    const nothing = () => undefined;
    const journal = openJournal(journalFile(dir), isEntry, nothing, nothing);
    journal.append(entry);
    journal.close();
    return new HarvestMemory(dir, logger, () => ({}));
  }
  it.each([
    null,
    'an entry',
    { state: {} },
    { state: { spent, tasks: [null] } },
    { state: { spent, tasks: [{ kind: 'dance', site: 'novels' }] } },
    { state: { spent: null, tasks: [] } },
  ])('does not read what another release has written: %j', (entry) => {
    const { lines, logger } = recordedLog();
    const memory = memoryOf(entry, logger);
    expect([memory.state.tasks, lines.length]).toEqual([[], 1]);
    memory.close();
  });

  it('resumes from an entry without what a later release added', () => {
    const tasks = [{ kind: 'walk', site: 'novels' }];
    const memory = memoryOf({ state: { spent, tasks } }, silentLogger());
    expect(memory.state).toMatchObject({ tasks, walk: null, follow: { changes: {}, round: 0 } });
    memory.close();
  });

  it('has its doubts in entries of ten thousand: all of a million novels are no text that a string can have', () => {
    const dir = temporaryFolder();
    const doubts = Array.from({ length: 10_001 }, (_, at) => [`N${at}A`, { page: 1 }] as const);
    leaveJournal(dir, { doubts: { novels: doubts } });
    const memory = new HarvestMemory(dir, silentLogger(), () => ({}));
    memory.restart({});
    const entries = [...readEntries<HarvestEntry>(journalFile(dir), memory.journalBytes)];
    expect(entries.map((each) => each.doubts?.novels?.length)).toEqual([undefined, 10_000, 1]);
    memory.close();
  });
});

describe('--rankings', () => {
  it('fetches every ranking since the first, wherever it is interrupted, and refreshes old ones', async () => {
    const dir = temporaryFolder();
    await harvestInParts(dir, 30, { rankings: true });
    const rankings = new Rankings(path.join(dir, 'rankings'), {
      now: () => upstream.clock.now(),
      logger: silentLogger(),
      loadWorker: undefined,
    });
    expect(rankings.facts().served).toBe(41 + 5 + 2 + 2);
    // A Monday: the week's ranking is published on the Tuesday.
    for (const [type, date, day] of [
      ['daily', '2013-06-10', '2013-06-10'],
      ['weekly', '2013-06-03', '2013-06-04'],
      ['quarterly', '2013-05-01', '2013-05-01'],
    ] as const)
      expect(rankings.ranking(type, date)?.value).toEqual(upstream.ranking(type, dayOfDate(day) ?? 0));
    expect(rankings.history('N0000AA')?.value).toHaveLength(41 + 5 + 2 + 2);
    rankings.close();
    upstream.clock.set(upstream.clock.now() + 13 * DAY);
    const { rankings: summary } = await harvest(options(dir, { rankings: true }));
    expect(summary).toEqual({ rankings: 54 + 7 + 2 + 2, missed: 0 });
    const harvested = publishedRankings(path.join(dir, 'rankings'));
    for (const { fetchedAt } of harvested) expect(fetchedAt).toBe(upstream.clock.now() / 1_000);
  });
});

describe('the folder of a harvest', () => {
  const lockOf = (dir: string) => path.join(dir, 'harvest', 'lock');

  it('accepts one harvest at a time', async () => {
    const dir = temporaryFolder();
    const both = await Promise.allSettled([harvest(options(dir)), harvest(options(dir))]);
    const refused = both.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([{ status: 'rejected', reason: expect.any(FolderInUse) as FolderInUse }]);
    expectWhole(dir);
    expect(fs.existsSync(lockOf(dir))).toBe(false);
  });

  it.each([
    ['took it over', (file: string) => fs.writeFileSync(file, 'elsewhere 1 1')],
    ['had it and has ended', (file: string) => fs.rmSync(file)],
  ])('is not written any more after another harvest %s', async (_name, replaceLock) => {
    const dir = temporaryFolder();
    const journal = () => fs.readFileSync(journalFile(dir), 'latin1');
    let reports = 0;
    let before = '';
    const onProgress = () => {
      if (++reports !== 3) return;
      replaceLock(lockOf(dir));
      before = journal();
    };
    await expect(harvest(options(dir, { onProgress }))).rejects.toThrow(FolderInUse);
    expect([reports, journal()]).toEqual([3, before]);
  });

  it('says whether its novels are invented, as the server of the sample states', async () => {
    const [dir, other] = [temporaryFolder(), temporaryFolder()];
    const isSample = (of: string) => newestGeneration(path.join(of, 'novels'))?.isSample;
    await harvest(options(dir));
    expect(isSample(dir)).toBe(true);
    // The real upstream states nothing.
    const { NAROU_BASE_URL } = options(dir).config;
    const real = await serveHttp((request, response) => {
      void fetch(`${NAROU_BASE_URL}${request.url ?? ''}`, { headers: { 'user-agent': 'test' } })
        .then((answer) => answer.arrayBuffer())
        .then((body) => response.end(Buffer.from(body)));
    });
    await harvest(options(other, { config: { NAROU_BASE_URL: real } }));
    expect([harvestedIn(other, 'novels').size, isSample(other)]).toEqual([COUNT, undefined]);
    // A change keeps the mark.
    upstream.addNovel(600);
    await upstream.followUntil(dir, upstream.clock.now() + HOUR);
    expect([harvestedIn(dir, 'novels').size, isSample(dir)]).toEqual([COUNT + 1, true]);
  });

  it('has the previous generation during a walk, and the new one after it', async () => {
    const dir = temporaryFolder();
    await harvest(options(dir));
    upstream.novels = [...manyNovels(), ...manyNovels(COUNT + 9).slice(COUNT)];
    await interrupt(dir, 10);
    expect(harvestedIn(dir, 'novels').size).toBe(COUNT);
    await harvest(options(dir));
    expectWhole(dir);
  });
});

describe('requests to the upstream', () => {
  it('stay within the share of the daily budget, also over restarts', async () => {
    const dir = temporaryFolder();
    // A share of 26 a day: two at once, and one in an hour.
    const config = { UPSTREAM_DAILY_REQUESTS: 52 };
    const sent: number[] = [];
    const run = (of: Options) => {
      const settings = options(dir, { config, ...of });
      const { clock } = settings;
      const onProgress = (progress: HarvestProgress) => {
        while (sent.length < progress.usage.requests + before) sent.push(clock.now());
        settings.onProgress(progress);
      };
      const before = sent.length;
      return { ...settings, onProgress };
    };
    await expect(harvest(run(interruptedAfter(6)))).rejects.toThrow('interrupted');
    const { sites } = await harvest(run({}));
    expect(sites[0]?.had).toBe(COUNT);
    expect(sent.length).toBeGreaterThan(9);
    for (const [index, at] of sent.entries())
      expect((sent[index + 3] ?? Infinity) - at).toBeGreaterThan(DAY / 24);
  });

  it('pause for the time that Retry-After states', async () => {
    const dir = temporaryFolder();
    upstream.set({ status: 503, retryAfterSeconds: 90 });
    const run = options(dir);
    const wait = async (milliseconds: number) => {
      await run.wait(milliseconds);
      // The upstream recovers after the second refusal.
      if (run.waits.length === 2) upstream.set({ status: 0, retryAfterSeconds: 0 });
    };
    await harvest({ ...run, wait });
    expect(run.waits).toEqual([90_000, 90_000]);
    expectWhole(dir);
  });

  it('end the harvest after half an hour of failures, and a later run resumes it', async () => {
    const dir = temporaryFolder();
    await interrupt(dir, 8);
    upstream.set({ maintenance: 'html503' });
    const run = options(dir);
    await expect(harvest(run)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    const rested = run.waits.reduce((sum, milliseconds) => sum + milliseconds, 0);
    expect(rested).toBeGreaterThan(1_800_000);
    expect(rested).toBeLessThan(3_000_000);
    expect(run.progress.some(({ pause }) => pause !== undefined)).toBe(true);
    upstream.set({ maintenance: 'off' });
    await harvest(options(dir));
    expectWhole(dir);
  });

  it('never empty a catalogue when the upstream suddenly has nothing', async () => {
    const dir = temporaryFolder();
    await harvest(options(dir));
    upstream.novels = [];
    await expect(harvest(options(dir))).rejects.toThrow(IncompleteWalk);
    expect(harvestedIn(dir, 'novels').size).toBe(COUNT);
  });

  it('are separated by pauses', async () => {
    const run = options(temporaryFolder(), { config: { HARVEST_PAUSE_MS: 700 } });
    await harvest(run);
    const pauses = run.waits.filter((milliseconds) => milliseconds === 700);
    expect(pauses).toHaveLength(upstream.requestCount() - 1);
  });
});
