import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { buildIndex } from '../engine/build-index.ts';
import { skippedIn, spoilRecords } from '../../test/damaged-files.ts';
import { localSources, publishTitle } from '../../test/local-sources.ts';
import type { LocalSource } from './local-source.ts';
import { publishRankings } from './ranking-files.ts';

const NOON = Date.parse('2026-11-21T12:00:00+09:00');
const open = localSources(NOON);

let dir: string;
beforeEach(async () => {
  dir = temporaryFolder();
  await publish('first');
});
afterEach(() => {
  vi.restoreAllMocks();
});

const publish = (title: string) => publishTitle(dir, title, NOON);

const titleIn = async ({ novels }: LocalSource): Promise<unknown> =>
  (await novels.novelapi.search({ order: 'new', st: 1, lim: 1 })).items[0]?.['title'];
const pointsIn = async (local: LocalSource) => (await local.getRanking('daily', '2026-11-20')).value?.[0]?.pt;

/** Replaces a file by a loop of links, which even root cannot read. Returns a function that brings it back. */
function makeUnreadable(name: string): () => void {
  const file = path.join(dir, name);
  fs.renameSync(file, `${file}.aside`);
  fs.symlinkSync(path.basename(file), file);
  return () => {
    fs.rmSync(file);
    fs.renameSync(`${file}.aside`, file);
  };
}

const refuse = (code: string): never => {
  throw Object.assign(new Error(`${code}: refused`), { errno: -1, syscall: 'open', code });
};

const UNAVAILABLE = { code: 'catalogue_unreadable', status: 503 };

it('a catalogue that the system cannot read at the start is served as soon as it can, although no file changed', async () => {
  const openSync = fs.openSync;
  vi.spyOn(fs, 'openSync').mockImplementation((file, ...rest) =>
    /columns|rows/.test(String(file)) ? refuse('EACCES') : openSync(file, ...rest),
  );
  const { source: local, log } = open(dir);
  expect(local.states()).toEqual({ novels: 'unreadable', adult: 'absent', rankings: 'unreadable' });
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  await expect(pointsIn(local)).rejects.toMatchObject(UNAVAILABLE);
  await expect(local.getRankingHistory('N0001TA')).rejects.toMatchObject(UNAVAILABLE);
  expect(() => local.changes?.({ lim: 1 })).toThrow('damaged or unreadable');
  await expect(local.refresh()).rejects.toMatchObject({ code: 'EACCES' });
  vi.restoreAllMocks();
  await local.refresh();
  expect([await titleIn(local), await pointsIn(local)]).toEqual(['first', 5]);
  expect(local.states()).toEqual({ novels: 'served', adult: 'absent', rankings: 'served' });
  expect(skippedIn(log)).toEqual([]);
});

it.each(['.', 'generation-000002.json', 'FOLDER/table', 'FOLDER/records'])(
  'the open generation stays while the system cannot read %s of it or of a newer one',
  async (name) => {
    const [part, folder] = name.endsWith('table')
      ? (['rankings', 'rankings-000002'] as const)
      : (['novels', 'segment-000002-1'] as const);
    const file = path.join(part, name.replace('FOLDER', folder));
    const { source: local, log } = open(dir);
    await publish('second one');
    let bringBack = makeUnreadable(file);
    await expect(local.refresh()).rejects.toMatchObject({ code: 'ELOOP' });
    expect(part === 'novels' ? await titleIn(local) : await pointsIn(local)).toBe(
      part === 'novels' ? 'first' : 5,
    );
    expect(local.states()[part]).toBe('behind');
    bringBack();
    await local.refresh();
    const newest = [await titleIn(local), await pointsIn(local)];
    expect(newest).toEqual(['second one', 10]);
    bringBack = makeUnreadable(file);
    await expect(local.refresh()).rejects.toMatchObject({ code: 'ELOOP' });
    expect([await titleIn(local), await pointsIn(local)]).toEqual(newest);
    expect(local.facts().generation).toBe(2);
    bringBack();
    await local.refresh();
    expect(local.states()[part]).toBe('served');
    expect(skippedIn(log)).toEqual([]);
  },
);

it('at the start an older generation is served until the system can read the newest', async () => {
  await publish('second one');
  const bringBack = [
    makeUnreadable('novels/segment-000002-1/orders'),
    makeUnreadable('rankings/generation-000002.json'),
  ];
  const { source: local } = open(dir);
  expect([await titleIn(local), await pointsIn(local)]).toEqual(['first', 5]);
  await expect(local.refresh()).rejects.toMatchObject({ code: 'ELOOP' });
  for (const each of bringBack) each();
  await local.refresh();
  expect([await titleIn(local), await pointsIn(local)]).toEqual(['second one', 10]);
});

it('a request whose read fails once is 503; the next one is served, and nothing counts as damaged', async () => {
  const { source: local, log } = open(dir);
  await local.refresh();
  vi.spyOn(fs, 'readSync').mockImplementationOnce(() => refuse('EIO'));
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  expect([await titleIn(local), local.states().novels]).toEqual(['first', 'served']);
  expect(log.filter(({ msg }) => msg === 'a file of the catalogue cannot be read at present')).toHaveLength(
    1,
  );
  expect(skippedIn(log)).toEqual([]);
});

it('a search after one whose read failed halfway reads again', async () => {
  // Each letter occurs once, so that the last ones have another block of positions than the first ones.
  const letters = Array.from({ length: 1_500 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const novels = Array.from({ length: 10 }, (_, at) =>
    plainNovel({
      ncode: `N100${at}A`,
      story: letters.slice(at * 150, (at + 1) * 150).join(''),
      fetched_at: NOON / 1000,
    }),
  );
  await buildIndex(path.join(dir, 'novels'), novels, { spacing: 4 });
  const { source: local } = open(dir);
  const countOf = async (at: number) => {
    const query = { order: 'new', st: 1, lim: 1, word: letters[at] } as const;
    return (await local.novels.novelapi.search(query)).allCount;
  };
  expect(await countOf(5)).toBe(1);
  const { readSync } = fs;
  type Call = [number, Uint8Array, number, number, number];
  vi.spyOn(fs, 'readSync').mockImplementation(((...[file, bytes, at, length, position]: Call) =>
    at > 0 ? refuse('EIO') : readSync(file, bytes, at, length / 2, position)) as typeof fs.readSync);
  await expect(countOf(1_400)).rejects.toMatchObject(UNAVAILABLE);
  vi.restoreAllMocks();
  expect(await countOf(50)).toBe(1);
});

it('a part whose requests fail is not served until the same read succeeds, and says so', async () => {
  const { source: local, log } = open(dir);
  await local.refresh();
  const word = '魔';
  const search = () => local.novels.novelapi.search({ order: 'new', st: 1, lim: 1, word });
  await search();
  const readSync = fs.readSync;
  const failing = vi.spyOn(fs, 'readSync').mockImplementation(() => refuse('EIO'));
  const stream = local.novels.novelapi.stream?.({ order: 'new', st: 1, lim: 3 });
  expect(() => [...stream!.batches(new AbortController().signal)]).toThrow('damaged or unreadable');
  expect(local.states().novels).toBe('unreadable');
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  await local.refresh();
  expect(local.states().novels).toBe('unreadable');
  // Positions fail; records do not.
  const positions = path.join(dir, 'novels', 'segment-000001-1', 'positions');
  const { ino } = fs.statSync(positions);
  failing.mockImplementation(((file: number, ...rest: [Buffer, number, number, number]) =>
    fs.fstatSync(file).ino === ino ? refuse('EIO') : readSync(file, ...rest)) as typeof fs.readSync);
  expect(local.states().novels).toBe('served');
  await expect(search()).rejects.toMatchObject(UNAVAILABLE);
  expect(await titleIn(local)).toBe('first');
  expect(local.states().novels).toBe('damaged');
  vi.restoreAllMocks();
  expect(local.states().novels).toBe('served');
  // Once until it succeeds again: of a stream and of a search.
  expect(log.filter(({ msg }) => msg.includes('cannot be read at present'))).toHaveLength(2);
  expect(skippedIn(log)).toEqual([]);
});

it('an older generation replaces a damaged one, although a newer one cannot be read', async () => {
  await publish('second one');
  const { source: local } = open(dir);
  await local.refresh();
  spoilRecords(dir);
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  const newer = 'generation-000003.json';
  fs.symlinkSync(newer, path.join(dir, 'novels', newer));
  await expect(local.refresh()).rejects.toMatchObject({ code: 'ELOOP' });
  expect(await titleIn(local)).toBe('first');
});

it('a stream that fails halfway is not readable again because its first rows are', async () => {
  const novels = Array.from({ length: 60 }, (_, at) =>
    plainNovel({ ncode: `N10${at + 10}A`, story: '竜'.repeat(900), fetched_at: NOON / 1000 }),
  );
  await buildIndex(path.join(dir, 'novels'), novels, { spacing: 4 });
  const { source: local } = open(dir);
  const stream = local.novels.novelapi.stream?.({ order: 'ncodeasc', st: 1, lim: 60 });
  const batches = stream!.batches(new AbortController().signal)[Symbol.iterator]();
  expect(batches.next()).toMatchObject({ value: { count: 50 } });
  const { size, ino } = fs.statSync(path.join(dir, 'novels', 'segment-000002-1', 'records'));
  const { readSync } = fs;
  vi.spyOn(fs, 'readSync').mockImplementation(((file: number, ...rest: [Buffer, number, number, number]) =>
    fs.fstatSync(file).ino === ino && rest[3] > (size * 50) / 60
      ? refuse('EIO')
      : readSync(file, ...rest)) as typeof fs.readSync);
  expect(() => batches.next()).toThrow('damaged or unreadable');
  expect(local.states().novels).toBe('damaged');
  vi.restoreAllMocks();
  expect(local.states().novels).toBe('served');
});

it('damage that shows when the system can read again is replaced, although no request meets it', async () => {
  await publish('second one');
  const records = path.join(dir, 'novels', 'segment-000002-1', 'records');
  fs.utimesSync(records, 0, 0);
  const { source: local } = open(dir);
  await local.refresh();
  const reading = vi.spyOn(fs, 'readSync').mockImplementation(() => refuse('EIO'));
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  reading.mockRestore();
  fs.writeFileSync(records, Buffer.alloc(fs.statSync(records).size));
  // Of a disk, not of a writer.
  fs.utimesSync(records, 0, 0);
  expect(local.states().novels).toBe('broken');
  await local.refresh();
  expect(local.states().novels).toBe('served');
  expect(await titleIn(local)).toBe('first');
});

it('damaged files that the system then cannot read are a state, not a failure of the readiness', async () => {
  const { source: local, log } = open(dir);
  await local.refresh();
  const records = path.join(dir, 'novels', 'segment-000001-1', 'records');
  fs.writeFileSync(records, Buffer.alloc(fs.statSync(records).size));
  for (const _ of ['once', 'again']) await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  expect(log.map(({ msg }) => msg)).toEqual(['a file of the catalogue is damaged; all are read again']);
  expect(local.states().novels).toBe('broken');
  vi.spyOn(fs, 'readSync').mockImplementation(() => refuse('EIO'));
  expect(local.states().novels).toBe('unreadable');
  vi.restoreAllMocks();
  expect(local.states().novels).toBe('broken');
});

const worker = path.join(temporaryFolder(), 'load-worker.mjs');
beforeAll(async () => {
  const entry = path.resolve(import.meta.dirname, '../engine/load-worker.ts');
  await build({ entryPoints: [entry], outfile: worker, bundle: true, platform: 'node', format: 'esm' });
});

/** A script for a thread that fails like `code` while the file `short` is there, and else reads a generation. */
function scarceThreads(code: string): { loadWorker: URL; short: string } {
  const short = path.join(dir, 'short');
  const script = path.join(dir, 'worker.mjs');
  fs.writeFileSync(
    script,
    `import fs from 'node:fs';
     if (fs.existsSync(${JSON.stringify(short)})) {
       if (${JSON.stringify(code)} === 'exit') process.exit(0);
       throw Object.assign(new Error('no more'), { code: ${JSON.stringify(code)} });
     }
     await import(${JSON.stringify(pathToFileURL(worker).href)});`,
  );
  return { loadWorker: pathToFileURL(script), short };
}

it.each(['EMFILE', 'EAGAIN', 'ERR_WORKER_INIT_FAILED', 'ERR_WORKER_OUT_OF_MEMORY', 'exit'])(
  'a new generation that comes while threads fail by %s is served when they are back',
  async (code) => {
    const { loadWorker, short } = scarceThreads(code);
    const { source: local, log } = open(dir, { loadWorker });
    await local.refresh();
    fs.writeFileSync(short, '');
    await publish('second one');
    for (let looks = 0; looks < 2; looks++) await expect(local.refresh()).rejects.toThrow();
    expect([await titleIn(local), local.states().novels]).toEqual(['first', 'behind']);
    fs.rmSync(short);
    await local.refresh();
    expect([await titleIn(local), local.states().novels]).toEqual(['second one', 'served']);
    expect(skippedIn(log)).toEqual([]);
  },
);

it('a generation that another thread finds damaged is skipped, until one of its files changes', async () => {
  const { loadWorker } = scarceThreads('none');
  const { source: local, log } = open(dir, { loadWorker });
  await publish('second one');
  const orders = path.join(dir, 'novels', 'segment-000002-1', 'orders');
  const written = fs.readFileSync(orders);
  fs.writeFileSync(orders, Buffer.alloc(written.length, 1));
  for (let looks = 0; looks < 2; looks++) await local.refresh();
  expect([await titleIn(local), local.states().novels, skippedIn(log).length]).toEqual([
    'first',
    'served',
    1,
  ]);
  fs.writeFileSync(orders, written);
  await local.refresh();
  expect(await titleIn(local)).toBe('second one');
});

it('a writer does not build upon an older generation because a newer one is unreadable', async () => {
  await publish('second one');
  const bringBack = makeUnreadable('rankings/generation-000002.json');
  await expect(publishRankings(path.join(dir, 'rankings'), { put: [] })).rejects.toMatchObject({
    code: 'ELOOP',
  });
  bringBack();
  const openSync = fs.openSync;
  vi.spyOn(fs, 'openSync').mockImplementation((file, ...rest) =>
    String(file).endsWith('rankings-000002/table') ? refuse('EACCES') : openSync(file, ...rest),
  );
  await expect(publishRankings(path.join(dir, 'rankings'), { put: [] })).rejects.toMatchObject({
    code: 'EACCES',
  });
});
