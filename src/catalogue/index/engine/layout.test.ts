import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { plainNovel } from '../../../../test/catalogue/plain-novel.ts';
import { buildIndex } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { INDEX_VERSION } from './layout.ts';

it('files of another layout have another version, so that no release misreads the files of another', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-layout-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const novels = [1, 2, 3].map((index) =>
    plainNovel({ ncode: `N000${index}TA`, title: `霧の塔 Vol.${index}` }),
  );
  await buildIndex(folder, novels, { spacing: 4, isLogged: false });
  const { segments, files } = requireGeneration(folder);
  const facts = [...Object.entries(files), ...segments.flatMap(({ files: own }) => Object.entries(own))];
  const sums = facts.map(([name, { sha256 }]) => `${path.basename(name)} ${sha256}`);
  // If this fails, increment INDEX_VERSION: indexes of earlier versions are then rebuilt from their records.
  expect({ version: INDEX_VERSION, sum: createHash('sha256').update(sums.join('\n')).digest('hex') }).toEqual(
    {
      version: 10,
      sum: 'c19970ee8d9df4a9175a99ee4bcbcb66ffa937e9cf3ee9a2595816be28f6a576',
    },
  );
});
