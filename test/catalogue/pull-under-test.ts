import path from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { buildIndex, changeIndex, readIndex } from '../../src/catalogue/index/engine/build-index.ts';
import type { CatalogueNovel } from '../../src/catalogue/index/catalogue-novel.ts';
import { requireGeneration } from '../../src/catalogue/index/engine/index-generations.ts';
import { verifyIndex } from './verify-index.ts';
import { publishRankings } from '../../src/catalogue/local/publish-rankings.ts';
import { pull } from '../../src/catalogue/pull/pull.ts';
import type { PullOptions, Pulled } from '../../src/catalogue/pull/pull.ts';
import { FIRST_NOVELS, changesOf } from './changing-novels.ts';
import { temporaryFolders } from './harvest-under-test.ts';
import { startStaticServer } from './static-server.ts';
import type { StaticServer } from './static-server.ts';
import { standingClock } from './upstream-under-test.ts';

interface PulledCatalogue {
  readonly folders: ReturnType<typeof temporaryFolders>;
  readonly pulled: Pulled[];
  readonly clock: ReturnType<typeof standingClock>;
  /** The source. */
  /** The source. */
  dir: string;
  server: StaticServer;
  novels(dir?: string): string;
  build(novels?: readonly CatalogueNovel[], keptGenerations?: 1 | 2): Promise<void>;
  /** Publishes the next generation of the novels. */
  change(keptGenerations?: 1 | 2): Promise<void>;
  rank(date: string): Promise<void>;
  options(dir: string, of?: Partial<PullOptions>): PullOptions;
  /** Resolves to the error. */
  pull(dir: string, of?: Partial<PullOptions>): Promise<string[]>;
  /** Differences between a folder and the source; none in a complete copy. */
  differences(dir: string): string[];
}

/** Small, so that a build takes milliseconds. */
const BUILD = { spacing: 4, rangePositions: 3000 };

/** A harvested folder behind a web server, and folders to pull into. */
export function pulledCatalogue(): PulledCatalogue {
  const folders = temporaryFolders();
  const pulled: Pulled[] = [];
  const own: PulledCatalogue = {
    folders,
    pulled,
    clock: standingClock(1_800_000_000_000),
    dir: '',
    server: undefined as unknown as StaticServer,
    novels: (dir = own.dir) => path.join(dir, 'novels'),
    build: (novels = FIRST_NOVELS, keptGenerations) =>
      buildIndex(own.novels(), novels, { ...BUILD, keptGenerations }),
    change: async (keptGenerations) => {
      const number = requireGeneration(own.novels()).number + 1;
      await changeIndex(own.novels(), changesOf(number), { ...BUILD, keptGenerations });
    },
    rank: (date) =>
      publishRankings(path.join(own.dir, 'rankings'), {
        put: [{ type: 'daily', date, fetchedAt: 1_800_000_000, rows: [{ ncode: 'N0001A', pt: 1, rank: 1 }] }],
      }),
    options: (dir, of = {}) => ({
      from: new URL(own.server.url),
      dir,
      keptGenerations: 2,
      clock: own.clock,
      wait: () => Promise.resolve(),
      random: () => 0.5,
      signal: new AbortController().signal,
      freeBytes: () => Infinity,
      onProgress: () => undefined,
      onPulled: (each) => pulled.push(each),
      onFailedDownload: () => undefined,
      ...of,
    }),
    pull: async (dir, of) => (await pull(own.options(dir, of))).map(({ message }) => message),
    differences: (dir) => {
      const [there, here] = [own.dir, dir].map((each) =>
        [...readIndex(own.novels(each))].map((novel) => JSON.stringify(novel)),
      ) as [string[], string[]];
      return [...verifyIndex(own.novels(dir)), ...there.filter((line, at) => here[at] !== line)];
    },
  };
  beforeEach(async () => {
    own.dir = folders.next();
    await own.build();
    own.server = await startStaticServer(own.dir);
    pulled.length = 0;
  });
  afterEach(() => own.server.close());
  afterAll(folders.remove);
  return own;
}
