import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { createDataEntry } from '../../src/cache/cache-entry.ts';
import { openDiskTier } from '../../src/cache/disk-tier.ts';
import type { DiskTier } from '../../src/cache/disk-tier.ts';
import { createLogger } from '../../src/process/logger.ts';
import { manualClock } from '../manual-clock.ts';

export const MIB = 1024 * 1024;
const diskPolicy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 60,
  staleIfErrorSeconds: 3_600,
  absentSeconds: 60,
};

interface LogLine {
  level: number;
  msg: string;
  err?: { code?: string };
}

/** Tiers in their own folder, on a clock that tests move. Closed and removed after each test. */
export function disksUnderTest() {
  const { time, clock } = manualClock();
  const directory = temporaryFolder();
  const opened: DiskTier[] = [];
  const logged: LogLine[] = [];
  afterEach(async () => {
    for (const tier of opened.splice(0)) await tier.close();
    rmSync(directory, { recursive: true, force: true });
    logged.length = 0;
  });
  const rootOf = (scope: string) => join(directory, `${scope}-2`);
  const answerOf = (data: unknown) => createDataEntry({ data, meta: {} }, diskPolicy, time.ms);
  const filesOf = (scope: string): string[] => {
    const entries = readdirSync(rootOf(scope), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };

  return {
    time,
    clock,
    directory,
    /** Log lines since the previous test. */
    logged,
    rootOf,
    answerOf,
    open: async (
      scope: string,
      options: { maxBytes?: number; readDeadline?: () => AbortSignal } = {},
    ): Promise<DiskTier> => {
      const write = (line: string) => logged.push(JSON.parse(line) as LogLine);
      const { logger } = createLogger('test', 'info', { write });
      const tier = await openDiskTier({ directory, scope, maxBytes: 16 * MIB, clock, logger, ...options });
      opened.push(tier);
      return tier;
    },
    /** The stored entry of a key, byte for byte. */
    readEntry: async (tier: DiskTier, key: string): Promise<unknown> => {
      const entry = await tier.find(key);
      return entry && JSON.parse(entry.data.toString());
    },
    /** Stores an entry and waits until it is on disk. */
    storeEntry: async (tier: DiskTier, key: string, data: unknown): Promise<void> => {
      tier.put(key, answerOf(data));
      await tier.flushed();
    },
    filesOf,
    /** The file of the only entry. */
    fileOf: (scope: string): string => {
      const [file = '', ...others] = filesOf(scope);
      if (file === '' || others.length > 0) throw new Error('not one file');
      return file;
    },
  };
}
