import path from 'node:path';
import type { Logger } from '@mokuroku/kit/process';
import { UNKNOWN_KEY } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { readColumns } from '../engine/columns.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import { publishedRankings, rankingFactsOf } from '../local/ranking-files.ts';
import type { PublishedRanking, StoredRanking } from '../local/ranking-files.ts';
import { ncodeToNumber, toRtype } from '@mokuroku/narou';
import type { Doubt, Look } from './doubts.ts';
import { NO_WALK, isEntry, journalFile } from './harvest-journal.ts';
import type { DoubtedPart, HarvestEntry, HarvestState } from './harvest-journal.ts';
import { stampOf } from './harvested-novel.ts';
import type { ChangeStamp, Site } from './harvested-novel.ts';
import { openJournal } from './journal.ts';

/** Facts of a stored novel that a harvest needs. Times in Unix seconds. */
interface KnownNovel extends Omit<ChangeStamp, 'ncode'> {
  readonly fetchedAt: number;
}

/** By the Ncode as a number (`ncodeToNumber`): a tenth of the memory of a string. */
export type KnownNovels = ReadonlyMap<number, KnownNovel>;
type GrowingNovels = Map<number, KnownNovel>;

/** The journal entries of one site, and its second looks. */
interface SiteMemory {
  readonly fetched: GrowingNovels;
  /** Novels that were withdrawn, and may be back since. */
  readonly gone: Set<number>;
  /** Novels with fetched figures, and the Unix second of their last episode. */
  readonly seen: Map<number, { readonly lastup: number }>;
  /** Ncodes whose record differs from the index. */
  readonly changed: Set<string>;
  /** Novels with a second look since the last task: one that does not come is not requested every ten minutes. */
  readonly looked: Set<string>;
  /** Changes that are in no generation of the index. */
  readonly fresh: Map<string, CatalogueNovel>;
}

type Fetched = Omit<HarvestEntry, 'state'>;

type UpstreamFacts = Partial<Pick<HarvestState, 'spent' | 'isSample'>>;

/** Fewer rows say little about their page. More earlier ones would hide that a fault has just begun. */
export const MIN_WITNESSES = 15;

/** Of one entry: those about all figures of a million novels would be a text longer than a string can be. */
const MAX_DOUBTS = 10_000;

const EMPTY_STATE: HarvestState = {
  spent: { requests: 0, bytes: 0, at: 0 },
  tasks: [],
  adult: false,
  ...NO_WALK,
  walkDoubts: {},
  follow: { changes: {}, round: 0 },
};

const emptySite = (): SiteMemory => ({
  fetched: new Map(),
  gone: new Set(),
  seen: new Map(),
  changed: new Set(),
  looked: new Set(),
  fresh: new Map(),
});
const emptySites = (): Record<Site, SiteMemory> => ({ novels: emptySite(), adult: emptySite() });

/** The fetched data of a harvest and its progress: its only mutable object. */
export class HarvestMemory {
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #journal: ReturnType<typeof openJournal<HarvestEntry>>;
  readonly #upstreamFacts: () => UpstreamFacts;
  #state = EMPTY_STATE;
  #sites = emptySites();
  readonly #rankings = new Map<string, StoredRanking>();
  #storedRankings: Map<string, PublishedRanking> | undefined;
  readonly #doubts = {
    novels: new Map<string, Doubt>(),
    adult: new Map<string, Doubt>(),
    rankings: new Map<string, Doubt>(),
  };
  /** The last rows that should not have changed, the newest first. */
  readonly #witnesses: Record<Site, readonly Look[]> = { novels: [], adult: [] };
  readonly #knownNovels = new Map<Site, GrowingNovels>();

  /** Opens the journal in a folder and replays it. `upstreamFacts`, called before every write, are stored with it. */
  constructor(dir: string, logger: Logger, upstreamFacts: () => UpstreamFacts) {
    this.#dir = dir;
    this.#logger = logger;
    this.#upstreamFacts = upstreamFacts;
    const onEntry = (entry: HarvestEntry) => {
      this.add(entry);
      this.#state = { ...EMPTY_STATE, ...entry.state };
    };
    this.#journal = openJournal(journalFile(dir), isEntry, onEntry, (bytes) =>
      logger.warn({ dir, bytes }, 'the end of the journal is unreadable and is fetched again'),
    );
  }

  get state(): HarvestState {
    return this.#state;
  }

  get journalBytes(): number {
    return this.#journal.bytes;
  }

  /** Rankings that are not published yet, by their `rtype`. */
  get rankings(): ReadonlyMap<string, StoredRanking> {
    return this.#rankings;
  }

  /** Facts of every ranking, by `rtype`: of those in the folder, and of those fetched since. */
  storedRankings(): ReadonlyMap<string, PublishedRanking> {
    if (this.#storedRankings) return this.#storedRankings;
    const published = publishedRankings(path.join(this.#dir, 'rankings'), this.#logger);
    const all = [...published, ...[...this.#rankings.values()].map(rankingFactsOf)];
    return (this.#storedRankings = new Map(all.map((each) => [toRtype(each.type, each.date), each])));
  }

  doubts(part: DoubtedPart): ReadonlyMap<string, Doubt> {
    return this.#doubts[part];
  }

  siteMemory(site: Site): SiteMemory {
    return this.#sites[site];
  }

  /** The witnesses of a page: its own, and earlier ones if they are few. */
  witnesses(site: Site, own: readonly Look[]): readonly Look[] {
    const all = [...own, ...this.#witnesses[site].slice(0, Math.max(0, MIN_WITNESSES - own.length))];
    this.#witnesses[site] = all.slice(0, MIN_WITNESSES);
    return all;
  }

  /** Every novel of a site: those of its index, and those fetched since. */
  novelsOf(site: Site): KnownNovels {
    const before = this.#knownNovels.get(site);
    if (before) return before;
    const novels = readIndexed(path.join(this.#dir, site));
    const { fetched, gone } = this.#sites[site];
    for (const key of gone) novels.delete(key);
    for (const [key, novel] of fetched) novels.set(key, novel);
    this.#knownNovels.set(site, novels);
    return novels;
  }

  /** Adds the data of a request. `write` must follow, with the state that includes them. */
  add(fetched: Fetched): void {
    if (fetched.site) {
      addToSite(this.#sites[fetched.site], fetched);
      const novels = this.#knownNovels.get(fetched.site);
      if (novels) applyEntry(novels, fetched);
      for (const ncode of fetched.gone ?? []) this.#doubts[fetched.site].delete(ncode);
    }
    for (const [part, entries] of Object.entries(fetched.doubts ?? {})) {
      const doubts = this.#doubts[part as DoubtedPart];
      for (const [subject, doubt] of entries) {
        if (Object.keys(doubt).length > 0) doubts.set(subject, doubt);
        else doubts.delete(subject);
      }
    }
    for (const ranking of fetched.rankings ?? []) {
      const rtype = toRtype(ranking.type, ranking.date);
      this.#rankings.set(rtype, ranking);
      this.#storedRankings?.set(rtype, rankingFactsOf(ranking));
    }
  }

  /** Appends the data of a request to the journal, with the new state. */
  write(fetched: Fetched, change: Partial<HarvestState>): void {
    this.#change(change);
    this.#journal.append({ ...fetched, state: this.#state });
  }

  commit(fetched: Fetched, change: Partial<HarvestState> = {}): void {
    this.add(fetched);
    this.write(fetched, change);
  }

  /** Empties the journal, except for the new state and the doubts. No walk is under way then. */
  restart(change: Partial<HarvestState>): void {
    this.#change({ ...NO_WALK, ...change });
    const state = this.#state;
    const entries: HarvestEntry[] = [{ state }];
    for (const [part, doubts] of Object.entries(this.#doubts))
      for (let rest = [...doubts]; rest.length > 0; rest = rest.slice(MAX_DOUBTS))
        entries.push({ state, doubts: { [part]: rest.slice(0, MAX_DOUBTS) } });
    this.#journal.restart(entries);
    this.#sites = emptySites();
    this.#rankings.clear();
    this.#knownNovels.clear();
  }

  forgetIndexes(): void {
    this.#knownNovels.clear();
  }

  close(): void {
    this.#journal.close();
  }

  #change(change: Partial<HarvestState>): void {
    this.#state = { ...this.#state, ...change, ...this.#upstreamFacts() };
  }
}

function addToSite(memory: SiteMemory, entry: Fetched): void {
  applyEntry(memory.fetched, entry);
  for (const ncode of entry.gone ?? []) memory.gone.add(ncodeToNumber(ncode));
  for (const { ncode, lastup } of entry.figures ?? []) memory.seen.set(ncodeToNumber(ncode), { lastup });
  for (const ncode of entry.changed ?? []) memory.changed.add(ncode);
  for (const novel of entry.put ?? []) {
    memory.changed.delete(novel.ncode);
    if (entry.isChange) memory.fresh.set(novel.ncode, novel);
  }
  if (entry.isIndexed) memory.fresh.clear();
}

/** Seconds as in ChangeStamp, where 0 is an unknown time. */
const stampSeconds = (value: number | undefined): number => (value === UNKNOWN_KEY ? 0 : (value ?? 0));

/** The novels of the newest generation of an index; empty if there is no index. The last record of each counts. */
function readIndexed(folder: string): GrowingNovels {
  const novels: GrowingNovels = new Map();
  for (const segment of newestGeneration(folder)?.segments ?? []) {
    const columns = readColumns(path.join(folder, segment.folder, 'columns'), segment.records);
    for (let id = 0; id < segment.records; id++)
      novels.set(columns.ncode[id] as number, {
        firstup: stampSeconds(columns.general_firstup[id]),
        lastup: stampSeconds(columns.general_lastup[id]),
        lastupdate: stampSeconds(columns.novelupdated_at[id]),
        genre: columns.genre[id] as number,
        fetchedAt: columns.fetched_at[id] as number,
      });
  }
  return novels;
}

function applyEntry(novels: GrowingNovels, { put = [], gone = [] }: Fetched): void {
  for (const novel of put) {
    const { ncode, ...marks } = stampOf({ ...novel });
    novels.set(ncodeToNumber(ncode), { ...marks, fetchedAt: novel.fetched_at });
  }
  for (const ncode of gone) novels.delete(ncodeToNumber(ncode));
}
