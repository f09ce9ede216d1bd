import path from 'node:path';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import type { StoredRanking } from '../local/ranking-files.ts';
import type { Doubt, DoubtEntries } from './doubts.ts';
import type { Figures, Site } from './harvested-novel.ts';
import type { SpentQuota } from './open-upstream.ts';
import { EMPTY_TALLY } from './tally.ts';
import type { WalkTally } from './tally.ts';
import type { WalkState } from './walk.ts';

/**
 * The steps of a harvest. `walk`: fetches a site's whole records and builds its index; `round`: brings the index of a
 * site up to date; `rankings`: fetches missing and old rankings.
 */
export type Task = { readonly kind: 'walk' | 'round'; readonly site: Site } | { readonly kind: 'rankings' };

/** Times of following, in Unix seconds. */
export interface FollowTimes {
  readonly changes: Partial<Readonly<Record<Site, number>>>;
  /** 0 if the catalogue was never followed. */
  readonly round: number;
}

/** Progress of a harvest: everything that it needs to resume. */
export interface HarvestState {
  readonly spent: SpentQuota;
  readonly isSample?: boolean | undefined;
  /** The first task is under way. */
  readonly tasks: readonly Task[];
  readonly begunBy?: 'harvest' | 'follow';
  /** Whether the tasks include adult novels. */
  readonly adult: boolean;
  readonly walk: WalkState | null;
  /** The upstream's number of novels at its start. */
  readonly counted: number | undefined;
  readonly tally: WalkTally;
  /** Doubts about all novels of a site: by fault of its last walk, and `built`, when its first index was. */
  readonly walkDoubts: Partial<Readonly<Record<Site, Doubt>>>;
  readonly follow: FollowTimes;
}

/** With another doubt about all novels of a site, beside those of other sites. */
export const withWalkDoubt = ({ walkDoubts }: HarvestState, site: Site, doubt: Doubt) => ({
  walkDoubts: { ...walkDoubts, [site]: doubt },
});

export const NO_WALK = { walk: null, counted: undefined, tally: EMPTY_TALLY };

/** The data of which the upstream may be in error. */
export type DoubtedPart = Site | 'rankings';

/** The data of one request, and the progress after it. */
export interface HarvestEntry {
  readonly state: HarvestState;
  /** The site of the other fields. */
  readonly site?: Site;
  readonly put?: readonly CatalogueNovel[];
  /** True if the records must be published at once, not only by the next build. */
  readonly isChange?: boolean;
  /** True if the index of the site has all changes so far, or its build begins, which a resumed task repeats. */
  readonly isIndexed?: boolean;
  readonly figures?: readonly Figures[];
  readonly changed?: readonly string[];
  readonly gone?: readonly string[];
  readonly rankings?: readonly StoredRanking[];
  readonly doubts?: Partial<Readonly<Record<DoubtedPart, DoubtEntries>>>;
}

const KINDS: Readonly<Record<Task['kind'], true>> = { walk: true, round: true, rankings: true };

/** Whether this release can resume from an entry, which another release may have written. */
export function isEntry(value: unknown): value is HarvestEntry {
  const { spent, tasks } = (value as { state?: Partial<HarvestState> } | null)?.state ?? {};
  const areTasks =
    Array.isArray(tasks) &&
    tasks.every((task: Partial<Task> | null) => Object.hasOwn(KINDS, task?.kind ?? ''));
  return areTasks && typeof spent?.requests === 'number';
}

export const journalFile = (dir: string): string => path.join(dir, 'harvest', 'journal');
