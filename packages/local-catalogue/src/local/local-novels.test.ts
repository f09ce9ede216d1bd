import path from 'node:path';
import { expect, it } from 'vitest';
import { openFiles } from '../../../../test/open-files.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { localSources } from '../../test/local-sources.ts';
import { notHere } from './query-index.ts';
import { publishChanges } from '../../test/index-under-test.ts';
import { buildIndex } from '../engine/build-index.ts';

const DAY = 86_400;
const NOON = Date.parse('2026-11-21T12:00:00+09:00') / 1000;
const open = localSources(NOON * 1000);

it('an answer about several novels is as old as its oldest record or withdrawal', async () => {
  const dir = temporaryFolder();
  const folder = path.join(dir, 'novels');
  const novels = ['N0001TA', 'N0002TA'].map((ncode) => plainNovel({ ncode, fetched_at: NOON - 60 }));
  await buildIndex(folder, novels, { spacing: 4, now: NOON - 4 * DAY });
  await publishChanges(folder, { remove: ['N0002TA'] }, { spacing: 4, now: NOON - 3 * DAY });
  const { novelapi } = open(dir).source.novels;
  const { value, fetchedAt } = await novelapi.find(['N0001TA', 'N0002TA'], ['n']);
  expect(value).toEqual([{ state: 'found', record: { ncode: 'N0001TA' } }, { state: 'denied' }]);
  expect(fetchedAt).toBe(NOON - 3 * DAY);
  expect((await novelapi.find(['N0001TA'], ['n'])).fetchedAt).toBe(NOON - 60);
  const nothing = await novelapi.search({ order: 'new', st: 1, lim: 1, word: '鯨' });
  expect([nothing.allCount, nothing.fetchedAt], 'that of the index').toEqual([0, NOON - 60]);
});

it('a stream has the rows that its total counts, although another generation is served before its first, and keeps no file open when it is left', async () => {
  const dir = temporaryFolder();
  const folder = path.join(dir, 'novels');
  const novels = Array.from({ length: 60 }, (_, at) => plainNovel({ ncode: `N${1000 + at}TA` }));
  await buildIndex(folder, novels, { spacing: 4 });
  const { source } = open(dir);
  const streams = Array.from({ length: 3 }, () => {
    const leave = new AbortController();
    const found = source.novels.novelapi.stream?.({ order: 'new', st: 1, lim: 60 });
    return { leave, total: found?.total, batches: found!.batches(leave.signal) };
  });
  await buildIndex(folder, novels.slice(7), { spacing: 4 });
  await source.refresh();
  const [whole, left] = streams;
  expect([...whole!.batches].map(({ count }) => count)).toEqual([50, whole!.total! - 50]);
  for (const { count } of left!.batches) {
    expect(count).toBe(50);
    break;
  }
  for (const { leave } of streams) leave.abort();
  const leftOpen = openFiles(dir).filter((file) => file.includes('segment-000001'));
  expect(leftOpen, 'of the one that was never begun too').toEqual([]);
});

it('a failure of the upstream leaves its novels unknown, the end of the request fails', async () => {
  const { novels, ...far } = open(temporaryFolder()).source;
  const requested = new AbortController();
  const requester = { client: 'one', background: false, signal: requested.signal };
  let onRequest = (): void => undefined;
  const request = () => {
    onRequest();
    return Promise.reject(notHere('an upstream'));
  };
  const failing = { ...novels.novelapi, find: request, search: request };
  const dir = temporaryFolder();
  await buildIndex(path.join(dir, 'novels'), [plainNovel({ ncode: 'N0002TA', fetched_at: NOON })], {
    spacing: 4,
  });
  const { novelapi } = open(dir, { upstream: { ...far, novels: { ...novels, novelapi: failing } } }).source
    .novels;
  const query = { ncode: ['N0001TA'], order: 'new', st: 1, lim: 1 } as const;
  expect((await novelapi.search(query, requester)).unknown).toEqual(['N0001TA']);
  const { value } = await novelapi.find(['N0001TA'], ['n'], requester);
  expect(value).toMatchObject([{ state: 'unknown', reason: { code: 'not_available_here' } }]);
  onRequest = () => requested.abort();
  await expect(novelapi.search(query, requester)).rejects.toThrow('lacks an upstream');
  await expect(novelapi.find(['N0001TA'], ['n'], requester)).rejects.toThrow('lacks an upstream');
});

it('a search by X id among Ncodes names the novels of unknown authors, not those of others', async () => {
  const dir = temporaryFolder();
  const novels = [{ ncode: 'N0001TA', xid: 'x0001a' }, { ncode: 'N0002TA' }].map((novel) =>
    plainNovel({ ...novel, fetched_at: NOON }),
  );
  await buildIndex(path.join(dir, 'adult'), novels, { spacing: 4 });
  const ncode = novels.map((novel) => novel.ncode);
  const { novel18api } = open(dir).source.novels;
  const { unknown } = await novel18api.search({ ncode, xid: ['x0002a'], order: 'new', st: 1, lim: 1 });
  expect(unknown).toEqual(['N0002TA']);
});
