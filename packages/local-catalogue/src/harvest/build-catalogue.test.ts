import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, HOUR, THEN, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, leaveJournal } from '../../test/harvest-under-test.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { silentLogger } from '@mokuroku/kit/process';
import { japanDateTime } from '@mokuroku/narou';
import { buildIndex } from '../engine/build-index.ts';
import { DamagedFile } from '../engine/files.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import { openLocalIndex } from '../local/local-index.ts';
import { IndexTooLarge, buildCatalogue } from './build-catalogue.ts';
import { rebuild } from './follow-round.ts';
import { harvest } from './harvest.ts';
import { journalFile } from './harvest-journal.ts';
import { HarvestMemory } from './harvest-memory.ts';
import type { HarvestOptions, HarvestRun } from './harvest-run.ts';
import { FolderInUse } from './lock-folder.ts';

const upstream = followedUpstream();
afterEach(() => {
  vi.restoreAllMocks();
});

it('a build that would fill the disk does not start: it reports required and free space, and loses nothing', async () => {
  const dir = temporaryFolder();
  upstream.novels = novels(300);
  const full = upstream.options(dir, { freeBytes: () => 400_000 });
  await expect(harvest(full)).rejects.toThrow(
    /^The index of 300 novels takes about 1\.9 MB in addition to the contents of .*novels; 0\.4 MB are free there\.$/,
  );
  await expect(harvest(full)).rejects.toThrow(IndexTooLarge);
  expect(fs.readdirSync(path.join(dir, 'novels'))).toEqual([]);
  // The walked records are stored: apart from the counts at its beginning and end, no request is repeated.
  await harvest(upstream.options(dir));
  expect(harvestedIn(dir, 'novels').size).toBe(300);
});

it.each([
  [1, 1],
  [2, 2],
] as const)(
  'with --keep %d that many generations remain, and a running service switches to the newest',
  async (keptGenerations, stay) => {
    const dir = temporaryFolder();
    const folder = path.join(dir, 'novels');
    upstream.novels = novels(30);
    await harvest(upstream.options(dir, { keptGenerations }));
    const logger = silentLogger();
    const served = openLocalIndex(folder, { now: () => THEN, logger, loadWorker: undefined });
    upstream.novels = novels(31);
    await harvest(upstream.options(dir, { keptGenerations }));
    const generations = fs.readdirSync(folder).filter((name) => name.startsWith('generation-'));
    expect(generations).toHaveLength(stay);
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('segment-'))).toHaveLength(stay);
    const query = { order: 'new', st: 1, lim: 500 } as const;
    // Open files of the previous generation are still read.
    expect(served.current()?.search(query, String).ncodes).toHaveLength(30);
    await served.refresh();
    expect(served.current()?.search(query, String).ncodes).toHaveLength(31);
    served.close();
  },
);

it('a build that fails after its generation replaced the previous one does not delete it', async () => {
  const dir = temporaryFolder();
  upstream.novels = novels(30);
  await harvest(upstream.options(dir, { keptGenerations: 1 }));
  upstream.novels = novels(31);
  const remove = fs.rmSync;
  vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
    remove(file, options);
    if (String(file).endsWith('segment-000001-1')) throw new Error('EIO');
  });
  await expect(harvest(upstream.options(dir, { keptGenerations: 1 }))).rejects.toThrow('EIO');
  expect(harvestedIn(dir, 'novels').size).toBe(31);
  vi.restoreAllMocks();
  await harvest(upstream.options(dir, { keptGenerations: 1 }));
  expect(harvestedIn(dir, 'novels').size).toBe(31);
});

it('the files of a killed build do not take the space of the next one', async () => {
  const dir = temporaryFolder();
  const killed = path.join(dir, 'novels', 'segment-000001-1');
  fs.mkdirSync(killed, { recursive: true });
  fs.writeFileSync(path.join(killed, 'texts'), Buffer.alloc(100_000));
  upstream.novels = novels(30);
  const freeBytes = () => 200_000 - (fs.existsSync(killed) ? 100_000 : 0);
  await harvest(upstream.options(dir, { freeBytes }));
  expect(harvestedIn(dir, 'novels').size).toBe(30);
});

it('a build has another number than the removed files of a suspended one, which may continue to write them', async () => {
  const dir = temporaryFolder();
  fs.mkdirSync(path.join(dir, 'novels', 'segment-000001-1'), { recursive: true });
  upstream.novels = novels(30);
  await harvest(upstream.options(dir));
  expect(newestGeneration(path.join(dir, 'novels'))?.segments).toMatchObject([
    { folder: 'segment-000002-1' },
  ]);
});

it('a build that was aborted before it began writes nothing', async () => {
  const dir = temporaryFolder();
  upstream.novels = novels(30);
  const aborted = new AbortController();
  const freeBytes = () => {
    aborted.abort(new Error('aborted'));
    return Infinity;
  };
  const run = upstream.options(dir, { freeBytes, signal: aborted.signal });
  await expect(harvest(run)).rejects.toThrow('aborted');
  expect(fs.readdirSync(path.join(dir, 'novels'))).toEqual([]);
});

const record = (name: string, fetched_at: number, of: object = {}) =>
  plainNovel({ ncode: `N1001${name}`, fetched_at, ...of });

it('a build has the last record of each novel and the figures after it, and no old or withdrawn one', async () => {
  const dir = temporaryFolder();
  const site = 'novels';
  await buildIndex(
    path.join(dir, site),
    ['A', 'B', 'C', 'D', 'E'].map((name) => record(name, name === 'A' ? 99 : 100)),
  );
  const figures = (name: string, weekly_point: number) => ({
    ...record(name, 0, { weekly_point }),
    lastup: 0,
  });
  for (const entry of [
    { figures: [figures('B', 7), figures('C', 7), figures('F', 7)] },
    { put: [record('C', 100, { weekly_point: 8 }), record('F', 99), record('G', 100, { title: '旧題' })] },
    { put: [record('G', 101, { title: '改題' }), record('H', 100), record('D', 101)], gone: ['N1001E'] },
    { figures: [figures('H', 9)], gone: ['N1001D'] },
    { put: [record('E', 99)] },
  ])
    leaveJournal(dir, { site, ...entry });
  const journalBytes = fs.statSync(journalFile(dir)).size;
  const task = { dir, site, novels: 8, journalBytes, options: { now: 103 } } as const;
  await buildCatalogue({ ...task, source: 'index', removeFetchedBefore: 100 });
  const built = [...harvestedIn(dir, site).values()];
  expect(
    built.map(({ ncode, fetched_at, weekly_point }) => [ncode.at(-1), fetched_at, weekly_point]).sort(),
  ).toEqual([
    ['B', 100, 7],
    ['C', 100, 8],
    ['G', 101, 10],
    ['H', 100, 9],
  ]);
  expect(built.find(({ ncode }) => ncode === 'N1001G')?.title).toBe('改題');
  // E was not returned before it became too old, which is no withdrawal.
  expect(eventsIn(dir).flatMap(({ kind, ncode }) => (kind === 'withdrawn' ? [ncode] : []))).toEqual([
    'N1001D',
  ]);
});

const runOf = (memory: HarvestMemory, options: HarvestOptions) =>
  ({
    ...options,
    memory,
    requireLock: () => undefined,
    reportStep: () => undefined,
  }) as Partial<HarvestRun> as HarvestRun;

it('changes that the daily build has published are not published again', async () => {
  const dir = temporaryFolder();
  const site = 'novels';
  await buildIndex(path.join(dir, site), [record('A', 100)]);
  leaveJournal(dir, { site, put: [record('B', 100)], isChange: true });
  const openMemory = () => new HarvestMemory(dir, silentLogger(), () => ({}));
  const memory = openMemory();
  expect(memory.siteMemory(site).fresh.size).toBe(1);
  await rebuild(runOf(memory, upstream.options(dir)), site);
  memory.close();
  const resumed = openMemory();
  expect([harvestedIn(dir, site).size, resumed.siteMemory(site).fresh.size]).toEqual([2, 0]);
  resumed.close();
});

it('a change that two kills left unpublished does not replace the newer record of the daily build', async () => {
  const site = 'novels';
  const dir = await upstream.followedFolder(2);
  const titled = (title: string, at: number) => novel(1, { title, novelupdated_at: japanDateTime(at) });
  // Killed before the change was published.
  const put = [{ ...titled('題 2', THEN + HOUR), fetched_at: (THEN + HOUR) / 1_000 }];
  leaveJournal(dir, { site, put, isChange: true });
  upstream.novels = [novel(0), titled('題 3', THEN + 2 * HOUR)];
  upstream.searchBy((query, index) => {
    if (query.lastupdate) throw new Error('requests for changes fail');
    return index.search(query);
  });
  // Killed as soon as the build is published.
  const remove = fs.rmSync;
  vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
    remove(file, options);
    if (String(file).endsWith('segment-000001-1')) throw new Error('killed');
  });
  const following = upstream.followUntil(dir, THEN + DAY, { keptGenerations: 1 });
  await expect(following).rejects.toThrow('killed');
  vi.restoreAllMocks();
  upstream.own = {};
  await upstream.followUntil(dir, upstream.clock.now() + HOUR);
  expect(eventsIn(dir).map(({ before }) => before.title)).toEqual([novel(1).title]);
  expect(harvestedIn(dir, site).get('N0001AA')?.title).toBe('題 3');
});

describe('a build in a thread of its own', () => {
  /** Bundles the script of the thread. */
  async function bundledWorker(): Promise<URL> {
    const outfile = path.join(temporaryFolder(), 'build-worker.mjs');
    const entry = path.resolve(import.meta.dirname, 'build-worker.ts');
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
    return pathToFileURL(outfile);
  }

  it('writes the index, and names the folder of one that is damaged', async () => {
    const dir = temporaryFolder();
    const buildScript = await bundledWorker();
    upstream.novels = novels(30);
    const options = upstream.options(dir, { buildScript });
    await harvest(options);
    expect(harvestedIn(dir, 'novels').size).toBe(30);
    const file = path.join('segment-000001-1', 'columns');
    const folder = path.join(dir, 'novels');
    fs.writeFileSync(path.join(folder, file), Buffer.alloc(fs.statSync(path.join(folder, file)).size, 1));
    const memory = new HarvestMemory(dir, silentLogger(), () => ({}));
    const failure = await rebuild(runOf(memory, options), 'novels').catch((error: unknown) => error);
    memory.close();
    expect(failure).toBeInstanceOf(DamagedFile);
    expect(failure).toMatchObject({ what: file, folder });
  });

  it.each([
    ['as its lock says', 'setInterval(() => {}, 1e6)'],
    ['as the loss of its own files says', 'throw new Error("ENOENT")'],
  ])('leaves the files of another harvest that has taken the folder over, %s', async (_, script) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const dir = temporaryFolder();
    const other = path.join(dir, 'novels', 'segment-000001-1');
    upstream.novels = novels(30);
    const run = upstream.options(dir, {
      buildScript: new URL(`data:text/javascript,${script}`),
      freeBytes: () => {
        setImmediate(() => {
          fs.writeFileSync(path.join(dir, 'harvest', 'lock'), 'elsewhere 1 1');
          fs.mkdirSync(other);
          if (script.startsWith('setInterval')) vi.advanceTimersByTime(15_000);
        });
        return Infinity;
      },
    });
    await expect(harvest(run)).rejects.toThrow(FolderInUse);
    expect(fs.existsSync(other)).toBe(true);
  });

  it('ends with the reason of an abort, without its files', async () => {
    const aborted = new AbortController();
    const dir = temporaryFolder();
    const folder = path.join(dir, 'novels');
    upstream.novels = novels(30);
    const run = upstream.options(dir, {
      buildScript: new URL('data:text/javascript,setInterval(() => {}, 1e6)'),
      signal: aborted.signal,
      freeBytes: () => {
        fs.mkdirSync(path.join(folder, 'segment-000001-1'));
        setImmediate(() => aborted.abort(new Error('aborted')));
        return Infinity;
      },
    });
    await expect(harvest(run)).rejects.toThrow('aborted');
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
