import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mokuroku-folders-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

it('a folder is created with its parents, also concurrently', async () => {
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(root, 'a', 'b', 'c'))));
  expect(existsSync(join(root, 'a', 'b', 'c'))).toBe(true);
});

it('a folder that cannot be created is an error', async () => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'nowhere', 'deep'), join(root, 'dangling'));
  for (const [path, code] of [
    [join(root, 'file', 'a', 'b'), 'ENOTDIR'],
    [join(root, 'x'.repeat(300)), 'ENAMETOOLONG'],
    [join(root, 'dangling', 'a'), 'ENOENT'],
  ] as const) {
    await expect(makeFolder(path)).rejects.toEqual(expect.objectContaining({ code }));
  }
});
