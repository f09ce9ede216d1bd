import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, HOUR, MINUTE, THEN, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { harvestedIn, leaveJournal } from '../../test/harvest-under-test.ts';
import { japanDateTime } from '@mokuroku/narou';
import { claimOf } from './doubts.ts';
import type { HarvestProgress } from './harvest-run.ts';

const upstream = followedUpstream();
const titleIn = (dir: string, ncode: string) => harvestedIn(dir, 'novels').get(ncode)?.title;

/** Gives a novel another title, at a time. */
function rename(index: number, at = upstream.clock.now()) {
  const renamed = novel(index, { title: '改題', novelupdated_at: japanDateTime(at) });
  upstream.novels = upstream.novels?.with(index, renamed);
}

describe('a followed catalogue has a change before the next round of a day', { timeout: 60_000 }, () => {
  it('if it came while the records of an earlier one were on their way for hours', async () => {
    const dir = await upstream.followedFolder();
    rename(7);
    upstream.searchBy((query, index) => {
      const page = index.search(query);
      if (query.ncode && upstream.clock.now() < THEN + 2 * HOUR) {
        upstream.clock.set(THEN + 6 * HOUR);
        upstream.addNovel(50, THEN + 2 * HOUR);
      }
      return page;
    });
    await upstream.followUntil(dir, THEN + 7 * HOUR);
    expect([titleIn(dir, 'N0007AA'), harvestedIn(dir, 'novels').size]).toEqual(['改題', 41]);
  });

  it('if it appeared late, and an outage began when its record was requested', async () => {
    const dir = await upstream.followedFolder();
    rename(7, upstream.clock.now() - 115 * MINUTE);
    let outageEnds = 0;
    upstream.searchBy((query, index) => {
      if (query.ncode && outageEnds === 0) outageEnds = upstream.clock.now() + 2 * HOUR;
      if (upstream.clock.now() < outageEnds) throw new Error('the upstream fails');
      return index.search(query);
    });
    await upstream.followUntil(dir, THEN + 5 * HOUR, { rounds: 0 });
    expect(titleIn(dir, 'N0007AA')).toBe('改題');
  });

  it('although requests for changes, and then the round, were refused in between', async () => {
    const dir = await upstream.followedFolder(40, { adult: true });
    upstream.searchBy((query, index) => {
      const now = upstream.clock.now();
      if (now > THEN + 16 * HOUR && now < THEN + 22 * HOUR && query.lim > 1) throw new Error('it fails');
      return index.search(query);
    });
    await upstream.followUntil(dir, THEN + 16.5 * HOUR, { adult: true });
    rename(7);
    await upstream.followUntil(dir, THEN + 23 * HOUR, { adult: true, rounds: 0 });
    expect(titleIn(dir, 'N0007AA')).toBe('改題');
  });

  it('on one site, an hour after an outage of the other began', async () => {
    const dir = await upstream.followedFolder(1_000, { adult: true });
    const at = japanDateTime(upstream.clock.now());
    upstream.novels = novels(1_000, { title: '改題', novelupdated_at: at });
    let isDown = false;
    upstream.searchBy((query, index) => {
      isDown ||= query.ncode !== undefined;
      if (isDown) throw new Error('the upstream fails');
      return index.search(query);
    });
    await upstream.followUntil(dir, THEN + 2 * HOUR, { adult: true, rounds: 0 });
    expect(harvestedIn(dir, 'adult').get('N0007AA')?.title).toBe('改題');
    expect(titleIn(dir, 'N0007AA')).not.toBe('改題');
  });

  it('with a thousand others of a change of the whole site, of which the round has the rest', async () => {
    const dir = await upstream.followedFolder(1_100);
    upstream.novels = novels(1_100, { title: '改題', novelupdated_at: japanDateTime(upstream.clock.now()) });
    const renamed = () =>
      [...harvestedIn(dir, 'novels').values()].filter(({ title }) => title === '改題').length;
    await upstream.followUntil(dir, THEN + 3 * HOUR, { rounds: 0 });
    expect(renamed()).toBe(1_000);
    await upstream.followUntil(dir, THEN + 24 * HOUR);
    expect(renamed()).toBe(1_100);
  });

  it('if it came in the hours of the first walk', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(40);
    let walked = 0;
    const onProgress = ({ step }: HarvestProgress) => {
      if (step === 'recount' && walked === 0) {
        walked = upstream.clock.now();
        rename(7);
      }
      if (step === 'build') walked = upstream.clock.now() - walked;
    };
    const config = { HARVEST_PAUSE_MS: HOUR };
    await upstream.followUntil(dir, THEN + 18 * HOUR, { rounds: 0, config, onProgress });
    expect(walked).toBeGreaterThan(3 * HOUR);
    expect(titleIn(dir, 'N0007AA')).toBe('改題');
  });
});

it('requests 500 records for a second look in ten minutes, so that a doubt about all delays no change', async () => {
  const all = novels(1_100);
  const dir = await upstream.followedFolder(all);
  const claim = { [claimOf('title', '別名')]: (THEN - 2 * DAY) / 1_000 };
  leaveJournal(dir, { doubts: { novels: all.map(({ ncode }) => [ncode, claim]) } });
  const looked = new Set<string>();
  upstream.searchBy((query, index) => {
    for (const ncode of query.ncode ?? []) looked.add(ncode);
    return index.search(query);
  });
  await upstream.followUntil(dir, upstream.clock.now() + 5 * MINUTE);
  // With a few witnesses.
  expect(looked.size).toBeGreaterThanOrEqual(500);
  expect(looked.size).toBeLessThan(600);
});
