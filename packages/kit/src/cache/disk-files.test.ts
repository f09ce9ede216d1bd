import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFiles } from '../../../../test/open-files.ts';
import { listDiskFiles, filePathOf, readDiskFile, diskBytes, writeDiskFile } from './disk-files.ts';
import { sweepDisk } from './disk-sweep.ts';

const MIB = 1024 * 1024;
const BLOCK = 4_096;
const MINUTE = 60_000;
const NOW = 1_000_000_020_000;

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mokuroku-files-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

async function listed() {
  const all = [];
  for await (const files of listDiskFiles(root)) all.push(...files);
  return all.sort((one, other) => one.until - other.until);
}

const isFailureOf = (code: string) => expect.objectContaining({ code }) as unknown;

describe('files on disk', () => {
  it('expire at the time written with them, and count as whole blocks', async () => {
    await writeDiskFile(filePathOf(root, 'a'), Buffer.alloc(1), NOW);
    await writeDiskFile(filePathOf(root, 'b'), Buffer.alloc(BLOCK + 1), NOW + 1_000);
    expect(await listed()).toEqual([
      { path: filePathOf(root, 'a'), until: NOW, bytes: BLOCK },
      { path: filePathOf(root, 'b'), until: NOW + 1_000, bytes: 2 * BLOCK },
    ]);
    expect([0, 1, BLOCK, BLOCK + 1].map(diskBytes)).toEqual([0, BLOCK, BLOCK, 2 * BLOCK]);
  });

  it('are recognised by their whole name only', async () => {
    const path = filePathOf(root, 'a');
    mkdirSync(dirname(path));
    const name = path.slice(-38);
    for (const other of [`x${name}`, `${name}x`, `${name}.tmp.x`, name.slice(1)]) {
      writeFileSync(join(dirname(path), other), '');
    }
    expect(await listed()).toEqual([]);
  });

  it('are read up to 16 MiB, and closed; larger ones read as empty, missing ones as undefined', async () => {
    const path = join(root, 'file');
    expect(await readDiskFile(path)).toBeUndefined();
    writeFileSync(path, Buffer.alloc(16 * MIB));
    expect(await readDiskFile(path)).toHaveLength(16 * MIB);
    writeFileSync(path, Buffer.alloc(16 * MIB + 1));
    expect(await readDiskFile(path)).toHaveLength(0);
    expect(openFiles(root)).toEqual([]);
  });

  it('report every failure except that a file is missing', async () => {
    const file = join(root, 'ab');
    writeFileSync(file, '');
    await expect(readDiskFile(join(file, 'a'))).rejects.toEqual(isFailureOf('ENOTDIR'));
    await expect(listed()).rejects.toEqual(isFailureOf('ENOTDIR'));
  });

  it('leave nothing behind after a failed write', async () => {
    const path = filePathOf(root, 'a');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'inside'), '');
    await expect(writeDiskFile(path, Buffer.alloc(1), NOW)).rejects.toEqual(isFailureOf('EISDIR'));
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });
});

describe('a sweep', () => {
  const sweep = (maxBlocks: number, signal = new AbortController().signal) =>
    sweepDisk(root, { now: NOW, maxBytes: maxBlocks * BLOCK, signal });
  const nameOf = (index: number) => filePathOf(root, `k${index}`);
  /** A block each. */
  async function write(count: number, untilOf: (index: number) => number): Promise<void> {
    for (let index = 0; index < count; index++) {
      await writeDiskFile(nameOf(index), Buffer.alloc(1), untilOf(index));
    }
  }

  it('removes nothing up to nine tenths of the bound', async () => {
    await write(18, (index) => NOW + index * MINUTE + 1_000);
    expect(await sweep(20)).toEqual({ entries: 18, bytes: 18 * BLOCK });
    expect(await listed()).toHaveLength(18);
  });

  it('above that removes the files that expire first, down to eight tenths', async () => {
    await write(19, (index) => NOW + index * MINUTE + 1_000);
    expect(await sweep(20)).toEqual({ entries: 16, bytes: 16 * BLOCK });
    const left = Array.from({ length: 16 }, (_, index) => nameOf(index + 3));
    expect((await listed()).map(({ path }) => path)).toEqual(left);
  });

  it('removes no more than necessary of the files that expire in the same minute', async () => {
    await write(19, (index) => NOW + (index < 2 ? 0 : 2 * MINUTE) + 1_000 + index);
    expect(await sweep(20)).toEqual({ entries: 16, bytes: 16 * BLOCK });
    const left = new Set((await listed()).map(({ path }) => path));
    expect([left.size, left.has(nameOf(0)), left.has(nameOf(1))]).toEqual([16, false, false]);
  });

  it('removes what expires at this moment, and no longer counts it', async () => {
    await write(3, (index) => NOW + (index - 1) * 1_000);
    expect(await sweep(20)).toEqual({ entries: 1, bytes: BLOCK });
    expect((await listed()).map(({ path }) => path)).toEqual([nameOf(2)]);
  });

  it('that is aborted removes nothing more', async () => {
    await write(19, () => NOW - 1);
    expect(await sweep(20, AbortSignal.abort())).toEqual({ entries: 0, bytes: 0 });
    expect(await listed()).toHaveLength(19);
  });
});
