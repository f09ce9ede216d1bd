import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { asOfAnotherVersion } from '../../../test/catalogue/damaged-files.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  THEN,
  followedUpstream,
  novel,
} from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn } from '../../../test/catalogue/harvest-under-test.ts';
import { createLogger, silentLogger } from '../../process/logger.ts';
import { newestGeneration } from '../index/engine/index-generations.ts';
import { createNovelScan } from '../index/novel-scan.ts';
import { verifyIndex } from '../../../test/catalogue/verify-index.ts';
import { publishedRankings } from '../local/publish-rankings.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { HarvestMemory } from './harvest-memory.ts';
import { harvestAndFollow } from './harvest.ts';

const upstream = followedUpstream();
/** Flips the first bit of a file. */
function spoil(file: string): void {
  const bytes = fs.readFileSync(file);
  bytes[0] = (bytes[0] as number) ^ 1;
  fs.writeFileSync(file, bytes);
}

const secondsNow = () => Math.floor(upstream.clock.now() / 1_000);

// Follows for days of the test's clock, beside other work of the machine.
describe('following a catalogue', { timeout: 300_000 }, () => {
  it('rejects damaged records with a warning, and continues from the previous generation', async () => {
    const dir = upstream.folders.next();
    const site = path.join(dir, 'novels');
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.novels = [...upstream.novels, novel(50, { general_lastup: japanDateTime(THEN + HOUR) })];
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    const { number = 0, segments = [] } = newestGeneration(site) ?? {};
    const changes = segments.find(({ isChange }) => isChange)?.folder ?? '';
    spoil(path.join(site, changes, 'records'));
    upstream.novels = [...upstream.novels, novel(51, { general_lastup: japanDateTime(THEN + 2 * HOUR) })];
    const said: unknown[] = [];
    const { logger } = createLogger('test', 'warn', { write: (line) => said.push(JSON.parse(line)) });
    await upstream.followUntil(dir, THEN + 3 * HOUR, { logger });
    expect(said).toEqual([
      expect.objectContaining({
        dir: site,
        failure: expect.stringContaining(`${changes}/records`) as string,
      }),
    ]);
    expect(newestGeneration(site)?.number).toBe(number + 1);
    await upstream.followUntil(dir, THEN + DAY);
    expect(harvestedIn(dir, 'novels').size).toBe(42);
    expect(verifyIndex(site)).toEqual([]);
  });

  it('fetches everything again if every generation is damaged', async () => {
    const dir = upstream.folders.next();
    const site = path.join(dir, 'novels');
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    const number = newestGeneration(site)?.number ?? 0;
    for (const { folder } of newestGeneration(site)?.segments ?? [])
      spoil(path.join(site, folder, 'records'));
    await upstream.followUntil(dir, THEN + DAY);
    expect(newestGeneration(site)?.number).toBeGreaterThan(number);
    expect(harvestedIn(dir, 'novels').size).toBe(40);
    expect(verifyIndex(site)).toEqual([]);
  });

  it('fetches everything again if the record of a changed novel is damaged', async () => {
    const dir = upstream.folders.next();
    const site = path.join(dir, 'novels');
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    for (const { folder } of newestGeneration(site)?.segments ?? [])
      spoil(path.join(site, folder, 'records'));
    const changed = { general_lastup: japanDateTime(THEN + HOUR), title: 'changed' };
    upstream.novels = upstream.novels.map((_, index) => novel(index, changed));
    await upstream.followUntil(dir, THEN + DAY);
    const titles = [...harvestedIn(dir, 'novels').values()].map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 40 }, () => 'changed'));
    expect(verifyIndex(site)).toEqual([]);
  });

  it('drops records that became too old while the upstream was down', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.set({ maintenance: 'html503' });
    await upstream.followUntil(dir, THEN + 15 * DAY);
    upstream.set({ maintenance: 'off' });
    upstream.novels = upstream.novels.slice(10);
    await upstream.followUntil(dir, THEN + 16 * DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.size).toBe(30);
    for (const { fetched_at } of harvested.values())
      expect(fetched_at).toBeGreaterThan((THEN + 14 * DAY) / 1_000);
    for (const { fetchedAt } of publishedRankings(path.join(dir, 'rankings'))) {
      expect(fetchedAt).toBeGreaterThan((THEN + 14 * DAY) / 1_000);
    }
  });

  it('fetches everything that is close to its expiry as soon as the upstream is back', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.set({ maintenance: 'html503' });
    await upstream.followUntil(dir, THEN + 13 * DAY);
    upstream.set({ maintenance: 'off' });
    await upstream.followUntil(dir, THEN + 14 * DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.size).toBe(40);
    for (const { fetched_at } of harvested.values())
      expect(fetched_at).toBeGreaterThanOrEqual((THEN + 13 * DAY) / 1_000);
  });

  it('continues, with all novels fetched again, when a clock that was a year ahead has been corrected', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    upstream.clock.set(THEN + 365 * DAY);
    await upstream.followUntil(dir, upstream.clock.now() + HOUR);
    upstream.clock.set(THEN);
    upstream.novels = [...upstream.novels, novel(50, { general_lastup: japanDateTime(THEN - HOUR) })];
    await upstream.followUntil(dir, THEN + 15 * MINUTE);
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.size).toBe(41);
    for (const { fetched_at } of harvested.values()) expect(fetched_at).toBeLessThanOrEqual(secondsNow());
    upstream.novels = [
      ...upstream.novels,
      novel(51, { general_lastup: japanDateTime(upstream.clock.now()) }),
    ];
    await upstream.followUntil(dir, upstream.clock.now() + 11 * MINUTE);
    expect(harvestedIn(dir, 'novels').size).toBe(42);
  });

  it('adds adult novels to a catalogue without them, even if some have just changed', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.novels = [
      ...upstream.novels,
      novel(50, { general_lastup: japanDateTime(upstream.clock.now() - MINUTE) }),
    ];
    await upstream.followUntil(dir, THEN + HOUR + 30 * MINUTE, { adult: true });
    expect(harvestedIn(dir, 'adult').size).toBe(41);
    expect(harvestedIn(dir, 'novels').size).toBe(41);
  });

  it('fetches records again that were lost before they were indexed, because another task had to start', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    const wasAdultLost = { is: false };
    await upstream.followUntil(dir, THEN + 2 * DAY, {
      adult: true,
      onProgress: ({ step, site }) => {
        // By then the oldest novels have been fetched and wait for the build.
        const isThen = step === 'figures' && site === 'adult' && upstream.clock.now() > THEN + HOUR;
        if (isThen && !wasAdultLost.is) fs.rmSync(path.join(dir, 'adult'), { recursive: true });
        wasAdultLost.is ||= isThen;
      },
    });
    expect(wasAdultLost.is).toBe(true);
    const oldest = harvestedIn(dir, 'novels').get('N0000AA');
    expect(oldest?.fetched_at).toBeGreaterThan((THEN + DAY) / 1_000);
  });

  /** Follows until the daily round has built the index of the novels, but not that of the adult novels. */
  async function followUntilBuilt(dir: string): Promise<void> {
    const began = upstream.clock.now();
    const killed = new AbortController();
    const onProgress = ({ step, site }: { step: string; site: string | undefined }) => {
      if (step === 'build' && site === 'adult' && upstream.clock.now() > began)
        killed.abort(new Error('killed'));
    };
    const options = upstream.options(dir, { adult: true, signal: killed.signal, onProgress });
    await expect(harvestAndFollow(options)).rejects.toThrow('killed');
    upstream.clock.set(upstream.clock.now() + 11 * MINUTE);
  }

  /** Number of changes that the next run would publish. */
  function countUnindexed(dir: string): number {
    const memory = new HarvestMemory(dir, silentLogger(), () => undefined);
    const { size } = memory.siteMemory('novels').fresh;
    memory.close();
    return size;
  }

  it('does not publish a change again that was published before a build', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR, { adult: true });
    const changed = novel(50, { general_lastup: japanDateTime(THEN + HOUR) });
    upstream.novels = [...upstream.novels, changed];
    await upstream.followUntil(dir, THEN + 2 * HOUR, { adult: true });
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(true);
    expect(countUnindexed(dir)).toBe(0);
    upstream.novels = upstream.novels.slice(0, 40);
    await followUntilBuilt(dir);
    await followUntilBuilt(dir);
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(false);
    await upstream.followUntil(dir, upstream.clock.now() + 5 * MINUTE, { adult: true });
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(false);
  });

  it('does not publish a change again that the daily build was the first to publish', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR, { adult: true });
    const general_lastup = japanDateTime(THEN + HOUR);
    const changed = Array.from({ length: 501 }, (_, index) => novel(50 + index, { general_lastup }));
    upstream.novels = [...upstream.novels, ...changed];
    const index = createNovelScan(upstream.novels, () => upstream.clock.now());
    // The upstream is down after the first page of the changed novels; later it only fails to list them.
    let isDown = false;
    const search: typeof index.search = (query) => {
      const isLate = upstream.clock.now() > THEN + 2 * HOUR;
      if (isLate ? query.lastupdate : isDown) throw new Error('the upstream fails');
      isDown = query.ncode?.length === 500;
      return index.search(query);
    };
    upstream.own.novelIndex = () => ({ ...index, search });
    await upstream.followUntil(dir, THEN + 2 * HOUR, { adult: true });
    expect([harvestedIn(dir, 'novels').size, countUnindexed(dir)]).toEqual([40, 500]);
    await followUntilBuilt(dir);
    expect([harvestedIn(dir, 'novels').size, countUnindexed(dir)]).toEqual([541, 0]);
  });

  it.each(['idle', 'build'])(
    'replaces an index of another layout, with one warning, if it stopped at "%s"',
    async (step) => {
      const dir = upstream.folders.next();
      upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
      await upstream.followUntil(dir, THEN + HOUR);
      const controller = new AbortController();
      const wait = (milliseconds: number) => {
        upstream.clock.set(upstream.clock.now() + milliseconds);
        return controller.signal.aborted ? Promise.reject(new Error('killed')) : Promise.resolve();
      };
      const killed = upstream.options(dir, {
        wait,
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.step === step) controller.abort(new Error('killed'));
        },
      });
      await expect(harvestAndFollow(killed)).rejects.toThrow('killed');
      const of = path.join(dir, 'novels');
      const number = newestGeneration(of)?.number ?? 0;
      for (const name of fs.readdirSync(of).filter((each) => each.startsWith('generation-')))
        asOfAnotherVersion(path.join(of, name));
      expect(newestGeneration(of)).toBeNull();
      const said: unknown[] = [];
      const { logger } = createLogger('test', 'warn', { write: (line) => said.push(JSON.parse(line)) });
      await upstream.followUntil(dir, upstream.clock.now() + DAY, { logger });
      expect(newestGeneration(of)?.number).toBeGreaterThan(number);
      expect(harvestedIn(dir, 'novels').size).toBe(40);
      expect(said).toEqual([
        expect.objectContaining({
          dir: of,
          msg: expect.stringMatching(/no complete index of this version/) as string,
        }),
      ]);
    },
  );

  it('resumes wherever it was interrupted', async () => {
    const dir = upstream.folders.next();
    let progress = 0;
    for (let runs = 0; upstream.clock.now() < THEN + DAY; runs++) {
      expect(runs).toBeLessThan(500);
      const controller = new AbortController();
      let steps = 0;
      const options = upstream.options(dir, {
        signal: controller.signal,
        onProgress: () => {
          progress++;
          if (++steps === 90) controller.abort(new Error('killed'));
        },
      });
      await expect(harvestAndFollow(options)).rejects.toThrow('killed');
    }
    expect(progress).toBeGreaterThan(180);
    await upstream.followUntil(dir, upstream.clock.now() + 30 * MINUTE);
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.size).toBe(upstream.sample.novels().length);
    for (const each of upstream.sample.novels()) {
      const of = { updated_at: '', fetched_at: 0, buntai: undefined };
      expect({ ...harvested.get(each.ncode), ...of }).toEqual({ ...each, ...of });
    }
  });

  it('logs every ten minutes why the upstream is unreadable, and then continues', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 40 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.set({ body: 'garbage' });
    const said: unknown[] = [];
    const { logger } = createLogger('test', 'warn', { write: (line) => said.push(JSON.parse(line)) });
    await upstream.followUntil(dir, THEN + HOUR + 25 * MINUTE, { logger });
    expect(said).toHaveLength(3);
    expect(said[0]).toMatchObject({
      dir,
      failure: expect.stringMatching(/upstream/i) as string,
    });
    upstream.set({ body: 'normal' });
    upstream.novels = [
      ...upstream.novels,
      novel(50, { general_lastup: japanDateTime(upstream.clock.now()) }),
    ];
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    expect(harvestedIn(dir, 'novels').size).toBe(41);
  });

  it('rejects the loss of most novels within a day', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 1_300 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.novels = upstream.novels.slice(1_100);
    const said: { missing?: number }[] = [];
    const { logger } = createLogger('test', 'warn', {
      write: (line) => said.push(JSON.parse(line) as { missing?: number }),
    });
    await upstream.followUntil(dir, THEN + DAY, { logger });
    expect(harvestedIn(dir, 'novels').size).toBe(1_300);
    expect(said.map(({ missing }) => missing)).toContain(1_100);
    upstream.novels = Array.from({ length: 1_300 }, (_, index) => novel(index)).slice(100);
    await upstream.followUntil(dir, THEN + 2 * DAY);
    expect(harvestedIn(dir, 'novels').size).toBe(1_200);
  });
});
