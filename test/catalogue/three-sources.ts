import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'vitest';
import type { TestAPI } from 'vitest';
import { openLocalSource } from '../../src/catalogue/local/local-source.ts';
import { silentLogger } from '../../src/process/logger.ts';
import { fillLocalFolder } from './local-folder.ts';
import { TEST_NOW, startTestCatalogue } from './start-test-catalogue.ts';
import type { TestCatalogue, TestCatalogueOptions } from './start-test-catalogue.ts';

/**
 * The sources of the contract: the sample, without a limit on `st`; an upstream with its window; a folder, with that
 * upstream for users only, which no folder holds.
 */
export const SOURCES = ['sample', 'upstream', 'local'] as const;
export type SourceName = (typeof SOURCES)[number];

/** Upstream requests that a number of client requests causes. */
export const requestsOn = (name: SourceName, requests: number): number => (name === 'local' ? 0 : requests);

const none = () => undefined;
const noTest = Object.assign(none, { each: () => none }) as unknown as TestAPI;

/** `it` for tests of upstream requests: a folder sends none, so there is nothing to test. */
export const itAsking = (name: SourceName): TestAPI => (name === 'local' ? noTest : it);

/** Created on first use; deleted at exit. */
let folder: Promise<string> | undefined;

async function fill(): Promise<string> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-three-sources-'));
  process.once('exit', () => {
    fs.rmSync(dir, { recursive: true, force: true });
  });
  const { catalogue, close } = await startTestCatalogue();
  await fillLocalFolder(dir, catalogue, { now: TEST_NOW, fetchedAt: TEST_NOW / 1000 });
  await close();
  return dir;
}

/** The service over one of the three, which all hold the same data. */
export async function startOn(name: SourceName, options: TestCatalogueOptions = {}): Promise<TestCatalogue> {
  if (name === 'upstream') return startTestCatalogue(options);
  if (name === 'sample') {
    const switches = { stBeyondWindow: 'serve', ...options.switches } as const;
    return startTestCatalogue({ ...options, switches, isLocal: true, maxStart: null });
  }
  const dir = await (folder ??= fill());
  return startTestCatalogue({
    ...options,
    sourceOver: (upstream, clock) => openLocalSource({ dir, upstream, clock, logger: silentLogger() }),
  });
}
