import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { writeAtomically } from './write-atomically.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-write-'));
afterAll(() => {
  fs.rmSync(root, { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('a replaced file has the new content, and nothing is left beside it', () => {
  const dir = fs.mkdtempSync(path.join(root, 'folder-'));
  const file = path.join(dir, 'report');
  writeAtomically(file, 'first');
  writeAtomically(file, Buffer.from('second'));
  expect(fs.readFileSync(file, 'utf8')).toBe('second');
  expect(fs.readdirSync(dir)).toEqual(['report']);
});

it('the folder is flushed after the file has its name', () => {
  const dir = fs.mkdtempSync(path.join(root, 'folder-'));
  const file = path.join(dir, 'report');
  const flushed: [string, string[]][] = [];
  vi.spyOn(fs, 'fsyncSync').mockImplementation((open) => {
    flushed.push([fs.readlinkSync(`/proc/self/fd/${open}`), fs.readdirSync(dir)]);
  });
  writeAtomically(file, 'content');
  expect(flushed.at(-1)).toEqual([dir, ['report']]);
});

it('a failed write leaves the former state, and no unfinished file', () => {
  const dir = fs.mkdtempSync(path.join(root, 'folder-'));
  const file = path.join(dir, 'report');
  fs.mkdirSync(file);
  expect(() => writeAtomically(file, 'content')).toThrow('EISDIR');
  expect(fs.readdirSync(dir)).toEqual(['report']);
  expect(() => writeAtomically(path.join(dir, 'missing', 'report'), '')).toThrow('ENOENT');
});
