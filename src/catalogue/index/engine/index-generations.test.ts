import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plainNovel } from '../../../../test/catalogue/plain-novel.ts';
import { verifyIndex } from '../../../../test/catalogue/verify-index.ts';
import { buildIndex, changeIndex, readGeneration } from './build-index.ts';
import { publishGeneration } from './generations.ts';
import {
  NOVEL_INDEX,
  formerGeneration,
  newestGeneration,
  newestOfAnyVersion,
  requireGeneration,
} from './index-generations.ts';
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

describe('a generation of a former layout', () => {
  /** The same index in another version. */
  async function ofVersion(version: number): Promise<string> {
    const dir = await twoGenerations();
    publishGeneration(dir, { ...requireGeneration(dir), version }, NOVEL_INDEX, 1);
    return dir;
  }
  const overwrite = (dir: string, pattern: RegExp) => {
    const names = fs
      .readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name));
    expect(names).not.toEqual([]);
    for (const name of names) {
      const file = path.join(dir, name);
      fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 0x78));
    }
  };

  it('is not opened, but its records can be read', async () => {
    const dir = await ofVersion(INDEX_VERSION - 1);
    expect(newestGeneration(dir)).toBeNull();
    const former = formerGeneration(dir);
    expect(former).toEqual(newestOfAnyVersion(dir));
    expect([...readGeneration(dir, former!)].map(({ ncode }) => ncode)).toEqual([
      'N0002TA',
      'N0003TA',
      'N0004TA',
    ]);
  });

  it.each([INDEX_VERSION, INDEX_VERSION + 1])('is none of version %i', async (version) => {
    expect(formerGeneration(await ofVersion(version))).toBeNull();
    expect(formerGeneration(newFolder())).toBeNull();
  });

  it.each(['records', 'starts', 'columns', 'sums'].map((name) => [name, new RegExp(`/${name}$`)] as const))(
    'is unusable if its %s are damaged',
    async (_, pattern) => {
      const dir = await ofVersion(INDEX_VERSION - 1);
      overwrite(dir, pattern);
      expect(formerGeneration(dir)).toBeNull();
    },
  );

  it.each([/^dead-/, /^changes-/])('is unusable if files %s are damaged', async (pattern) => {
    const dir = await ofVersion(INDEX_VERSION - 1);
    overwrite(dir, pattern);
    expect(formerGeneration(dir)).toBeNull();
  });

  it('is usable if other files are damaged: they are rebuilt', async () => {
    const dir = await ofVersion(INDEX_VERSION - 1);
    overwrite(dir, /\/(positions|orders|names|frequent)$|^keywords/);
    expect(formerGeneration(dir)).not.toBeNull();
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
