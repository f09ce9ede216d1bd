import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { asOfAnotherVersion, spoilRecords } from '../../test/damaged-files.ts';
import { DAY, HOUR, MINUTE, THEN, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, expectNovels, harvestedIn, interruptedAfter } from '../../test/harvest-under-test.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { verifyIndex } from '../../test/index-under-test.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import type { Logger } from '@mokuroku/kit/process';
import { japanDateTime } from '@mokuroku/narou';
import { journalFile } from './harvest-journal.ts';
import { HarvestMemory } from './harvest-memory.ts';
import type { HarvestProgress } from './harvest-run.ts';
import { harvest, harvestAndFollow } from './harvest.ts';
import { FolderInUse } from './lock-folder.ts';

const upstream = followedUpstream();

const sizeOf = (dir: string) => harvestedIn(dir, 'novels').size;
const generationOf = (dir: string) => newestGeneration(path.join(dir, 'novels'))?.number ?? 0;
const fetchTimes = (dir: string) => [...harvestedIn(dir, 'novels').values()].map((each) => each.fetched_at);
const expectIntact = (dir: string) => {
  expect(verifyIndex(path.join(dir, 'novels'))).toEqual([]);
};

// Follows for days of the test's clock, beside other work of the machine.
describe('following a catalogue', { timeout: 300_000 }, () => {
  it.each<[string, (dir: string, logger: Logger) => Promise<unknown>]>([
    ['by following', (dir, logger) => upstream.followUntil(dir, THEN + DAY, { logger })],
    ['by a harvest', (dir, logger) => harvest(upstream.options(dir, { logger }))],
  ])(
    'rejects damaged records with a warning, and continues from the previous generation: %s',
    async (_, run) => {
      const dir = await upstream.followedFolder();
      upstream.addNovel(50);
      await upstream.followUntil(dir, THEN + 2 * HOUR);
      const number = generationOf(dir);
      const [changes = ''] = spoilRecords(dir, ({ isChange }) => isChange);
      upstream.addNovel(51);
      const { lines, logger } = recordedLog();
      await run(dir, logger);
      const failure = expect.stringContaining(`${changes}/records`) as string;
      expect(lines).toEqual([expect.objectContaining({ dir: path.join(dir, 'novels'), failure })]);
      expect(generationOf(dir)).toBeGreaterThan(number);
      expect(sizeOf(dir)).toBe(42);
      expect(new Set(eventsIn(dir).map(({ ncode }) => ncode))).toEqual(new Set(['N0050AA', 'N0051AA']));
      expectIntact(dir);
    },
  );

  it('fetches everything again if the record of a changed novel is damaged', async () => {
    const dir = await upstream.followedFolder();
    spoilRecords(dir);
    upstream.novels = novels(40, { general_lastup: japanDateTime(THEN + HOUR), title: 'changed' });
    await upstream.followUntil(dir, THEN + DAY);
    const titles = [...harvestedIn(dir, 'novels').values()].map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 40 }, () => 'changed'));
    expectIntact(dir);
  });

  it('fetches in the next round what only the damaged generation had', async () => {
    const dir = await upstream.followedFolder();
    // Only the first round lists it.
    upstream.addNovel(50);
    upstream.searchBy((query, index) => {
      if (query.lastupdate && upstream.clock.now() < THEN + DAY) throw new Error('the upstream fails');
      return index.search(query);
    });
    const hasNovel = () => harvestedIn(dir, 'novels').has('N0050AA');
    const had: boolean[] = [];
    const onProgress = ({ step }: { step: string }) => {
      if (step !== 'idle' || had.length > 0 || upstream.clock.now() < THEN + 25 * HOUR) return;
      had.push(hasNovel());
      spoilRecords(dir);
      const changed = { novelupdated_at: japanDateTime(upstream.clock.now()) };
      upstream.novels = upstream.novels?.map((each, index) => (index < 5 ? { ...each, ...changed } : each));
    };
    await upstream.followUntil(dir, THEN + 2 * DAY, { onProgress });
    expect([...had, hasNovel()]).toEqual([true, true]);
  });

  it('keeps every novel when the clock jumps ahead by 15 days after the texts of a round', async () => {
    const dir = await upstream.followedFolder();
    const sizes: number[] = [];
    let hasJumped = false;
    const onProgress = ({ step, done, total }: HarvestProgress) => {
      if (hasJumped && step !== 'build') sizes.push(sizeOf(dir));
      if (hasJumped || step !== 'texts' || done !== total) return;
      hasJumped = true;
      upstream.clock.set(upstream.clock.now() + 15 * DAY);
    };
    await upstream.followUntil(dir, THEN + 16 * DAY, { onProgress, rounds: HOUR });
    expect(Math.min(...sizes)).toBe(40);
  });

  it('has the records of a round in which the index of another site is lost, and walks that one', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(40);
    const wasAdultLost = { is: false };
    await upstream.followUntil(dir, THEN + 2 * DAY, {
      adult: true,
      onProgress: ({ step, site }) => {
        const isThen = step === 'figures' && site === 'adult' && upstream.clock.now() > THEN + HOUR;
        if (isThen && !wasAdultLost.is) fs.rmSync(path.join(dir, 'adult'), { recursive: true });
        wasAdultLost.is ||= isThen;
      },
    });
    expect(wasAdultLost.is).toBe(true);
    const oldest = harvestedIn(dir, 'novels').get('N0000AA');
    expect(oldest?.fetched_at).toBeGreaterThan((THEN + HOUR) / 1_000);
    expect(harvestedIn(dir, 'adult').size).toBe(40);
  });

  it('replaces an index of another layout, with one warning, also if it stopped before a build', async () => {
    const dir = await upstream.followedFolder();
    const killed = new AbortController();
    const onProgress = ({ step }: { step: string }) => {
      if (step === 'build') killed.abort(new Error('killed'));
    };
    const following = upstream.followUntil(dir, THEN + 2 * DAY, { signal: killed.signal, onProgress });
    await expect(following).rejects.toThrow('killed');
    const of = path.join(dir, 'novels');
    const number = generationOf(dir);
    for (const name of fs.readdirSync(of).filter((each) => each.startsWith('generation-')))
      asOfAnotherVersion(path.join(of, name));
    expect(newestGeneration(of)).toBeNull();
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, upstream.clock.now() + DAY, { logger });
    expect(generationOf(dir)).toBeGreaterThan(number);
    expect(sizeOf(dir)).toBe(40);
    const msg = expect.stringMatching(/no complete index of this version/) as string;
    expect(lines).toEqual([expect.objectContaining({ dir: of, msg })]);
  });

  it('resumes wherever it was interrupted', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(540);
    let runs = 0;
    for (; upstream.clock.now() < THEN + DAY && runs < 500; runs++) {
      const following = harvestAndFollow(upstream.options(dir, interruptedAfter(90)));
      await expect(following).rejects.toThrow('interrupted');
    }
    expect(runs > 2 && runs < 500).toBe(true);
    await upstream.followUntil(dir, upstream.clock.now() + 30 * MINUTE);
    expectNovels(dir, upstream.novels);
  });

  it('logs every ten minutes why the upstream is unreadable, and then continues', async () => {
    const dir = await upstream.followedFolder();
    upstream.set({ body: 'garbage' });
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + HOUR + 25 * MINUTE, { logger });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ dir, failure: expect.stringMatching(/upstream/i) as string });
    upstream.set({ body: 'normal' });
    upstream.addNovel(50);
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    expect(sizeOf(dir)).toBe(41);
  });
});

describe('following an upstream that', { timeout: 300_000 }, () => {
  it('dates novels beyond all storable times stores them, and does not fetch them repeatedly', async () => {
    const dir = temporaryFolder();
    upstream.novels = [
      ...novels(138),
      novel(138, { general_firstup: '1960-01-01 00:00:00' }),
      novel(139, { novelupdated_at: '9999-12-31 00:00:00' }),
    ];
    await upstream.followUntil(dir, THEN + HOUR);
    const first = fetchTimes(dir);
    expect(first).toHaveLength(140);
    // A time in the future is none.
    expect(harvestedIn(dir, 'novels').get('N0139AA')?.novelupdated_at).toBeUndefined();
    await upstream.followUntil(dir, THEN + DAY);
    const later = ['N0138AA', 'N0139AA'].map((each) => harvestedIn(dir, 'novels').get(each)?.fetched_at);
    expect(first).toEqual(expect.arrayContaining(later));
    // A fourteenth of all is ten.
    expect(fetchTimes(dir).filter((at) => first.includes(at))).toHaveLength(130);
  });

  it('counted its novels twice is walked again after the pause, even if the clock is set back meanwhile', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(40);
    upstream.searchBy((query, index) => {
      const result = index.search(query);
      return query.lastup ? result : { ...result, total: result.total * 2 };
    });
    let behindMs = 0;
    const clock = { ...upstream.clock, now: () => upstream.clock.now() - behindMs };
    const onProgress = ({ step }: HarvestProgress) => {
      if (step !== 'idle') return;
      upstream.own = {};
      behindMs = 30 * DAY;
    };
    await upstream.followUntil(dir, THEN + HOUR, { clock, onProgress });
    expect([behindMs, sizeOf(dir)]).toEqual([30 * DAY, 40]);
  });

  it('counted its novels twice is not followed, nor its folder written, once another harvest has it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const dir = temporaryFolder();
    upstream.novels = novels(40);
    upstream.searchBy((query, index) => {
      const result = index.search(query);
      return query.lastup ? result : { ...result, total: result.total * 2 };
    });
    const journal = () => fs.readFileSync(journalFile(dir), 'latin1');
    let before = '';
    const onProgress = ({ step }: HarvestProgress) => {
      if (step !== 'idle') return;
      fs.writeFileSync(path.join(dir, 'harvest', 'lock'), 'elsewhere 1 1');
      vi.advanceTimersByTime(15_000);
      before = journal();
    };
    await expect(upstream.followUntil(dir, THEN + HOUR, { onProgress })).rejects.toThrow(FolderInUse);
    expect(journal()).toBe(before);
  });

  it('returns novels that are never readable skips those and follows all others', async () => {
    const dir = await upstream.followedFolder();
    upstream.novels = novels(40, { weekly_point: 7 });
    upstream.addNovel(50);
    let isReadable = false;
    upstream.searchBy((query, index) => {
      const result = index.search(query);
      return query.ncode && !isReadable ? { ...result, records: [] } : result;
    });
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + DAY, { logger });
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.get('N0001AA')).toMatchObject({ weekly_point: 7 });
    expect(harvested.has('N0050AA')).toBe(false);
    const memory = new HarvestMemory(dir, logger, () => ({}));
    expect(memory.doubts('novels').has('N0050AA')).toBe(false);
    memory.close();
    expect(lines.some(({ msg }) => msg.startsWith('skipped novels'))).toBe(true);
    isReadable = true;
    await upstream.followUntil(dir, THEN + 2 * DAY);
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(true);
  });

  it.each([
    ['an unreadable record of it', true],
    ['it without its Ncode', false],
  ])('lists a novel no longer, but returns %s, does not withdraw that novel', async (_, failingStory) => {
    const dir = await upstream.followedFolder();
    upstream.novels = novels(40).filter(({ ncode }) => ncode !== 'N0006AA');
    const unnamed = upstream.scan([novel(7, { ncode: '' })]);
    upstream.listOnly(
      ({ ncode }) => ncode !== 'N0007AA',
      (query, index) =>
        failingStory || !query.ncode?.includes('N0007AA')
          ? index.search(query)
          : unnamed.search({ ...query, ncode: [''] }),
    );
    upstream.set({ failingStory });
    await upstream.followUntil(dir, THEN + 2 * DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.has('N0006AA'), harvested.has('N0007AA')]).toEqual([false, true]);
  });

  it('lists four novels no longer, whose records nobody can read, and does not have a fifth: withdraws that one', async () => {
    const unreadable = [7, 1_007, 2_007, 3_007].map((index) => novel(index));
    const withdrawn = novel(3_500);
    const dir = await upstream.followedFolder([...novels(40), ...unreadable.slice(1), withdrawn]);
    upstream.novels = upstream.novels?.filter(({ ncode }) => ncode !== withdrawn.ncode);
    upstream.listOnly(
      ({ ncode }) => !ncode.endsWith('007AA'),
      (query, index) => index.search(query),
    );
    upstream.set({ failingStory: true });
    await upstream.followUntil(dir, THEN + 2.5 * DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect(unreadable.map(({ ncode }) => harvested.has(ncode))).toEqual([true, true, true, true]);
    expect(harvested.has(withdrawn.ncode)).toBe(false);
  });
});
