import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** Makes new empty folders, which are deleted after the tests of a file. */
export function newFolders(): () => string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-'));
  afterAll(() => {
    fs.rmSync(root, { recursive: true });
  });
  return () => fs.mkdtempSync(path.join(root, 'folder-'));
}
