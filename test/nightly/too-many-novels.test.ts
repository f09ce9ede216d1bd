import path from 'node:path';
import { expect, it } from 'vitest';
import { ncodeFromNumber } from '@mokuroku/narou';
import { newestGeneration } from '../../packages/local-catalogue/src/engine/index-generations.ts';
import { MAX_RECORDS } from '../../packages/local-catalogue/src/engine/layout.ts';
import { harvest } from '../../packages/local-catalogue/src/harvest/harvest.ts';
import { beginWalk } from '../../packages/local-catalogue/src/harvest/walk.ts';
import { THEN, followedUpstream } from '../../packages/local-catalogue/test/followed-upstream.ts';
import { leaveJournal } from '../../packages/local-catalogue/test/harvest-under-test.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const upstream = followedUpstream();

const TITLE =
  'more novels than an index can have are refused in words: a harvest ends, following pauses, the index stays';
it(TITLE, { timeout: 900_000 }, async () => {
  const dir = temporaryFolder();
  await harvest(upstream.options(dir));
  const before = newestGeneration(path.join(dir, 'novels'))!;
  const put = Array.from({ length: MAX_RECORDS + 1 }, (_, number) => ({
    ncode: ncodeFromNumber(number),
    fetched_at: THEN / 1_000,
  }));
  const walk = { ...beginWalk(), phase: 'done' } as const;
  const tasks = [{ kind: 'walk', site: 'novels' }] as const;
  leaveJournal(dir, { site: 'novels', put }, { tasks, walk, counted: put.length, begunBy: 'harvest' });
  await expect(harvest(upstream.options(dir))).rejects.toThrow(
    /^The index of 2,09[78],\d{3} novels is not built: it can have 2,097,152 at most\.$/,
  );
  expect(newestGeneration(path.join(dir, 'novels'))).toEqual(before);
  await upstream.followUntil(dir, THEN + 1_800_000);
  expect(newestGeneration(path.join(dir, 'novels'))).toEqual(before);
});
