import fs from 'node:fs';

/** Free bytes for this user on the disk of a folder. */
export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}

/**
 * Bytes of disk per novel during a build. Measured in November 2026 with invented texts of realistic length. A quarter
 * is freed when the build ends.
 */
const BYTES_A_NOVEL = 6_500;

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
  const requiredBytes = novels * BYTES_A_NOVEL;
  const freeBytes = free(folder);
  if (freeBytes < requiredBytes) throw new DiskFull(folder, novels, requiredBytes, freeBytes);
}
