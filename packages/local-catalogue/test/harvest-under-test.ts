import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { silentLogger } from '@mokuroku/kit/process';
import { HarvestMemory } from '../src/harvest/harvest-memory.ts';
import type { HarvestOptions, HarvestProgress } from '../src/harvest/harvest-run.ts';
import type { HarvestConfig } from '../src/harvest/open-upstream.ts';
import { reportFile } from '../src/harvest/write-report.ts';
import type { HarvestReport } from '../src/harvest/write-report.ts';
import { readIndex } from '../src/engine/build-index.ts';
import type { CatalogueNovel, ChangeEvent } from '@mokuroku/narou/scan';
import { readEvents } from '../src/engine/change-log.ts';
import { newestGeneration } from '../src/engine/index-generations.ts';
import type { Site } from '../src/harvest/harvested-novel.ts';
import type { Clock } from '@mokuroku/kit/process';

/** A clock that waiting moves. */
export interface MovingClock extends Clock {
  set(now: number): void;
}

/** No pause, and a timeout that no busy machine reaches: each failure would move the clock. */
const PATIENT = {
  HARVEST_SHARE_PERCENT: 50,
  HARVEST_PAUSE_MS: 0,
  UPSTREAM_TIMEOUT_MS: 600_000,
  STORE_PREFIX: 'mokuroku:',
  STORE_TIMEOUT_MS: 100,
};

/** Context of a harvest under test: a clock that waiting moves, no pause, and the test's settings. */
export function harvestOptions(
  url: string,
  dir: string,
  clock: MovingClock,
  of: Partial<Omit<HarvestOptions, 'config'>> & { config?: Partial<HarvestConfig> } = {},
): HarvestOptions & { readonly waits: number[]; readonly progress: HarvestProgress[] } {
  const { config, ...rest } = of;
  const waits: number[] = [];
  const progress: HarvestProgress[] = [];
  return {
    dir,
    config: { ...PATIENT, NAROU_BASE_URL: url, ...config },
    adult: false,
    rankings: false,
    keptGenerations: 2,
    freeBytes: () => Infinity,
    clock,
    wait: (milliseconds) => {
      waits.push(milliseconds);
      clock.set(clock.now() + milliseconds);
      return Promise.resolve();
    },
    random: () => 0.5,
    signal: new AbortController().signal,
    logger: silentLogger(),
    report: () => undefined,
    buildScript: undefined,
    onProgress: (each) => {
      progress.push(each);
    },
    waits,
    progress,
    ...rest,
  };
}

/** Leaves the journal of a harvest that was interrupted in a folder. */
export function leaveJournal(dir: string, ...entry: Parameters<HarvestMemory['commit']>): void {
  fs.mkdirSync(path.join(dir, 'harvest'), { recursive: true });
  const memory = new HarvestMemory(dir, silentLogger(), () => ({}));
  memory.commit(...entry);
  memory.close();
}

/** What the report of a harvest says of its novels. */
export const reportIn = (dir: string) =>
  (JSON.parse(fs.readFileSync(reportFile(dir), 'utf8')) as HarvestReport).novels;

/** The events that a harvested folder has, oldest first. */
export function eventsIn(dir: string): ChangeEvent[] {
  const folder = path.join(dir, 'novels');
  const files = newestGeneration(folder)?.changes?.files ?? [];
  return files.flatMap((file) => readEvents(folder, file));
}

/** The content of a harvested folder, by Ncode. */
export const harvestedIn = (dir: string, site: Site): Map<string, CatalogueNovel> =>
  new Map([...readIndex(path.join(dir, site))].map((novel) => [novel.ncode, novel]));

/** Expects a folder to have these novels and no others, but for their style, which is not fetched. */
export function expectNovels(dir: string, novels: readonly CatalogueNovel[]): void {
  const harvested = harvestedIn(dir, 'novels');
  expect(harvested.size).toBe(novels.length);
  for (const each of novels)
    expect({ ...harvested.get(each.ncode), fetched_at: 0 }).toEqual({ ...each, buntai: undefined });
}

/** Aborts a harvest after this many progress reports. */
export function interruptedAfter(steps: number) {
  const controller = new AbortController();
  let reports = 0;
  const onProgress = () => {
    if (++reports === steps) controller.abort(new Error('interrupted'));
  };
  return { signal: controller.signal, onProgress };
}
