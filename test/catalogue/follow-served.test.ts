import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { harvestOptions } from '../../packages/local-catalogue/test/harvest-under-test.ts';
import { plainNovel } from '../../packages/narou/test/plain-novel.ts';
import { startTestCatalogue } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import type { TestBody } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import { japan, standingClock } from '../../packages/narou/test/upstream-under-test.ts';
import { createLogger } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { createNovelScan } from '../../packages/narou/src/scan/novel-scan.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { openLocalSource } from '../../packages/local-catalogue/src/local/local-source.ts';
import type { LocalSource } from '../../packages/local-catalogue/src/local/local-source.ts';
import { startNarouServer } from '../upstream/index.ts';
import { japanDateTime } from '@mokuroku/narou';
import { harvestAndFollow } from '../../packages/local-catalogue/src/harvest/harvest.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Hours before the daily round, which begins at seven in the morning. Few rankings exist. */
const THEN = japan('2013-06-10T04:00:00');
const END = THEN + 4.5 * 60 * MINUTE;

const clock = standingClock(THEN);

/** An upstream that renames, removes and adds a novel every half hour, with all titles so far. */
function changingNovels() {
  const novels = new Map<string, CatalogueNovel>();
  const titles = new Map<string, Set<string>>();
  let rounds = 0;
  let changedAt = -Infinity;
  const put = (index: number): void => {
    const now = japanDateTime(clock.now());
    const ncode = `N${String(index).padStart(4, '0')}AA`;
    const title = `第${index}の物語、${rounds}稿`;
    const [general_firstup, novelupdated_at] = ['2012-01-01 18:00:00', now];
    novels.set(ncode, plainNovel({ ncode, title, general_firstup, general_lastup: now, novelupdated_at }));
    titles.set(ncode, (titles.get(ncode) ?? new Set()).add(title));
  };
  for (let index = 0; index < 120; index++) put(index);
  const change = (): void => {
    if (clock.now() < changedAt + 30 * MINUTE) return;
    changedAt = clock.now();
    rounds += 1;
    put(60 + (rounds % 60));
    put(120 + rounds);
    novels.delete(`N${String(rounds).padStart(4, '0')}AA`);
  };
  return { novels, titles, change };
}

interface Page {
  data: { ncode: string; title: string }[];
  meta: TestBody['meta'];
}

/** A service over a folder that may still be empty. It caches nothing. */
async function serve(dir: string) {
  let local: LocalSource | undefined;
  const log: string[] = [];
  const { logger } = createLogger('catalogue', 'info', { write: (line) => void log.push(line) });
  const service = await startTestCatalogue({
    cacheBytes: 1,
    sourceOver: (_upstream, serviceClock) => {
      const parts = { upstream: undefined, clock: serviceClock, logger };
      return (local = openLocalSource({ dir, ...parts }));
    },
  });
  if (local === undefined) throw new Error('no local source was opened');
  return { service, local, log };
}

it(
  'during hours of following, with the daily round, no request fails and every served title is one that the novel had',
  { timeout: 300_000 },
  async () => {
    const dir = temporaryFolder();
    const { novels, titles, change } = changingNovels();
    const sample = createEmbeddedCatalogue({ clock });
    const catalogue = {
      ...sample,
      novelIndex: () => createNovelScan([...novels.values()], () => clock.now()),
    };
    const server = await startNarouServer({ catalogue, clock });
    const { service, local, log } = await serve(dir);
    const send = async (question: string): Promise<Page> => {
      const { status, body } = await service.get(question, { isChecked: false });
      expect([status, body.error], question).toEqual([200, undefined]);
      return body;
    };

    let requestCount = 0;
    let isOver = false;
    const sending = async (): Promise<void> => {
      for (; !isOver; requestCount++) {
        // Before the first generation there is nothing to request.
        if (local.facts().novels === 0) {
          await new Promise(setImmediate);
          continue;
        }
        const { data, meta } = await send(
          `/v1/novels?lim=20&st=${1 + (requestCount % 100)}&of=n-t&order=ncodeasc`,
        );
        for (const { ncode, title } of data) {
          expect(titles.get(ncode), ncode).toContain(title);
        }
        expect(Date.parse(meta.asOf ?? '')).toBeGreaterThan(clock.now() - 14 * DAY);
      }
    };
    const controller = new AbortController();
    const wait = async (milliseconds: number): Promise<void> => {
      clock.set(clock.now() + milliseconds);
      service.setTime(clock.now());
      await local.refresh();
      if (milliseconds > 0) change();
      if (clock.now() >= END) controller.abort(new Error('the end'));
      controller.signal.throwIfAborted();
    };
    service.setTime(clock.now());
    const load = sending();
    const options = harvestOptions(server.url, dir, clock, { wait, signal: controller.signal });
    await expect(harvestAndFollow(options)).rejects.toThrow('the end');
    isOver = true;
    await load;
    expect(requestCount).toBeGreaterThan(100);
    const takenUp = log.filter((line) => line.includes('a new generation of the catalogue is served'));
    expect(takenUp.length).toBeGreaterThan(8);
    expect(log.length, log.join('')).toBe(takenUp.length);

    // Withdrawn novels disappear within a day; new and changed ones appear within ten minutes.
    const { data } = await send('/v1/novels?lim=500&of=n-t');
    const served = new Map(data.map(({ ncode, title }) => [ncode, title]));
    const late = [...novels].filter(([ncode, { title }]) => served.get(ncode) !== title);
    expect(late.length, JSON.stringify(late.map(([ncode]) => ncode))).toBeLessThanOrEqual(2);
    await service.close();
    await server.close();
  },
);
