import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { DAMAGES, skippedIn } from '../../test/damaged-files.ts';
import { publishChanges, searchRecords } from '../../test/index-under-test.ts';
import { localSources } from '../../test/local-sources.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { silentLogger } from '@mokuroku/kit/process';
import { buildIndex, changeIndex } from '../engine/build-index.ts';
import { SEGMENT_FILES } from '../engine/layout.ts';
import { openLocalIndex } from './local-index.ts';
import { Rankings } from './open-rankings.ts';
import { publishRankings } from './ranking-files.ts';

const openSource = localSources(0);
let before: string;
let after: string;

const novels = Array.from({ length: 200 }, (_, index) =>
  plainNovel({ ncode: `N${String(1000 + index)}A`, title: `第${index}の題名`, keyword: '異世界 猫' }),
);

/**
 * Two generations: the second has changed most novels, so that its additions contain a frequent word.
 */
beforeAll(async () => {
  [before, after] = [temporaryFolder(), temporaryFolder()];
  await buildIndex(before, novels);
  fs.cpSync(before, after, { recursive: true });
  await changeIndex(
    after,
    novels.slice(0, 150).map((novel) => ({ ...novel, title: '別の題名' })),
  );
});

/** A new folder with the first generation, and its index; `add` adds the second one. */
function openFolder() {
  const dir = temporaryFolder();
  const { lines: log, logger } = recordedLog();
  fs.cpSync(before, dir, { recursive: true });
  const open = () => openLocalIndex(dir, { now: () => 0, logger, loadWorker: undefined });
  return { dir, log, open, add: () => fs.cpSync(after, dir, { recursive: true }) };
}

const DAMAGED = [
  ...SEGMENT_FILES.map((file) => `segment-000002-changes/${file}`),
  'keywords-000002',
  'generation-000002.json',
];

describe.each(DAMAGED)('a generation whose %s is damaged is replaced by the previous one', (file) => {
  it.each(DAMAGES)('%s', async (_, damage) => {
    const { dir, log, open, add } = openFolder();
    const running = open();
    add();
    damage(path.join(dir, file));
    const isThere = fs.existsSync(path.join(dir, 'generation-000002.json'));
    const begun = open();
    for (const index of [running, begun]) {
      await index.refresh();
      await index.refresh();
      expect(index.current()?.facts()).toMatchObject({ generation: 1, records: novels.length });
      const query = { word: '題名', order: 'ncodeasc', st: 1, lim: 3 } as const;
      const { total, records } = searchRecords(index.current()!, query);
      expect(total).toBe(novels.length);
      expect(records.map(({ title }) => title)).toEqual(novels.slice(0, 3).map(({ title }) => title));
      index.close();
    }
    // Without its list of files a generation was never published.
    expect(skippedIn(log)).toHaveLength(isThere ? 2 : 0);
  });
});

it('an index that is closed while it reads another generation has no open file afterwards', async () => {
  const { dir, open, add } = openFolder();
  const index = open();
  add();
  const refreshed = index.refresh();
  index.close();
  await refreshed;
  expect(openFiles(dir)).toEqual([]);
});

const options = { now: () => 0, logger: silentLogger(), loadWorker: undefined };

const titled = (title: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    plainNovel({ ncode: `N${1000 + index}A`, title: `${title}${index}`, keyword: title }),
  );
const rankings = (date: string) =>
  [{ type: 'daily', date, fetchedAt: 0, rows: [{ ncode: 'N0001A', pt: 1, rank: 1 }] }] as const;

function swap(dir: string, by: string): void {
  fs.rmSync(dir, { recursive: true });
  fs.renameSync(by, dir);
}

const titlesOf = (index: ReturnType<typeof openLocalIndex>) =>
  searchRecords(index.current()!, { order: 'ncodeasc', st: 1, lim: 100 }).records.map(({ title }) => title);

describe('a folder of novels', () => {
  it('that replaces one with the same generation number is served, and its later generations too', async () => {
    const [dir, other] = [temporaryFolder(), temporaryFolder()];
    await buildIndex(dir, titled('猫', 5));
    await buildIndex(other, titled('犬', 4));
    const index = openLocalIndex(dir, options);
    await index.refresh();
    // A file with the same content may stay: it is no reason to keep the others.
    const same = path.join('segment-000001-1', 'frequent');
    fs.renameSync(path.join(dir, same), path.join(other, same));
    swap(dir, other);
    await index.refresh();
    expect(titlesOf(index)).toEqual(['犬0', '犬1', '犬2', '犬3']);
    const third = temporaryFolder();
    await buildIndex(third, titled('鳥', 6));
    await publishChanges(third, { remove: ['N1002A'] });
    swap(dir, third);
    await index.refresh();
    expect(titlesOf(index)).toEqual(['鳥0', '鳥1', '鳥3', '鳥4', '鳥5']);
    index.close();
  });

  it('that was removed is still served and reported; it is reloaded when it is back', async () => {
    const [dir, away] = [temporaryFolder(), temporaryFolder()];
    await buildIndex(dir, titled('猫', 2));
    const index = openLocalIndex(dir, options);
    await index.refresh();
    swap(away, dir);
    await expect(index.refresh()).rejects.toThrow('no complete generation');
    expect(titlesOf(index)).toEqual(['猫0', '猫1']);
    await publishChanges(away, { remove: ['N1000A'] });
    fs.renameSync(away, dir);
    await index.refresh();
    expect(titlesOf(index)).toEqual(['猫1']);
    index.close();
  });

  it('whose damaged generation is repaired in place is reloaded', async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, titled('猫', 2));
    const index = openLocalIndex(dir, options);
    const file = path.join(dir, 'segment-000001-1', 'records');
    const written = fs.readFileSync(file);
    fs.writeFileSync(file, 'X', { flag: 'r+' });
    await expect(index.refresh()).rejects.toThrow('no complete generation');
    await expect(index.refresh()).rejects.toThrow('no complete generation');
    expect(() => titlesOf(index)).toThrow('not as written');
    fs.rmSync(file);
    fs.writeFileSync(file, written);
    await index.refresh();
    expect(titlesOf(index)).toEqual(['猫0', '猫1']);
    index.close();
  });

  it('whose open files were truncated is served again when whole ones replace them', async () => {
    const [dir, copy] = [temporaryFolder(), temporaryFolder()];
    await buildIndex(dir, titled('猫', 2));
    fs.cpSync(dir, copy, { recursive: true });
    const index = openLocalIndex(dir, options);
    await index.refresh();
    fs.truncateSync(path.join(dir, 'segment-000001-1', 'records'));
    expect(() => titlesOf(index)).toThrow('not as written');
    swap(dir, copy);
    await index.refresh();
    expect(titlesOf(index)).toEqual(['猫0', '猫1']);
    index.close();
  });
});

it('serves the rankings of a folder swapped in, and keeps them when that folder is removed', async () => {
  const [dir, other] = [temporaryFolder(), temporaryFolder()];
  await publishRankings(dir, { put: rankings('2013-05-01') });
  await publishRankings(dir, { put: rankings('2013-05-02') });
  await publishRankings(other, { put: rankings('2013-05-03') });
  const openedRankings = new Rankings(dir, options);
  swap(dir, other);
  expect(await openedRankings.refresh()).toBe(true);
  expect(openedRankings.ranking('daily', '2013-05-03')).toBeDefined();
  expect(openedRankings.ranking('daily', '2013-05-02')).toBeUndefined();
  expect(await openedRankings.refresh()).toBe(false);
  fs.rmSync(dir, { recursive: true });
  await expect(openedRankings.refresh()).rejects.toThrow('no complete generation');
  expect(openedRankings.ranking('daily', '2013-05-03')).toBeDefined();
  openedRankings.close();
});

it('serves rankings that are copied over others of the same size when their list comes, as the last file', async () => {
  const [dir, other] = [temporaryFolder(), temporaryFolder()];
  await publishRankings(dir, { put: rankings('2013-05-01') });
  await publishRankings(other, { put: rankings('2013-05-03') });
  const openedRankings = new Rankings(dir, options);
  swap(path.join(dir, 'rankings-000001'), path.join(other, 'rankings-000001'));
  const started = new Rankings(dir, options);
  for (const each of [openedRankings, started]) await each.refresh().catch(() => undefined);
  expect([openedRankings.ranking('daily', '2013-05-01')?.fetchedAt, started.state()]).toEqual([0, 'broken']);
  const list = 'generation-000001.json';
  fs.renameSync(path.join(other, list), path.join(dir, list));
  for (const each of [openedRankings, started]) {
    expect(await each.refresh()).toBe(true);
    expect(each.ranking('daily', '2013-05-03')).toBeDefined();
    each.close();
  }
});

it('reloads its novels even if the rankings beside them are unreadable', async () => {
  const dir = temporaryFolder();
  await buildIndex(path.join(dir, 'novels'), titled('猫', 3));
  await publishRankings(path.join(dir, 'rankings'), { put: rankings('2013-05-01') });
  const { source } = openSource(dir);
  fs.rmSync(path.join(dir, 'rankings'), { recursive: true });
  await publishChanges(path.join(dir, 'novels'), { remove: ['N1000A'] });
  await expect(source.refresh()).rejects.toThrow('no complete generation');
  expect(source.facts().novels).toBe(2);
});

it('reloads its rankings even if the novels beside them are unreadable', async () => {
  const dir = temporaryFolder();
  await buildIndex(path.join(dir, 'novels'), titled('猫', 3));
  await publishRankings(path.join(dir, 'rankings'), { put: rankings('2013-05-01') });
  const { source } = openSource(dir);
  fs.rmSync(path.join(dir, 'novels'), { recursive: true });
  await publishRankings(path.join(dir, 'rankings'), { put: rankings('2013-05-02') });
  await expect(source.refresh()).rejects.toThrow('no complete generation');
  expect(source.facts().rankings).toBe(2);
});

it('a generation is read once, however often its folder is looked at meanwhile', async () => {
  const dir = temporaryFolder();
  const folder = path.join(dir, 'novels');
  await buildIndex(folder, titled('猫', 3));
  const { source, log } = openSource(dir);
  await publishChanges(folder, { remove: ['N1000A'] });
  await Promise.all([source.refresh(), source.refresh(), source.refresh()]);
  expect(log.map(({ msg }) => msg)).toEqual(['a new generation of the catalogue is served']);
});

it('a thread that ends without a reply is a failed look, not an endless one', async () => {
  const dir = temporaryFolder();
  await buildIndex(path.join(dir, 'novels'), titled('猫', 3));
  const script = path.join(temporaryFolder(), 'ends.mjs');
  fs.writeFileSync(script, 'process.exit(0);');
  const { source } = openSource(dir, { loadWorker: pathToFileURL(script) });
  for (const _ of ['once', 'again'])
    await expect(source.refresh()).rejects.toThrow('the thread ended without a reply');
  expect(source.facts().novels).toBe(3);
});

it('a change is served without another look at the million records that it leaves as they are', async () => {
  const dir = temporaryFolder();
  const folder = path.join(dir, 'novels');
  await buildIndex(folder, titled('猫', 3));
  const { source } = openSource(dir);
  await source.refresh();
  await changeIndex(folder, titled('犬', 1));
  const opening = vi.spyOn(fs, 'openSync');
  await source.refresh();
  const opened = opening.mock.calls.map(([file]) => path.relative(folder, String(file)));
  opening.mockRestore();
  expect(source.facts().generation).toBe(2);
  expect(opened).toContain('segment-000002-changes/records');
  expect(opened.filter((file) => file.startsWith('segment-000001-1'))).toEqual([]);
});
