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

/** Empty if there is none, or it is damaged. */
function readReport(dir: string): HarvestReport {
  const report = parseJson(ifThere(() => fs.readFileSync(reportFile(dir), 'utf8')) ?? '');
  return isRecord(report) ? report : {};
}

/** Writes the results of a site into `harvest/report.json`; those of other sites stay. */
export function writeReport(
  { dir }: Pick<HarvestRun, 'dir'>,
  site: Site,
  change: NonNullable<HarvestReport[Site]>,
): void {
  const before = readReport(dir);
  const report = { ...before, [site]: { ...before[site], ...change } };
  writeAtomically(reportFile(dir), `${JSON.stringify(report, null, 2)}\n`);
}
