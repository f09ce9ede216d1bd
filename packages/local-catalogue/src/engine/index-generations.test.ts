import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { verifyIndex } from '../../test/verify-index.ts';
import { buildIndex, changeIndex } from './build-index.ts';
import { publishGeneration } from './generations.ts';
import { NOVEL_INDEX, newestGeneration, requireGeneration } from './index-generations.ts';
import { INDEX_VERSION } from './layout.ts';

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
  for (const version of [INDEX_VERSION - 1, INDEX_VERSION + 1]) {
    publishGeneration(dir, { ...generation, version }, NOVEL_INDEX, 1);
    expect(newestGeneration(dir)).toBeNull();
  }
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
