import fs from 'node:fs';
import { newestGeneration } from '../index/engine/index-generations.ts';

/** Free bytes for this user on the disk of a folder. */
export function readFreeBytes(folder: string): number {
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
  const segments = newestGeneration(folder)?.segments ?? [];
  const records = segments.reduce((sum, segment) => sum + segment.records, 0);
  if (records < 100) return novels * BYTES_A_NOVEL;
  const files = segments.flatMap((segment) => Object.values(segment.files));
  const whole = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const positions = segments.reduce((sum, segment) => sum + segment.positions, 0);
  // While positions are sorted, all texts are stored in UTF-16 too.
  return Math.ceil(((whole + positions * 2) / records + 16) * novels);
}

export const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** The disk has less free space than a build needs. */
export class DiskFull extends Error {
  constructor(folder: string, novels: number, requiredBytes: number, free: number) {
    super(
      `The index of ${novels.toLocaleString('en')} novels takes about ${formatBytes(requiredBytes)} in addition to the contents of ` +
        `${folder}; ${formatBytes(free)} are free there.`,
    );
    this.name = 'DiskFull';
  }
}

/** Throws DiskFull if a build would fill the disk. */
export function requireFreeSpace(folder: string, novels: number, free: (folder: string) => number): void {
  const requiredBytes = bytesToBuild(folder, novels);
  const freeBytes = free(folder);
  if (freeBytes < requiredBytes) throw new DiskFull(folder, novels, requiredBytes, freeBytes);
}
