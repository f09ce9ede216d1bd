import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BROKEN_IN_LOG } from '../../../test/catalogue/damaged-files.ts';
import { plainNovel } from '../../../test/catalogue/plain-novel.ts';
import { createLogger } from '../../process/logger.ts';
import { buildIndex } from '../index/engine/build-index.ts';
import { isSystemError } from '../index/engine/files.ts';
import { readinessOf } from '../readiness.ts';
import { openLocalSource } from './local-source.ts';
import type { LocalSource } from './local-source.ts';
import { publishRankings } from './publish-rankings.ts';

const NOON = Date.parse('2026-11-21T12:00:00+09:00');
const clock = { now: () => NOON, monotonic: () => NOON };

let dir: string;
let log: string[];
let source: LocalSource | undefined;
beforeEach(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-unreadable-'));
  log = [];
  await publish('first');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await source?.close();
  fs.rmSync(dir, { recursive: true });
});

/** Publishes a generation of novels and one of rankings. */
async function publish(title: string): Promise<void> {
  const novel = plainNovel({ ncode: 'N0001TA', title, fetched_at: NOON / 1000 - 60 });
  await buildIndex(path.join(dir, 'novels'), [novel], { spacing: 4, isLogged: false });
  const rows = [{ ncode: 'N0001TA', pt: title.length, rank: 1 }];
  const put = [{ type: 'daily' as const, date: '2026-11-20', fetchedAt: NOON / 1000, rows }];
  await publishRankings(path.join(dir, 'rankings'), { put });
}

function open(): LocalSource {
  const { logger } = createLogger('catalogue', 'info', { write: (line) => void log.push(line) });
  source = openLocalSource({ dir, upstream: undefined, clock, logger });
  return source;
}

const titleIn = async ({ novels }: LocalSource): Promise<unknown> =>
  (await novels.novelapi.search({ order: 'new', st: 1, lim: 1 })).items[0]?.['title'];
const pointsIn = async (local: LocalSource) => (await local.getRanking('daily', '2026-11-20')).value?.[0]?.pt;

/** Replaces a file by a loop of links, which even root cannot read. Returns a function that brings it back. */
function makeUnreadable(name: string): () => void {
  const file = path.join(dir, name);
  fs.renameSync(file, `${file}.aside`);
  fs.symlinkSync(path.basename(file), file);
  return () => fs.renameSync(`${file}.aside`, file);
}

const refuse = (code: string): never => {
  throw Object.assign(new Error(`${code}: refused`), { errno: -1, syscall: 'open', code });
};

const UNAVAILABLE = { code: 'upstream_unavailable', status: 503 };

it('a catalogue that the system cannot read at the start is served as soon as it can, although no file changed', async () => {
  const openSync = fs.openSync;
  vi.spyOn(fs, 'openSync').mockImplementation((file, ...rest) =>
    /columns|rows/.test(String(file)) ? refuse('EACCES') : openSync(file, ...rest),
  );
  const local = open();
  expect(local.states()).toEqual({ novels: 'unreadable', adult: 'absent', rankings: 'unreadable' });
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  await expect(pointsIn(local)).rejects.toMatchObject(UNAVAILABLE);
  await expect(local.getRankingHistory('N0001TA')).rejects.toMatchObject(UNAVAILABLE);
  expect(() => local.changes?.({ lim: 1 })).toThrow('damaged or unreadable');
  const reason = 'its files cannot be read at present; tried again every two seconds';
  expect(readinessOf({ local, gate: undefined, budget: undefined })).toMatchObject({
    status: 'not ready',
    missing: { novels: reason, rankings: reason },
  });
  await expect(local.refresh()).rejects.toSatisfy(isSystemError);
  vi.restoreAllMocks();
  await local.refresh();
  expect([await titleIn(local), await pointsIn(local)]).toEqual(['first', 5]);
  expect(local.states()).toEqual({ novels: 'served', adult: 'absent', rankings: 'served' });
  expect(log.filter((line) => BROKEN_IN_LOG.test(line))).toEqual([]);
});

it.each(['generation-000002.json', 'FOLDER/table', 'FOLDER/records'])(
  'the open generation stays while the system cannot read %s of it or of a newer one',
  async (name) => {
    const [part, folder] = name.endsWith('table')
      ? ['rankings', 'rankings-000002']
      : ['novels', 'segment-000002-1'];
    const file = path.join(part, name.replace('FOLDER', folder));
    const local = open();
    await publish('second one');
    let bringBack = makeUnreadable(file);
    await expect(local.refresh()).rejects.toMatchObject({ code: 'ELOOP' });
    expect(part === 'novels' ? await titleIn(local) : await pointsIn(local)).toBe(
      part === 'novels' ? 'first' : 5,
    );
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
    expect(log.filter((line) => BROKEN_IN_LOG.test(line))).toEqual([]);
  },
);

it('at the start an older generation is served until the system can read the newest', async () => {
  await publish('second one');
  const bringBack = [
    makeUnreadable('novels/segment-000002-1/orders'),
    makeUnreadable('rankings/generation-000002.json'),
  ];
  const local = open();
  expect([await titleIn(local), await pointsIn(local)]).toEqual(['first', 5]);
  await expect(local.refresh()).rejects.toMatchObject({ code: 'ELOOP' });
  for (const each of bringBack) each();
  await local.refresh();
  expect([await titleIn(local), await pointsIn(local)]).toEqual(['second one', 10]);
});

it('a request whose read fails once is 503; the next one is served, and nothing counts as damaged', async () => {
  const local = open();
  await local.refresh();
  vi.spyOn(fs, 'readSync').mockImplementationOnce(() => refuse('EIO'));
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  expect([await titleIn(local), local.states().novels]).toEqual(['first', 'served']);
  expect(
    log.filter((line) => line.includes('a file of the catalogue cannot be read at present')),
  ).toHaveLength(1);
  expect(log.filter((line) => BROKEN_IN_LOG.test(line))).toEqual([]);
});

it('damaged files that the system then cannot read are a state, not a failure of the readiness', async () => {
  const local = open();
  await local.refresh();
  const records = path.join(dir, 'novels', 'segment-000001-1', 'records');
  fs.writeFileSync(records, Buffer.alloc(fs.statSync(records).size));
  await expect(titleIn(local)).rejects.toMatchObject(UNAVAILABLE);
  expect(local.states().novels).toBe('broken');
  vi.spyOn(fs, 'readSync').mockImplementation(() => refuse('EIO'));
  expect(local.states().novels).toBe('unreadable');
  vi.restoreAllMocks();
  expect(local.states().novels).toBe('broken');
});

it('a writer does not build upon an older generation because a newer one is unreadable', async () => {
  await publish('second one');
  const bringBack = makeUnreadable('rankings/generation-000002.json');
  await expect(publishRankings(path.join(dir, 'rankings'), { put: [] })).rejects.toMatchObject({
    code: 'ELOOP',
  });
  bringBack();
});
