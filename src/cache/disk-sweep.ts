import { listDiskFiles, removeDiskFile } from './disk-files.ts';

/** Of the bound: above the first it is emptied to the second. What is written meanwhile takes the rest. */
const FULL_SHARE = 0.9;
const SWEPT_SHARE = 0.8;

const MINUTE_MS = 60_000;
const minuteOf = (until: number) => Math.floor(until / MINUTE_MS);

export interface DiskStats {
  entries: number;
  /** Of the disk. */
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
 * Removes what has expired, then what is nearest to its end until the rest fits. Goes through the files twice and
 * remembers no more than the bytes that end in each minute, so that it takes no memory to speak of however many files
 * there are. Several workers may sweep at once: they remove the same.
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
  // All that ends before the last of these minutes goes, and so much of that minute as must.
  let lastMinute = 0;
  let ofLastMinute = excess;
  for (const [minute, bytes] of [...bytesByMinute].sort(([one], [other]) => one - other)) {
    lastMinute = minute;
    if (bytes >= ofLastMinute) break;
    ofLastMinute -= bytes;
  }
  const left = { ...stats };
  for await (const files of listDiskFiles(root)) {
    if (signal.aborted) return left;
    for (const { path, until, bytes } of files) {
      const minute = minuteOf(until);
      if (minute > lastMinute || (minute === lastMinute && ofLastMinute <= 0)) continue;
      if (minute === lastMinute) ofLastMinute -= bytes;
      await removeDiskFile(path);
      left.entries--;
      left.bytes -= bytes;
    }
  }
  return left;
}
