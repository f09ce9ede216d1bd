import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { eventsIn, harvestedIn, leaveJournal, temporaryFolders } from '../../test/harvest-under-test.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { buildIndex } from '../engine/build-index.ts';
import { buildCatalogue } from './build-catalogue.ts';
import { openHarvestJournal } from './harvest-journal.ts';

const folders = temporaryFolders();
afterAll(folders.remove);

const novel = (name: string, fetched_at: number, of: object = {}) =>
  plainNovel({ ncode: `N1001${name}`, fetched_at, ...of });

it('a build has the last record of each novel and the figures after it, and no old or withdrawn one', async () => {
  const dir = folders.next();
  const site = 'novels';
  await buildIndex(
    path.join(dir, site),
    ['A', 'B', 'C', 'D', 'E'].map((name) => novel(name, name === 'A' ? 99 : 100)),
  );
  const figures = (name: string, weekly_point: number) => ({
    ...novel(name, 0, { weekly_point }),
    lastup: 0,
  });
  for (const entry of [
    { figures: [figures('B', 7), figures('C', 7), figures('F', 7)] },
    { put: [novel('C', 100, { weekly_point: 8 }), novel('F', 99), novel('G', 100, { title: '旧題' })] },
    { put: [novel('G', 101, { title: '改題' }), novel('H', 100), novel('D', 101)], gone: ['N1001E'] },
    { figures: [figures('H', 9)], gone: ['N1001D'] },
    { put: [novel('E', 99)] },
  ])
    leaveJournal(dir, { site, ...entry });
  const journal = openHarvestJournal(dir, { onEntry: () => undefined, onCut: () => undefined });
  const task = { dir, site, novels: 8, keptGenerations: 2, journalBytes: journal.bytes, now: 103 } as const;
  journal.close();
  await buildCatalogue({ ...task, source: 'index', removeFetchedBefore: 100, isSample: undefined });
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
