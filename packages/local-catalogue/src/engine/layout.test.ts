import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildIndex } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { INDEX_VERSION } from './layout.ts';

it('files of another layout have another version, so that no release misreads the files of another', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-layout-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  // A field without a column changes no file of a record that lacks it.
  const novels = [1, 2, 3].map((index) => ({
    ncode: `N000${index}TA`,
    title: `霧の塔 Vol.${index}`,
    keyword: '冒険 魔法',
    genre: 201,
    novel_type: 1,
    isr15: 1 as const,
    length: 50_000,
    general_lastup: '2026-11-01 18:00:00',
    fetched_at: 0,
  }));
  await buildIndex(folder, novels, { spacing: 4, isLogged: false });
  const { segments, files } = requireGeneration(folder);
  const facts = [...Object.entries(files), ...segments.flatMap(({ files: own }) => Object.entries(own))];
  const sums = facts.map(([name, { sha256 }]) => `${path.basename(name)} ${sha256}`);
  // If this fails, increment INDEX_VERSION: indexes of earlier versions are then rebuilt from their records.
  expect({ version: INDEX_VERSION, sum: createHash('sha256').update(sums.join('\n')).digest('hex') }).toEqual(
    {
      version: 11,
      sum: '378799f4cc2fbe37271102387e08b024432dd39a27265a118bf290968c941a8a',
    },
  );
});
