import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { verifyIndex } from '../../test/verify-index.ts';
import { buildIndex, changeIndex } from './build-index.ts';
import { publishGeneration } from './generations.ts';
import { NOVEL_INDEX, newestGeneration, requireGeneration } from './index-generations.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-index-generations-'));
const newFolder = (): string => fs.mkdtempSync(path.join(root, 'folder-'));
afterAll(() => {
  fs.rmSync(root, { recursive: true });
});

const novels = [1, 2, 3].map((index) => plainNovel({ ncode: `N000${index}TA` }));

/** An index of two generations, the second with a list of dead records and changes. */
async function twoGenerations(): Promise<string> {
  const dir = newFolder();
  await buildIndex(dir, novels, { spacing: 4 });
  await changeIndex(dir, { put: [plainNovel({ ncode: 'N0004TA' })], remove: ['N0001TA'] }, { spacing: 4 });
  return dir;
}

it('a folder without an index has no generation to read', () => {
  expect(() => requireGeneration(newFolder())).toThrow('no complete index in');
});

it('a generation of another layout is not opened', async () => {
  const dir = await twoGenerations();
  const generation = requireGeneration(dir);
  for (const version of [generation.version - 1, generation.version + 1]) {
    publishGeneration(dir, { ...generation, version }, NOVEL_INDEX, 1);
    expect(newestGeneration(dir)).toBeNull();
  }
});

it('files of another layout have another version, so that no release misreads the files of another', async () => {
  const dir = newFolder();
  // A field without a column changes no file of a record that lacks it.
  const few = [1, 2, 3].map((index) => ({
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
  await buildIndex(dir, few, { spacing: 4, isLogged: false });
  const { version, segments, files } = requireGeneration(dir);
  const facts = [...Object.entries(files), ...segments.flatMap(({ files: own }) => Object.entries(own))];
  const sums = facts.map(([name, { sha256 }]) => `${path.basename(name)} ${sha256}`);
  // If this fails, increment INDEX_VERSION: indexes of earlier versions are then rebuilt from their records.
  expect({ version, sum: createHash('sha256').update(sums.join('\n')).digest('hex') }).toEqual({
    version: 11,
    sum: '378799f4cc2fbe37271102387e08b024432dd39a27265a118bf290968c941a8a',
  });
});

it('every damaged file of an index is found, and no other', async () => {
  const dir = await twoGenerations();
  expect(verifyIndex(dir)).toEqual([]);
  const { segments, files } = requireGeneration(dir);
  const names = [
    ...Object.keys(files),
    ...segments.flatMap((each) => Object.keys(each.files).map((name) => `${each.folder}/${name}`)),
  ];
  for (const name of names) {
    const file = path.join(dir, name);
    const bytes = fs.readFileSync(file);
    if (bytes.length === 0) continue;
    fs.writeFileSync(file, Buffer.alloc(bytes.length, 0x78));
    expect(verifyIndex(dir)).toEqual([name]);
    fs.writeFileSync(file, bytes);
  }
});
