import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CatalogueNovel } from '../../src/catalogue/index/catalogue-novel.ts';
import { openLocalSource } from '../../src/catalogue/local/local-source.ts';
import type { LocalSource } from '../../src/catalogue/local/local-source.ts';
import { createLogger } from '../../src/process/logger.ts';
import { fillLocalFolder } from './local-folder.ts';
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
}

export interface LocalServices {
  /** What the folders are copies of. */
  upstream: TestCatalogue;
  /** For folders of a test's own. */
  root: string;
  /** Holds all that the upstream has, fetched an hour ago; tests that change a folder work on a copy. */
  filled: string;
  copyOf(name: string): string;
  /** The upstream's novels, fetched then (Unix seconds). */
  datedNovels(fetchedAt: (place: number) => number): CatalogueNovel[];
  /** The service over a folder; with an upstream or without. */
  start(dir: string, options?: LocalServiceOptions): Promise<LocalService>;
  /** Ends the services; folders stay. */
  endServices(): Promise<void>;
  close(): Promise<void>;
}

export async function openLocalServices(): Promise<LocalServices> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-local-'));
  const filled = path.join(root, 'filled');
  const open: TestCatalogue[] = [];
  const upstream = await startTestCatalogue({ switches: { stBeyondWindow: 'serve' }, maxStart: null });
  await fillLocalFolder(filled, upstream.catalogue, { fetchedAt: HOUR_AGO, now: TEST_NOW });

  async function start(
    dir: string,
    { hasUpstream = false, loadWorker, ...options }: LocalServiceOptions = {},
  ): Promise<LocalService> {
    let local: LocalSource | undefined;
    const log: string[] = [];
    const { logger } = createLogger('catalogue', 'info', { write: (line) => void log.push(line) });
    const sourceOver: TestCatalogueOptions['sourceOver'] = (narou, clock) => {
      local = openLocalSource({ dir, upstream: hasUpstream ? narou : undefined, clock, logger, loadWorker });
      return local;
    };
    const service = await startTestCatalogue({ ...options, sourceOver });
    open.push(service);
    if (local === undefined) throw new Error('no local source was opened');
    return { ...service, local, log };
  }

  return {
    ...{ upstream, root, filled, start },
    copyOf: (name) => {
      const dir = path.join(root, name);
      fs.cpSync(filled, dir, { recursive: true });
      return dir;
    },
    datedNovels: (fetchedAt) =>
      upstream.catalogue.novels().map((novel, place) => ({ ...novel, fetched_at: fetchedAt(place) })),
    endServices: async () => {
      for (const each of open.splice(0).reverse()) await each.close();
    },
    close: async () => {
      await upstream.close();
      fs.rmSync(root, { recursive: true });
    },
  };
}
