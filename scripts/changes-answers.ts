import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex } from '../packages/local-catalogue/src/engine/build-index.ts';
import { EXAMPLES } from '@mokuroku/narou';
import type { Clock } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';

/**
 * Creates a local catalogue in which one novel of the sample has just got an episode and another title; calls `use`
 * with its folder.
 */
export async function withChangedFolder<Result>(
  clock: Clock,
  use: (dir: string) => Promise<Result>,
): Promise<Result> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-changes-'));
  try {
    const now = clock.now() / 1000;
    const novel = createEmbeddedCatalogue({ clock })
      .novels()
      .find(({ ncode }) => ncode === EXAMPLES.ncode);
    if (novel === undefined) throw new Error(`the sample has no ${EXAMPLES.ncode}`);
    const put: CatalogueNovel = { ...novel, fetched_at: now };
    const before = { ...put, title: '雨の街', general_all_no: novel.general_all_no - 1 };
    const folder = path.join(dir, 'novels');
    await buildIndex(folder, [before], { now: now - 600 });
    await changeIndex(folder, [put], { now });
    return await use(dir);
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}
