import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { HOUR, MINUTE, THEN, DAY, followedUpstream, novels } from '../../test/followed-upstream.ts';
import { harvestedIn } from '../../test/harvest-under-test.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { HarvestProgress } from './harvest-run.ts';

const upstream = followedUpstream();
/** A walk begins in 1970, a request for changes two hours ago. */
const isOfFigures = ({ lastup }: NovelQuery) =>
  typeof lastup === 'object' && (lastup.min ?? Infinity) < (THEN - DAY) / 1_000;

describe('a task of a followed catalogue', { timeout: 60_000 }, () => {
  it('continues with the next request after changes came between, and ends if each takes longer', async () => {
    const dir = await upstream.followedFolder(600);
    // Two requests for records, and some for one that is not listed.
    upstream.novels = novels(599, { genre: 9801 });
    upstream.clock.set(THEN + 18 * HOUR);
    const pages: string[] = [];
    upstream.searchBy((query, index) => {
      if (isOfFigures(query) && query.lim > 1) pages.push(JSON.stringify([query.lastup, query.st]));
      return index.search(query);
    });
    const steps: string[] = [];
    const onProgress = ({ step }: HarvestProgress) => {
      if (steps.at(-1) !== step) steps.push(step);
    };
    const config = { HARVEST_PAUSE_MS: 11 * MINUTE };
    await upstream.followUntil(dir, THEN + 2.5 * DAY, { rounds: HOUR, config, onProgress });
    expect(steps.join(' ')).toMatch(/figures changes figures .*texts changes figures texts build/);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages).toHaveLength(new Set(pages).size);
  });

  it('is not skipped if it fails again after it went on in between', async () => {
    const dir = await upstream.followedFolder(40, { adult: true });
    upstream.novels = novels(40, { weekly_point: 7 });
    const failsAfter = [1, 3];
    let pages = 0;
    let failsUntil = 0;
    upstream.searchBy((query, index) => {
      if (!isOfFigures(query)) return index.search(query);
      if (query.lim > 1 && pages++ === failsAfter[0]) {
        failsAfter.shift();
        failsUntil = upstream.clock.now() + HOUR;
      }
      if (upstream.clock.now() < failsUntil) throw new Error('the upstream fails');
      return index.search(query);
    });
    const { lines, logger } = recordedLog();
    const config = { HARVEST_PAUSE_MS: 11 * MINUTE };
    await upstream.followUntil(dir, THEN + 2 * DAY, { adult: true, rounds: 0, config, logger });
    const messages = lines.map(({ msg }) => msg);
    expect(messages.filter((msg) => msg.includes('retried after a pause'))).toHaveLength(2);
    expect(messages.filter((msg) => msg.includes('skipped today'))).toEqual([]);
    expect(harvestedIn(dir, 'novels').get('N0001AA')).toMatchObject({ weekly_point: 7 });
  });

  it('that is a round begins anew with a walk, at once, if its index was lost after its figures', async () => {
    const dir = await upstream.followedFolder();
    const onProgress = ({ step }: HarvestProgress) => {
      if (step === 'texts') throw new Error('killed');
    };
    await expect(upstream.followUntil(dir, THEN + DAY, { onProgress })).rejects.toThrow('killed');
    fs.rmSync(path.join(dir, 'novels'), { recursive: true });
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, upstream.clock.now() + MINUTE, { logger });
    expect([harvestedIn(dir, 'novels').size, lines]).toEqual([40, []]);
  });

  it.each(['changes', 'texts', 'build'])(
    'is followed by a walk if the only index is cut during its step "%s"',
    async (lostAt) => {
      const dir = await upstream.followedFolder();
      upstream.addNovel(50);
      let isLost = false;
      const onProgress = ({ step }: HarvestProgress) => {
        if (step !== lostAt || isLost) return;
        isLost = true;
        const folder = path.join(dir, 'novels');
        for (const name of fs.readdirSync(folder).filter((each) => each.startsWith('keywords')))
          fs.truncateSync(path.join(folder, name));
      };
      const { lines, logger } = recordedLog();
      await upstream.followUntil(dir, THEN + DAY, { onProgress, logger });
      expect([isLost, harvestedIn(dir, 'novels').size]).toEqual([true, 41]);
      expect(lines.map(({ msg }) => msg.split(':')[0])).toContain('discarded a damaged index');
    },
  );

  it('that is a walk pauses ten minutes again after its next failure, once one succeeded', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(40);
    let badUntil = THEN + 40 * MINUTE;
    upstream.searchBy((query, index) => {
      const page = index.search(query);
      return query.lastup || upstream.clock.now() > badUntil ? page : { ...page, total: 2 * page.total };
    });
    const onProgress = ({ step }: HarvestProgress) => {
      if (step !== 'idle' || badUntil > THEN + HOUR || upstream.clock.now() < THEN + 2 * HOUR) return;
      fs.rmSync(path.join(dir, 'novels'), { recursive: true });
      badUntil = THEN + 3 * HOUR;
    };
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + 2.25 * HOUR, { onProgress, logger });
    const failures = lines.filter(({ msg }) => msg.startsWith('fetching a site failed'));
    expect(failures.map(({ pauseSeconds }) => pauseSeconds)).toEqual([600, 1_200, 2_400, 600]);
  });
});
