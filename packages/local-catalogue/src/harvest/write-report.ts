import fs from 'node:fs';
import path from 'node:path';
import { isRecord, parseJson } from '@mokuroku/kit';
import { writeAtomically } from '@mokuroku/kit/process';
import { ifThere } from '../engine/files.ts';
import type { HarvestRun } from './harvest-run.ts';
import type { Site } from './harvested-novel.ts';
import type { WalkTally } from './tally.ts';

export interface SiteReport {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Stored novels. */
  readonly had: number;
  /** The count of the upstream; from a thousand on it may be hours old. */
  readonly counted: number;
  /** Counted novels that are not stored. */
  readonly missing: number;
  /**
   * By field: stored novels whose value waits for a second look; `ncode`: stored
   * novels that the upstream provably did not return, and that are not withdrawn yet.
   */
  readonly pending?: Readonly<Record<string, number>>;
  readonly walk: WalkTally;
  /** Why no index was built; null if one was. */
  readonly refusedBecause: string | null;
}

export type HarvestReport = Partial<Record<Site, Partial<SiteReport>>>;

export const reportFile = (dir: string): string => path.join(dir, 'harvest', 'report.json');

/** A damaged report has results of other sites and rounds, so it stays beside the next one. */
function readReport({ dir, logger }: Pick<HarvestRun, 'dir' | 'logger'>): HarvestReport {
  const file = reportFile(dir);
  const text = ifThere(() => fs.readFileSync(file, 'utf8'));
  if (text === undefined) return {};
  const report = parseJson(text);
  if (isRecord(report)) return report;
  fs.renameSync(file, `${file}.damaged`);
  logger.warn({ dir }, 'harvest/report.json is damaged: it was renamed to report.json.damaged');
  return {};
}

/** Writes the results of a site into `harvest/report.json`; those of other sites stay. */
export function writeReport(
  run: Pick<HarvestRun, 'dir' | 'logger'>,
  site: Site,
  change: NonNullable<HarvestReport[Site]>,
): void {
  const before = readReport(run);
  const report = { ...before, [site]: { ...before[site], ...change } };
  writeAtomically(reportFile(run.dir), `${JSON.stringify(report, null, 2)}\n`);
}
