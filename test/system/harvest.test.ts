import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startNarouServer } from '../upstream/index.ts';
import type { NarouServer } from '../upstream/server.ts';
import { verifyIndex } from '../../packages/local-catalogue/test/index-under-test.ts';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { harvestedIn } from '../../packages/local-catalogue/test/harvest-under-test.ts';
import { startRedis } from './redis-servers.ts';
import { endWithTest, serve, startMokuroku } from './running-service.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { japan, standingClock } from '../../packages/narou/test/upstream-under-test.ts';

const clock = standingClock(japan('2026-11-21T12:00:00'));
const catalogue = createEmbeddedCatalogue({ clock });
const NOVELS = catalogue.novels().length;

let server: NarouServer;
beforeAll(async () => {
  server = await startNarouServer({ catalogue, clock });
  return () => server.close();
});

/** `mokuroku harvest` as its own process. */
const startHarvest = (dir: string, settings: Record<string, string> = {}) =>
  startMokuroku(['harvest', '--dir', dir], {
    NAROU_BASE_URL: server.url,
    HARVEST_PAUSE_MS: '0',
    ...settings,
  });

/** Resolves after this many further requests. */
async function requests(more: number): Promise<void> {
  const wanted = server.requestCount() + more;
  await expect
    .poll(() => server.requestCount(), { timeout: 60_000, interval: 1 })
    .toBeGreaterThanOrEqual(wanted);
}

describe('mokuroku harvest', () => {
  let whole: number;
  beforeAll(async () => {
    const before = server.requestCount();
    expect(await startHarvest(temporaryFolder()).ended).toBe(0);
    whole = server.requestCount() - before;
  });

  it('is resumed after any signal and repeats only the request under way', async () => {
    const dir = temporaryFolder();
    const before = server.requestCount();
    for (const [signal, more] of [
      ['SIGKILL', 3],
      ['SIGINT', 4],
      ['SIGTERM', 5],
    ] as const) {
      const run = startHarvest(dir);
      await requests(more);
      run.child.kill(signal);
      expect(await run.ended).toBe(signal === 'SIGKILL' ? null : 130);
    }
    const last = startHarvest(dir);
    expect(await last.ended).toBe(0);
    expect(server.requestCount() - before).toBeLessThanOrEqual(whole + 3);
    expect(harvestedIn(dir, 'novels').size).toBe(NOVELS);
    expect(verifyIndex(join(dir, 'novels'))).toEqual([]);
  });

  it('rejects a second harvest into the same folder', async () => {
    const dir = temporaryFolder();
    const first = startHarvest(dir);
    await requests(1);
    const second = startHarvest(dir);
    expect(await second.ended).toBe(2);
    expect(second.printed()).toContain('is in use by another harvest');
    expect(await first.ended).toBe(0);
  });
});

it('with a shared store a harvest uses only its share of the budget', async () => {
  const redis = await startRedis();
  onTestFinished(async () => void (await redis.kill()));
  const settings = { STORE_URL: redis.url, UPSTREAM_DAILY_REQUESTS: '260', NAROU_BASE_URL: server.url };
  const before = server.requestCount();
  const run = endWithTest(startHarvest(temporaryFolder(), settings));
  await expect.poll(run.printed, { timeout: 60_000 }).toContain('pausing until');
  expect(server.requestCount() - before).toBe(10);
  const service = await serve({
    ...settings,
    CATALOGUE_SOURCE: 'narou',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  });
  expect((await fetch(`${service.catalogue}/v1/novels?lim=1`)).status).toBe(200);
  expect(server.requestCount() - before).toBe(11);
});

describe.skipIf(!canMount)('a harvest with a full disk', () => {
  it.each([
    ['while it fetches', '200k'],
    ['while it builds', '4m'],
  ])('%s fails with an error that says so, and is resumed when there is space', async (_, size) => {
    const dir = mountSmallDisk(size);
    const full = startHarvest(dir);
    expect(await full.ended).toBe(1);
    expect(full.printed()).toMatch(/Cannot write to .*ENOSPC|takes about .* are free there/);
    expect(full.printed()).not.toContain('    at ');
    execFileSync('mount', ['-o', 'remount,size=64m', dir]);
    const before = server.requestCount();
    expect(await startHarvest(dir).ended).toBe(0);
    expect(server.requestCount() - before).toBeLessThan(40);
    expect(harvestedIn(dir, 'novels').size).toBe(NOVELS);
  });
});
