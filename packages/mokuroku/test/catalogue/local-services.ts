import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import type { CatalogueSource, NovelSource } from '@mokuroku/narou/source';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { openLocalSource } from '../../../local-catalogue/src/local/local-source.ts';
import type { LocalSource } from '../../../local-catalogue/src/local/local-source.ts';
import { createLogger } from '@mokuroku/kit/process';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { filledFolder } from './local-folder.ts';
import { TEST_NOW, startTestCatalogue } from './start-test-catalogue.ts';
import type { TestCatalogue, TestCatalogueOptions } from './start-test-catalogue.ts';

export const HOUR_AGO = TEST_NOW / 1000 - 3600;

export interface LocalService extends TestCatalogue {
  local: LocalSource;
  log: string[];
}

export interface LocalServiceOptions extends TestCatalogueOptions {
  hasUpstream?: boolean;
  loadWorker?: URL;
  /** Called before each batch of a stream, to simulate a slow source. */
  onBatch?: (() => void) | undefined;
  /** Called before the search of each stream. */
  onSearch?: (() => void) | undefined;
}

export interface LocalServices {
  /** The source of all folders. */
  upstream: TestCatalogue;
  /** For folders of individual tests. */
  root: string;
  /** A complete copy of the upstream, fetched an hour ago; tests that change a folder use a copy. */
  filled: string;
  copyOf(name: string): string;
  /** The upstream's novels, fetched at this time (Unix seconds). */
  datedNovels(fetchedAt: (index: number) => number): CatalogueNovel[];
  /** The service over a folder, with or without an upstream. */
  start(dir: string, options?: LocalServiceOptions): Promise<LocalService>;
}

const nothing = () => undefined;

/** Watches the source's streams of novels. */
function watched(
  source: LocalSource,
  { onBatch = nothing, onSearch = nothing }: LocalServiceOptions,
): CatalogueSource {
  const { novelapi } = source.novels;
  const stream: NonNullable<NovelSource['stream']> = (query) => {
    onSearch();
    const result = novelapi.stream?.(query);
    if (result === undefined) throw new Error('a local source has streams');
    return { ...result, batches: (signal) => eachAfter(result.batches(signal), onBatch) };
  };
  return { ...source, novels: { ...source.novels, novelapi: { ...novelapi, stream } } };
}

function* eachAfter<Item>(items: Iterable<Item>, act: () => void): Generator<Item, void, undefined> {
  for (const item of items) {
    act();
    yield item;
  }
}

/** Opened before the tests of a file. Services stop with the test that starts them; folders stay. */
export function localServices(): LocalServices {
  const services = {} as LocalServices;
  beforeAll(async () => {
    Object.assign(services, await openLocalServices());
    return services.upstream.close;
  }, 120_000);
  return services;
}

async function openLocalServices(): Promise<LocalServices> {
  const root = temporaryFolder();
  const upstream = await startTestCatalogue({ switches: { stBeyondWindow: 'serve' }, maxStart: null });
  const filled = await filledFolder(upstream.catalogue, HOUR_AGO);

  async function start(
    dir: string,
    { hasUpstream = false, loadWorker, onBatch, onSearch, ...options }: LocalServiceOptions = {},
  ): Promise<LocalService> {
    let local: LocalSource | undefined;
    const log: string[] = [];
    const { logger } = createLogger('catalogue', 'info', { write: (line) => void log.push(line) });
    const sourceOver: TestCatalogueOptions['sourceOver'] = (narou, clock) => {
      local = openLocalSource({ dir, upstream: hasUpstream ? narou : undefined, clock, logger, loadWorker });
      return watched(local, { onBatch, onSearch });
    };
    const service = await startTestCatalogue({ ...options, sourceOver });
    onTestFinished(service.close);
    if (local === undefined) throw new Error('no local source was opened');
    return { ...service, local, log };
  }

  return {
    upstream,
    root,
    filled,
    start,
    copyOf: (name) => {
      const dir = path.join(root, name);
      fs.cpSync(filled, dir, { recursive: true });
      return dir;
    },
    datedNovels: (fetchedAt) =>
      upstream.catalogue.novels().map((novel, index) => ({ ...novel, fetched_at: fetchedAt(index) })),
  };
}
