// What the command imports of the harvest.

export { IndexTooLarge, readFreeBytes } from './build-catalogue.ts';
export { harvest, harvestAndFollow } from './harvest.ts';
export type { HarvestSummary } from './harvest.ts';
export type { HarvestOptions, HarvestProgress } from './harvest-run.ts';
export type { SiteSummary } from './harvest-site.ts';
export type { HarvestConfig } from './open-upstream.ts';
export { IncompleteWalk } from './walk-catalogue.ts';
