import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { makeFolder, writeAtomically } from './files.ts';

let root = '';
beforeEach(() => {
  root = temporaryFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('a replaced file has the new content, and nothing is left beside it', () => {
  const file = path.join(root, 'report');
  writeAtomically(file, 'first');
  writeAtomically(file, Buffer.from('second'));
  expect(fs.readFileSync(file, 'utf8')).toBe('second');
  expect(fs.readdirSync(root)).toEqual(['report']);
});

it('the content is flushed before the file has its name, the folder after', () => {
  const file = path.join(root, 'report');
  const flushed: [string, string[]][] = [];
  vi.spyOn(fs, 'fsyncSync').mockImplementation((open) => {
    flushed.push([fs.readlinkSync(`/proc/self/fd/${open}`), fs.readdirSync(root)]);
  });
  writeAtomically(file, 'content');
  expect(flushed).toEqual([
    [`${file}.part`, ['report.part']],
    [root, ['report']],
  ]);
});

it('a failed write leaves the former state, and no unfinished file', () => {
  const file = path.join(root, 'report');
  fs.mkdirSync(file);
  expect(() => writeAtomically(file, 'content')).toThrow('EISDIR');
  expect(fs.readdirSync(root)).toEqual(['report']);
  expect(() => writeAtomically(path.join(root, 'missing', 'report'), '')).toThrow('ENOENT');
});

it('a folder is created with its parents, also concurrently', async () => {
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path.join(root, 'a', 'b', 'c'))));
  expect(fs.existsSync(path.join(root, 'a', 'b', 'c'))).toBe(true);
});

it('a folder that cannot be created is an error', async () => {
  fs.writeFileSync(path.join(root, 'file'), '');
  fs.symlinkSync(path.join(root, 'nowhere', 'deep'), path.join(root, 'dangling'));
  for (const [folder, code] of [
    [path.join(root, 'file', 'a', 'b'), 'ENOTDIR'],
    [path.join(root, 'x'.repeat(300)), 'ENAMETOOLONG'],
    [path.join(root, 'dangling', 'a'), 'ENOENT'],
  ] as const) {
    await expect(makeFolder(folder)).rejects.toEqual(expect.objectContaining({ code }));
  }
});
