import path from 'node:path';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import type { Figures, Site } from './harvested-novel.ts';
import { openJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import type { SpentToday } from './open-upstream.ts';
import type { WalkState } from './walk.ts';

/** One thing after another that a harvest has before it; the first is under way. */
export type Task = { readonly kind: 'walk'; readonly site: Site };

/** Where a harvest stands: all that it must know to go on. */
export interface HarvestState {
  readonly spent: SpentToday;
  readonly tasks: readonly Task[];
  /** Of the task under way. */
  readonly walk: WalkState | null;
  /** How many novels the upstream counted when the walk began. */
  readonly counted: number | undefined;
}

/** What one request brought, and where the harvest stands behind it. */
export interface HarvestEntry {
  readonly state: HarvestState;
  /** The site that the rest is of. */
  readonly site?: Site;
  readonly put?: readonly CatalogueNovel[];
  readonly figures?: readonly Figures[];
  /** Ncodes that are no more. */
  readonly gone?: readonly string[];
}

export type HarvestJournal = Journal<HarvestEntry>;

export const journalFile = (dir: string): string => path.join(dir, 'harvest', 'journal');

export const openHarvestJournal = (dir: string): HarvestJournal =>
  openJournal<HarvestEntry>(journalFile(dir));
