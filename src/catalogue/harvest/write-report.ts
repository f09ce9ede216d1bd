import fs from 'node:fs';
import path from 'node:path';
import type { Site } from './harvested-novel.ts';
import type { WalkTally } from './tally.ts';

/** What came of the last walk of a site, and of the last round that was not believed. */
export interface SiteReport {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Novels that are held. */
  readonly had: number;
  /** As the upstream counts them; what it says of a thousand and more may be hours old. */
  readonly counted: number;
  /** Those that it counts beside. */
  readonly missing: number;
  readonly walk: WalkTally;
  /** Why no index was built; null where one was. */
  readonly refusedBecause: string | null;
}

/** A round that was not believed. */
export interface DoubtedRound {
  readonly at: string;
  readonly doubts: readonly string[];
  /** What of it was left out. */
  readonly leftOut: 'figures' | 'records' | 'all';
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

/** Puts what is known of a site into `harvest/report.json`, beside what stands there. */
export function writeReport(dir: string, site: Site, change: NonNullable<HarvestReport[Site]>): void {
  const before = readReport(dir);
  const report = { ...before, [site]: { ...before[site], ...change } };
  const unfinished = `${reportFile(dir)}.part`;
  fs.writeFileSync(unfinished, `${JSON.stringify(report, null, 2)}\n`);
  fs.renameSync(unfinished, reportFile(dir));
}
