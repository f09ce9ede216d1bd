import fs from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '../../process/write-atomically.ts';
import type { Site } from './harvested-novel.ts';
import type { WalkTally } from './tally.ts';

/** Results of the last walk of a site, and of the last rejected round. */
export interface SiteReport {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Stored novels. */
  readonly had: number;
  /** The count of the upstream; from a thousand on it may be hours old. */
  readonly counted: number;
  /** Counted novels that are not stored. */
  readonly missing: number;
  /** Stored novels that the upstream did not return when asked for them, but that are not withdrawn (yet). */
  readonly unsettled?: number;
  readonly walk: WalkTally;
  /** Why no index was built; null if one was. */
  readonly refusedBecause: string | null;
}

/** A rejected round. */
interface DoubtedRound {
  readonly at: string;
  readonly doubts: readonly string[];
  /** The discarded part. */
  readonly discarded: 'figures' | 'records' | 'all';
}

export type HarvestReport = Partial<Record<Site, Partial<SiteReport> & { lastDoubted?: DoubtedRound }>>;

export const reportFile = (dir: string): string => path.join(dir, 'harvest', 'report.json');

function readReport(dir: string): HarvestReport {
  try {
    return JSON.parse(fs.readFileSync(reportFile(dir), 'utf8')) as HarvestReport;
  } catch {
    return {};
  }
}

/** Writes the results of a site into `harvest/report.json`; those of other sites stay. */
export function writeReport(dir: string, site: Site, change: NonNullable<HarvestReport[Site]>): void {
  const before = readReport(dir);
  const report = { ...before, [site]: { ...before[site], ...change } };
  writeAtomically(reportFile(dir), `${JSON.stringify(report, null, 2)}\n`);
}
