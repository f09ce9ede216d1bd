import { describe, expect, it } from 'vitest';
import { DAY, HOUR, THEN, followedUpstream, novel } from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn } from '../../../test/catalogue/harvest-under-test.ts';
import { createLogger } from '../../process/logger.ts';
import { createNovelScan } from '../index/novel-scan.ts';
import { japanDateTime } from '../novels/japan-date.ts';

const upstream = followedUpstream();
const fewNovels = () => Array.from({ length: 40 }, (_, index) => novel(index));
const fails = () => {
  throw new Error('out of order');
};
const options = { adult: true, rankings: true };
const weeks = { ...options, rounds: 6 * HOUR };

/**
 * Checks a catalogue that was followed for some time: new novels arrived within hours, all others are recent enough.
 */
function expectFollowed(dir: string): void {
  const harvested = [...harvestedIn(dir, 'novels').values()];
  expect(harvested.map(({ ncode }) => ncode)).toContain('N0050AA');
  expect(harvested).toHaveLength(41);
  const ages = harvested.map(({ fetched_at }) => upstream.clock.now() / 1_000 - fetched_at);
  expect(Math.max(...ages)).toBeLessThan((14 * DAY) / 1_000);
}

function addNovel(): void {
  const added = novel(50, { general_lastup: japanDateTime(upstream.clock.now()) });
  upstream.novels = [...(upstream.novels ?? []), added];
}

describe('following an upstream of which one interface fails for weeks', { timeout: 300_000 }, () => {
  it.each(['adultNovelIndex', 'ranking'] as const)('continues with the others: %s', async (broken) => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR, options);
    upstream.own = { [broken]: fails };
    addNovel();
    await upstream.followUntil(dir, THEN + 6 * HOUR, options);
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(true);
    await upstream.followUntil(dir, THEN + 20 * DAY, weeks);
    expectFollowed(dir);
  });

  it.each([
    ['once', 20.4, 0],
    ['twice', 24, 1],
  ])('skips an interface for the day only after its second failure: %s', async (_often, hours, skipped) => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    const said: string[] = [];
    const write = (line: string) => said.push((JSON.parse(line) as { msg: string }).msg);
    const { logger } = createLogger('test', 'warn', { write });
    await upstream.followUntil(dir, THEN + HOUR, options);
    // The daily round begins after 19 hours, at seven in the morning.
    const isOutOfOrder = () => upstream.clock.now() < THEN + hours * HOUR;
    upstream.own = {
      adultNovelIndex: () =>
        isOutOfOrder()
          ? fails()
          : createNovelScan(
              fewNovels().map((each) => ({ ...each, nocgenre: 1 })),
              () => upstream.clock.now(),
            ),
    };
    await upstream.followUntil(dir, THEN + 19 * HOUR, options);
    await upstream.followUntil(dir, THEN + 22.5 * HOUR, { ...options, logger });
    expect(said.filter((message) => message.includes('retried after a pause'))).toHaveLength(1);
    expect(said.filter((message) => message.includes('skipped today'))).toHaveLength(skipped);
  });

  it('skips nothing if all interfaces fail', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + 18 * HOUR);
    const said: string[] = [];
    const write = (line: string) => said.push((JSON.parse(line) as { msg: string }).msg);
    const { logger } = createLogger('test', 'warn', { write });
    upstream.set({ maintenance: 'html503' });
    await upstream.followUntil(dir, THEN + 22 * HOUR, { logger });
    expect(said.filter((message) => message.includes('retried after a pause')).length).toBeGreaterThan(1);
    expect(said.filter((message) => message.includes('skipped today'))).toEqual([]);
  });

  it('continues if the novels of that interface were never fetched', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    upstream.own = { adultNovelIndex: fails };
    await upstream.followUntil(dir, THEN + HOUR, options);
    addNovel();
    await upstream.followUntil(dir, THEN + 20 * DAY, weeks);
    expectFollowed(dir);
    upstream.own = {};
    await upstream.followUntil(dir, THEN + 22 * DAY, options);
    expect(harvestedIn(dir, 'adult').size).toBe(41);
  });

  it('finds new novels in the daily round if only the requests for changes fail', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    addNovel();
    const index = createNovelScan(upstream.novels, () => upstream.clock.now());
    const search: typeof index.search = (query) => (query.lastupdate ? fails() : index.search(query));
    upstream.own = { novelIndex: () => ({ ...index, search }) };
    await upstream.followUntil(dir, THEN + 2 * DAY);
    expectFollowed(dir);
  });
});
