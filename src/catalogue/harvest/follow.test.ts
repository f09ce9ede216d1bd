import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { harvestOptions, harvestedIn, temporaryFolders } from '../../../test/catalogue/harvest-under-test.ts';
import { plainNovel } from '../../../test/catalogue/plain-novel.ts';
import { japan, standingClock } from '../../../test/catalogue/upstream-under-test.ts';
import { createLogger } from '../../process/logger.ts';
import { createEmbeddedCatalogue } from '../../sample/novels/embedded-catalogue.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { createNovelScan } from '../index/novel-scan.ts';
import { newestGeneration } from '../index/engine/generations.ts';
import { rankingsHeld } from '../local/publish-rankings.ts';
import { startNarouServer } from '../narou-server/server.ts';
import type { NarouServer } from '../narou-server/server.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { harvestAndFollow } from './harvest.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
/** A Monday; there are 60 rankings as yet, and some 1,200 novels of the sample. */
const THEN = japan('2013-06-10T12:00:00');

const folders = temporaryFolders();
afterAll(folders.remove);

const clock = standingClock(THEN);
const sample = createEmbeddedCatalogue({ clock });
let server: NarouServer;
/** What the upstream holds where it is not the sample. */
let novels: CatalogueNovel[] | undefined;

beforeEach(async () => {
  clock.set(THEN);
  novels = undefined;
  const ownIndex = () => novels && createNovelScan(novels, () => clock.now());
  const catalogue = {
    ...sample,
    novelIndex: () => ownIndex() ?? sample.novelIndex(),
    adultNovelIndex: () => ownIndex() ?? sample.adultNovelIndex(),
  };
  server = await startNarouServer({ catalogue, clock });
});
afterEach(() => server.close());

/** Follows until an instant; `onWait` is called whenever time passes. */
async function followUntil(
  dir: string,
  end: number,
  { onWait, ...of }: Parameters<typeof harvestOptions>[3] & { onWait?: () => void } = {},
): Promise<void> {
  const controller = new AbortController();
  const wait = (milliseconds: number) => {
    clock.set(Math.min(end, clock.now() + milliseconds));
    onWait?.();
    if (clock.now() >= end) controller.abort(new Error('the end'));
    return controller.signal.aborted ? Promise.reject(new Error('the end')) : Promise.resolve();
  };
  const options = harvestOptions(server.url, dir, clock, { ...of, wait, signal: controller.signal });
  await expect(harvestAndFollow(options)).rejects.toThrow('the end');
}

const novel = (place: number, of: Partial<CatalogueNovel> = {}): CatalogueNovel => ({
  ...plainNovel(),
  ncode: `N${String(place).padStart(4, '0')}AA`,
  general_firstup: '2012-01-01 18:00:00',
  general_lastup: `2012-03-${String(1 + (place % 28)).padStart(2, '0')} 18:00:00`,
  novelupdated_at: '2012-05-01 18:00:00',
  ...of,
});

/** What an earlier or a later release would have written, or nearly so. */
function asOfAnotherVersion(file: string): void {
  const { generation } = JSON.parse(fs.readFileSync(file, 'utf8')) as { generation: { version: number } };
  generation.version -= 1;
  const sha256 = createHash('sha256').update(JSON.stringify(generation)).digest('hex');
  fs.writeFileSync(file, JSON.stringify({ sha256, generation }));
}

const secondsNow = () => Math.floor(clock.now() / 1_000);

// Days of following, beside whatever else the machine has to do.
describe('a catalogue that is followed', { timeout: 300_000 }, () => {
  it('is that of the upstream after a day, with every ranking, adult novels too', async () => {
    const dir = folders.next();
    await followUntil(dir, THEN + DAY, { adult: true });
    for (const [site, all] of [
      ['novels', sample.novels()],
      ['adult', sample.adultNovels()],
    ] as const) {
      const held = harvestedIn(dir, site);
      expect(held.size).toBe(all.length);
      for (const each of all) {
        const of = { updated_at: '', fetched_at: 0, xid: '' };
        expect({ ...held.get(each.ncode), ...of }).toEqual({ ...each, ...of });
      }
    }
    const rankings = [...rankingsHeld(path.join(dir, 'rankings'))];
    const ofType = (type: string) => rankings.filter((each) => each.type === type).map(({ date }) => date);
    expect(ofType('daily')).toHaveLength(42);
    expect(ofType('daily').at(-1)).toBe('2013-06-11');
    // Tuesday the 11th shows the week of Monday the 10th.
    expect(ofType('weekly')).toEqual([
      '2013-05-06',
      '2013-05-13',
      '2013-05-20',
      '2013-05-27',
      '2013-06-03',
      '2013-06-10',
    ]);
    expect(ofType('monthly')).toEqual(['2013-05-01', '2013-06-01']);
    expect(ofType('quarterly')).toEqual(['2013-05-01', '2013-06-01']);
  });

  it('shows what is new or changed within ten minutes, and what is gone after a day', async () => {
    const dir = folders.next();
    novels = Array.from({ length: 60 }, (_, place) => novel(place));
    await followUntil(dir, THEN + 15 * MINUTE);
    expect(harvestedIn(dir, 'novels').size).toBe(60);
    const now = japanDateTime(clock.now());
    novels = [
      ...novels.slice(2),
      novel(100, { title: '新しい物語', general_lastup: now, novelupdated_at: now }),
      novel(0, { title: '改題された物語', novelupdated_at: now }),
    ];
    await followUntil(dir, clock.now() + 10 * MINUTE);
    let held = harvestedIn(dir, 'novels');
    expect(held.get('N0100AA')?.title).toBe('新しい物語');
    expect(held.get('N0000AA')?.title).toBe('改題された物語');
    expect(held.has('N0001AA')).toBe(true);
    await followUntil(dir, clock.now() + DAY);
    held = harvestedIn(dir, 'novels');
    expect(held.has('N0001AA')).toBe(false);
    expect([...held.keys()].sort()).toEqual(novels.map(({ ncode }) => ncode).sort());
  });

  it('has the figures of the day, also of novels that nobody touches', async () => {
    const dir = folders.next();
    novels = Array.from({ length: 30 }, (_, place) => novel(place));
    await followUntil(dir, THEN + 15 * MINUTE);
    novels = novels.map((each, place) => ({
      ...each,
      weekly_point: 7 * place,
      weekly_unique: place,
      isstop: 1,
    }));
    await followUntil(dir, THEN + DAY);
    const held = harvestedIn(dir, 'novels');
    for (const each of novels) expect({ ...held.get(each.ncode), fetched_at: 0 }).toEqual(each);
  });

  it('keeps nothing for more than fourteen days, and fetches a fourteenth anew a day', async () => {
    const dir = folders.next();
    novels = Array.from({ length: 280 }, (_, place) => novel(place));
    const ages: number[] = [];
    const perDay: number[] = [];
    await followUntil(dir, THEN + HOUR);
    for (let day = 1; day <= 16; day++) {
      const before = secondsNow();
      await followUntil(dir, THEN + HOUR + day * DAY);
      const times = [...harvestedIn(dir, 'novels').values()].map(({ fetched_at }) => fetched_at);
      expect(times).toHaveLength(280);
      ages.push(secondsNow() - Math.min(...times));
      perDay.push(times.filter((time) => time >= before).length);
      const ofRankings = [...rankingsHeld(path.join(dir, 'rankings'))].map(({ fetchedAt }) => fetchedAt);
      ages.push(secondsNow() - Math.min(...ofRankings));
    }
    expect(Math.max(...ages)).toBeLessThan(MAX_AGE_SECONDS);
    expect(perDay.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 20));
  });

  it('does not build upon records that are not what was written: it says so, and what is there stays', async () => {
    const dir = folders.next();
    novels = Array.from({ length: 40 }, (_, place) => novel(place));
    await followUntil(dir, THEN + HOUR);
    const [segment = ''] = fs.readdirSync(path.join(dir, 'novels')).filter((name) => /^segment/.test(name));
    const file = path.join(dir, 'novels', segment, 'records');
    const bytes = fs.readFileSync(file);
    bytes[0] = (bytes[0] as number) ^ 1;
    fs.writeFileSync(file, bytes);
    const before = newestGeneration(path.join(dir, 'novels'))?.number;
    await expect(harvestAndFollow(harvestOptions(server.url, dir, clock))).rejects.toThrow(
      /novels is not as it was written \(segment-\S+\/records\): put a whole copy/,
    );
    expect(newestGeneration(path.join(dir, 'novels'))?.number).toBe(before);
  });

  it('drops what has become too old while the upstream was away', async () => {
    const dir = folders.next();
    novels = Array.from({ length: 40 }, (_, place) => novel(place));
    await followUntil(dir, THEN + HOUR);
    Object.assign(server.switches, { maintenance: 'html503' });
    await followUntil(dir, THEN + 15 * DAY);
    Object.assign(server.switches, { maintenance: 'off' });
    novels = novels.slice(10);
    await followUntil(dir, THEN + 16 * DAY);
    const held = harvestedIn(dir, 'novels');
    expect(held.size).toBe(30);
    for (const { fetched_at } of held.values()) expect(fetched_at).toBeGreaterThan((THEN + 14 * DAY) / 1_000);
    for (const { fetchedAt } of rankingsHeld(path.join(dir, 'rankings'))) {
      expect(fetchedAt).toBeGreaterThan((THEN + 14 * DAY) / 1_000);
    }
  });

  it('goes on, with all novels fetched anew, when the clock was a year ahead and has been put right', async () => {
    const dir = folders.next();
    novels = Array.from({ length: 40 }, (_, place) => novel(place));
    clock.set(THEN + 365 * DAY);
    await followUntil(dir, clock.now() + HOUR);
    clock.set(THEN);
    novels = [...novels, novel(50, { general_lastup: japanDateTime(THEN - HOUR) })];
    await followUntil(dir, THEN + 15 * MINUTE);
    const held = harvestedIn(dir, 'novels');
    expect(held.size).toBe(41);
    for (const { fetched_at } of held.values()) expect(fetched_at).toBeLessThanOrEqual(secondsNow());
    novels = [...novels, novel(51, { general_lastup: japanDateTime(clock.now()) })];
    await followUntil(dir, clock.now() + 11 * MINUTE);
    expect(harvestedIn(dir, 'novels').size).toBe(42);
  });

  it('takes up adult novels where it had gone without them, though some have just changed', async () => {
    const dir = folders.next();
    novels = Array.from({ length: 40 }, (_, place) => novel(place));
    await followUntil(dir, THEN + HOUR);
    novels = [...novels, novel(50, { general_lastup: japanDateTime(clock.now() - MINUTE) })];
    await followUntil(dir, THEN + HOUR + 30 * MINUTE, { adult: true });
    expect(harvestedIn(dir, 'adult').size).toBe(41);
    expect(harvestedIn(dir, 'novels').size).toBe(41);
  });

  it.each(['idle', 'figures', 'texts', 'build'])(
    'fetches all anew, and says so, when it was last at "%s" and the index is of another version',
    async (step) => {
      const dir = folders.next();
      novels = Array.from({ length: 40 }, (_, place) => novel(place));
      await followUntil(dir, THEN + HOUR);
      const controller = new AbortController();
      const wait = (milliseconds: number) => {
        clock.set(clock.now() + milliseconds);
        return controller.signal.aborted ? Promise.reject(new Error('killed')) : Promise.resolve();
      };
      const killed = harvestOptions(server.url, dir, clock, {
        ...{ wait, signal: controller.signal },
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
      await followUntil(dir, clock.now() + DAY, { logger });
      expect(newestGeneration(of)?.number).toBeGreaterThan(number);
      expect(harvestedIn(dir, 'novels').size).toBe(40);
      expect(said).toEqual([
        expect.objectContaining({ dir: of, msg: expect.stringMatching(/fetched anew/) as string }),
      ]);
    },
  );

  it('goes on wherever it was broken off', async () => {
    const dir = folders.next();
    let progress = 0;
    for (let runs = 0; clock.now() < THEN + DAY; runs++) {
      expect(runs).toBeLessThan(500);
      const controller = new AbortController();
      let steps = 0;
      const options = harvestOptions(server.url, dir, clock, {
        signal: controller.signal,
        onProgress: () => {
          progress++;
          if (++steps === 90) controller.abort(new Error('killed'));
        },
      });
      await expect(harvestAndFollow(options)).rejects.toThrow('killed');
    }
    expect(progress).toBeGreaterThan(180);
    await followUntil(dir, clock.now() + 30 * MINUTE);
    const held = harvestedIn(dir, 'novels');
    expect(held.size).toBe(sample.novels().length);
    for (const each of sample.novels()) {
      const of = { updated_at: '', fetched_at: 0 };
      expect({ ...held.get(each.ncode), ...of }).toEqual({ ...each, ...of });
    }
  });
});
