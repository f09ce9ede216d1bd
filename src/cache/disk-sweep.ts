import type { Database, RootDatabase } from 'lmdb';
import type { Clock } from '../process/clock.ts';

/** The two tables of a tier. */
export interface DiskTables {
  /** Hashed key to entry; the entry's keepUntil is its version. */
  answers: Database<Buffer, string>;
  /** [keepUntil, hashed key], so that the first is the first to go. */
  ends: Database<Buffer, [number, string]>;
}

/** Of the bound: pages that are free but not yet reused, and those of the transaction under way, take the rest. */
const FULL_SHARE = 0.65;
const SWEPT_SHARE = 0.6;

/** Of the bound: so much may be written between two sweeps. */
const UNSWEPT_SHARE = 0.02;

/** Removed in one transaction: few, so that freed pages are soon reused and no more goes than must. */
const REMOVED_AT_ONCE = 16;

export interface DiskSweep {
  /** True when it is time for a sweep. */
  noteWritten(bytes: number): boolean;
  run: () => Promise<void>;
  readonly figures: { entries: number; bytes: number };
}

interface TableStats {
  pageSize: number;
  entryCount: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/**
 * Keeps the tables within their bound, going through `ends`: what has expired is first in it, then what is nearest
 * to its end. Several workers may sweep at once; they remove the same. An entry that was written anew has a later
 * end too; its older end removes nothing but itself.
 */
export function createDiskSweep(options: {
  root: RootDatabase;
  tables: DiskTables;
  maxBytes: number;
  clock: Clock;
}): DiskSweep {
  const { root, tables, maxBytes, clock } = options;
  let unswept = 0;
  let running: Promise<void> | undefined;

  function statsOf(table: { getStats(): object }): TableStats {
    return table.getStats() as TableStats;
  }

  function bytesUsed(): number {
    let pages = 0;
    for (const table of [tables.answers, tables.ends]) {
      const stats = statsOf(table);
      pages += stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
    }
    return pages * statsOf(tables.answers).pageSize;
  }

  async function removeSome(endingBefore: number): Promise<number> {
    const ends = [...tables.ends.getRange({ end: [endingBefore, ''], limit: REMOVED_AT_ONCE })];
    // An entry that was written anew meanwhile has another version and stays.
    await Promise.all(
      ends.flatMap(({ key: end }) => [tables.ends.remove(end), tables.answers.remove(end[1], end[0])]),
    );
    return ends.length;
  }

  async function sweep(): Promise<void> {
    unswept = 0;
    // Workers that were killed leave their place among the readers, which would keep old pages from being reused.
    root.readerCheck();
    while ((await removeSome(clock.now() + 1)) === REMOVED_AT_ONCE);
    if (bytesUsed() <= maxBytes * FULL_SHARE) return;
    while (bytesUsed() > maxBytes * SWEPT_SHARE && (await removeSome(Number.MAX_SAFE_INTEGER)) > 0);
  }

  return {
    noteWritten: (bytes) => {
      unswept += bytes;
      return unswept > maxBytes * UNSWEPT_SHARE;
    },
    run: () => {
      running ??= sweep().finally(() => {
        running = undefined;
      });
      return running;
    },
    get figures() {
      return { entries: statsOf(tables.answers).entryCount, bytes: bytesUsed() };
    },
  };
}
