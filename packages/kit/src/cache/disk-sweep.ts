import { listDiskFiles, removeDiskFile } from './disk-files.ts';

/** Shares of the maximum: above the first, files are removed down to the second. Concurrent writes use the rest. */
const FULL_SHARE = 0.9;
const SWEPT_SHARE = 0.8;

const MINUTE_MS = 60_000;
const minuteOf = (until: number) => Math.floor(until / MINUTE_MS);

export interface DiskStats {
  entries: number;
  /** Occupied disk space. */
  bytes: number;
}

interface SweepOptions {
  /** Milliseconds since 1970. */
  now: number;
  maxBytes: number;
  /** Ends the work early. */
  signal: AbortSignal;
}

/**
 * Removes expired files, then those that expire first until the rest fits. It reads the folder twice and stores only
 * the bytes that expire in each minute, so memory does not grow with the number of files. Several processes may sweep at
 * once: they remove the same files.
 */
export async function sweepDisk(root: string, { now, maxBytes, signal }: SweepOptions): Promise<DiskStats> {
  const stats: DiskStats = { entries: 0, bytes: 0 };
  const bytesByMinute = new Map<number, number>();
  for await (const files of listDiskFiles(root)) {
    if (signal.aborted) return stats;
    for (const { path, until, bytes } of files) {
      if (until <= now) {
        await removeDiskFile(path);
        continue;
      }
      stats.entries++;
      stats.bytes += bytes;
      const minute = minuteOf(until);
      bytesByMinute.set(minute, (bytesByMinute.get(minute) ?? 0) + bytes);
    }
  }
  if (stats.bytes <= maxBytes * FULL_SHARE) return stats;
  return evictFiles(root, stats, { bytesByMinute, excess: stats.bytes - maxBytes * SWEPT_SHARE, signal });
}

async function evictFiles(
  root: string,
  stats: DiskStats,
  {
    bytesByMinute,
    excess,
    signal,
  }: { bytesByMinute: Map<number, number>; excess: number; signal: AbortSignal },
): Promise<DiskStats> {
  // Removes all files that expire before `lastMinute`, and as many of that minute as needed.
  let lastMinute = 0;
  let ofLastMinute = excess;
  for (const [minute, bytes] of [...bytesByMinute].sort(([one], [other]) => one - other)) {
    lastMinute = minute;
    if (bytes >= ofLastMinute) break;
    ofLastMinute -= bytes;
  }
  const remaining = { ...stats };
  for await (const files of listDiskFiles(root)) {
    if (signal.aborted) return remaining;
    for (const { path, until, bytes } of files) {
      const minute = minuteOf(until);
      if (minute > lastMinute || (minute === lastMinute && ofLastMinute <= 0)) continue;
      if (minute === lastMinute) ofLastMinute -= bytes;
      await removeDiskFile(path);
      remaining.entries--;
      remaining.bytes -= bytes;
    }
  }
  return remaining;
}
