import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolders } from '../../../../test/new-folders.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { DAMAGES, skippedIn } from '../../test/damaged-files.ts';
import { searchRecords } from '../../test/index-under-test.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { buildIndex, changeIndex } from '../engine/build-index.ts';
import { SEGMENT_FILES } from '../engine/layout.ts';
import { openLocalIndex } from './local-index.ts';

const newFolder = newFolders();
let before: string;
let after: string;

const novels = Array.from({ length: 200 }, (_, index) =>
  plainNovel({ ncode: `N${String(1000 + index)}A`, title: `第${index}の題名`, keyword: '異世界 猫' }),
);

/**
 * Two generations: the second has changed most novels, so that its additions contain a frequent word, and lacks one.
 */
beforeAll(async () => {
  [before, after] = [newFolder(), newFolder()];
  await buildIndex(before, novels);
  fs.cpSync(before, after, { recursive: true });
  await changeIndex(after, {
    put: novels.slice(0, 150).map((novel) => ({ ...novel, title: '別の題名' })),
    remove: [novels[199]!.ncode],
  });
});

/** A new folder with the first generation, and its index; `add` adds the second one. */
function openFolder() {
  const dir = newFolder();
  const { lines: log, logger } = recordedLog();
  fs.cpSync(before, dir, { recursive: true });
  const open = () => openLocalIndex(dir, { now: () => 0, logger, loadWorker: undefined });
  return { dir, log, open, add: () => fs.cpSync(after, dir, { recursive: true }) };
}

const DAMAGED = [
  ...SEGMENT_FILES.map((file) => `segment-000002-changes/${file}`),
  'dead-000002-000001-1',
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
