import fs from 'node:fs';
import path from 'node:path';
import { newestOfAnyVersion } from '../index/engine/index-generations.ts';

/** Free bytes for this user on the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}

/**
 * Bytes of disk per novel during a build if there is no index to measure. Measured in November 2026 with invented
 * texts of realistic length. A quarter is freed when the build ends.
 */
const BYTES_A_NOVEL = 6_500;

/** Free bytes that a build of this many novels needs, estimated from the size of the existing index. */
export function bytesToBuild(folder: string, novels: number): number {
  const segments = newestOfAnyVersion(folder)?.segments ?? [];
  const records = segments.reduce((sum, segment) => sum + segment.records, 0);
  if (records < 100) return novels * BYTES_A_NOVEL;
  const bytesOf = (name: string) =>
    segments.reduce((sum, { folder: own }) => sum + fs.statSync(path.join(folder, own, name)).size, 0);
  const names = new Set(segments.flatMap(({ files }) => Object.keys(files)));
  const whole = [...names].reduce((sum, name) => sum + bytesOf(name), 0);
  // While positions are sorted, all texts are stored in UTF-16 too: two bytes for the four of each position.
  const sorting = names.has('positions') ? bytesOf('positions') / 2 : whole / 4;
  return Math.ceil(((whole + sorting) / records + 16) * novels);
}

const gigabytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** The disk has less free space than a build needs. */
export class DiskFull extends Error {
  constructor(folder: string, novels: number, wanted: number, free: number) {
    super(
      `The index of ${novels.toLocaleString('en')} novels takes about ${gigabytes(wanted)} in addition to the contents of ` +
        `${folder}; ${gigabytes(free)} are free there.`,
    );
    this.name = 'DiskFull';
  }
}

/** Throws DiskFull if a build would fill the disk. */
export function requireFreeSpace(folder: string, novels: number, free: (folder: string) => number): void {
  const wanted = bytesToBuild(folder, novels);
  const left = free(folder);
  if (left < wanted) throw new DiskFull(folder, novels, wanted, left);
}
