import path from 'node:path';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import type { StoredRanking } from '../local/publish-rankings.ts';
import type { Figures, Site } from './harvested-novel.ts';
import { openJournal } from './journal.ts';
import type { Journal, JournalReader } from './journal.ts';
import type { SpentToday } from './open-upstream.ts';
import type { WalkTally } from './tally.ts';
import type { WalkState } from './walk.ts';

/**
 * One thing after another that a harvest has before it. `walk`: a site's whole records, and its index built of them;
 * `figures`: what changes from day to day of each novel; `texts`: whole records of those that changed, are old, or were
 * not met; `build`: the index anew with all this; `rankings`: those that are missing or old.
 */
export type Task =
  | { readonly kind: 'walk' | 'figures' | 'texts' | 'build'; readonly site: Site }
  | { readonly kind: 'rankings' };

/** When a catalogue that is followed was looked at, in Unix seconds. */
interface FollowTimes {
  /** The last request for changes, by site. */
  readonly changes: Partial<Readonly<Record<Site, number>>>;
  /** The round of the day began. */
  readonly round: number;
}

/** Progress of a harvest: everything that it needs to resume. */
export interface HarvestState {
  readonly spent: SpentToday;
  /** The first is under way. */
  readonly tasks: readonly Task[];
  /** Whether the tasks are of adult novels too. */
  readonly adult: boolean;
  /** Of the task under way. */
  readonly walk: WalkState | null;
  /** How many novels the upstream counted when the walk began. */
  readonly counted: number | undefined;
  /** Of the walk under way. */
  readonly tally?: WalkTally | undefined;
  /** Of a catalogue that was never followed: undefined. */
  readonly follow?: FollowTimes | undefined;
}

/** The data of one request, and the progress after it. */
export interface HarvestEntry {
  readonly state: HarvestState;
  /** The site of the other fields. */
  readonly site?: Site;
  readonly put?: readonly CatalogueNovel[];
  /** The records are to be found at once, not only when the index is built next. */
  readonly isChange?: boolean;
  readonly figures?: readonly Figures[];
  /** Ncodes whose stored record is outdated. */
  readonly changed?: readonly string[];
  /** Ncodes that are no more. */
  readonly gone?: readonly string[];
  readonly rankings?: readonly StoredRanking[];
}

export type HarvestJournal = Journal<HarvestEntry>;

const KINDS: ReadonlySet<unknown> = new Set<Task['kind']>(['walk', 'figures', 'texts', 'build', 'rankings']);

/** Whether this release can resume from an entry, which another release may have written. */
function isEntry(value: unknown): value is HarvestEntry {
  const { spent, tasks } = (value as { state?: Partial<HarvestState> } | null)?.state ?? {};
  const areTasks = Array.isArray(tasks) && tasks.every((task: Partial<Task> | null) => KINDS.has(task?.kind));
  return areTasks && typeof spent?.windowEndsAt === 'number';
}

export const journalFile = (dir: string): string => path.join(dir, 'harvest', 'journal');

export const openHarvestJournal = (
  dir: string,
  reader: Omit<JournalReader<HarvestEntry>, 'isEntry'>,
): HarvestJournal => openJournal(journalFile(dir), { ...reader, isEntry });
