import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKEN_IN_LOG, DAMAGES } from '../../test/damaged-files.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { createLogger } from '@mokuroku/kit/process';
import { buildIndex, changeIndex } from '../engine/build-index.ts';
import { SEGMENT_FILES } from '../engine/layout.ts';
import { openLocalIndex } from './local-index.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-local-index-'));
const before = path.join(root, 'before');
const after = path.join(root, 'after');
afterAll(() => {
  fs.rmSync(root, { recursive: true });
});

const novels = Array.from({ length: 200 }, (_, index) =>
  plainNovel({ ncode: `N${String(1000 + index)}A`, title: `第${index}の題名`, keyword: '異世界 猫' }),
);

/**
 * Two generations: the second has changed most novels, so that its additions contain a frequent word, and lacks one.
 */
beforeAll(async () => {
  await buildIndex(before, novels);
  fs.cpSync(before, after, { recursive: true });
  await changeIndex(after, {
    put: novels.slice(0, 150).map((novel) => ({ ...novel, title: '別の題名' })),
    remove: [novels[199]!.ncode],
  });
});

const open = (dir: string, log: string[]) =>
  openLocalIndex(dir, {
    now: () => 0,
    logger: createLogger('catalogue', 'info', { write: (line) => void log.push(line) }).logger,
    loadWorker: undefined,
  });

const DAMAGED = [
  ...SEGMENT_FILES.map((file) => `segment-000002-changes/${file}`),
  'dead-000002-000001-1',
  'keywords-000002',
  'generation-000002.json',
];

describe.each(DAMAGED)('a generation whose %s is damaged is replaced by the previous one', (file) => {
  it.each(DAMAGES)('%s', async (_, damage) => {
    const dir = fs.mkdtempSync(path.join(root, 'damaged-'));
    fs.cpSync(before, dir, { recursive: true });
    const log: string[] = [];
    const running = open(dir, log);
    fs.cpSync(after, dir, { recursive: true });
    damage(path.join(dir, file));
    const isThere = fs.existsSync(path.join(dir, 'generation-000002.json'));
    const begun = open(dir, log);
    for (const index of [running, begun]) {
      await index.refresh();
      await index.refresh();
      expect(index.current()?.facts()).toMatchObject({ generation: 1, records: novels.length });
      const { total, records } = index.current()!.search({ word: '題名', order: 'ncodeasc', st: 1, lim: 3 });
      expect(total).toBe(novels.length);
      expect(records.map(({ title }) => title)).toEqual(novels.slice(0, 3).map(({ title }) => title));
      index.close();
    }
    // Without its list of files a generation was never published.
    expect(log.filter((line) => BROKEN_IN_LOG.test(line))).toHaveLength(isThere ? 2 : 0);
  });
});

it('an index that is closed while it reads another generation has no open file afterwards', async () => {
  const dir = fs.mkdtempSync(path.join(root, 'closed-'));
  fs.cpSync(before, dir, { recursive: true });
  const index = open(dir, []);
  fs.cpSync(after, dir, { recursive: true });
  const refreshed = index.refresh();
  index.close();
  await refreshed;
  expect(openFiles(dir)).toEqual([]);
});
