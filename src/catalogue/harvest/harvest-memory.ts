import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import type { StoredRanking } from '../local/publish-rankings.ts';
import { toRtype } from '../novels/ranking-date.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import type { Site } from './harvested-novel.ts';
import { learn } from './known-novels.ts';
import type { KnownNovels } from './known-novels.ts';

/** What the journal says of one site. */
interface SiteMemory {
  /** Whole records that were fetched. */
  readonly fetched: KnownNovels;
  /** Novels whose figures came, with the second of their last episode. */
  readonly met: Map<number, { readonly lastup: number }>;
  /** Ncodes whose record is not what is held. */
  readonly changed: Set<string>;
  /** Changes that no generation of the index holds yet. */
  readonly fresh: Map<string, CatalogueNovel>;
}

/** What a harvest knows by its journal, entry by entry. */
export interface HarvestMemory {
  of(site: Site): SiteMemory;
  /** Rankings that are not published yet, by their `rtype`. */
  readonly rankings: ReadonlyMap<string, StoredRanking>;
  applyEntry(brought: Omit<HarvestEntry, 'state'>): void;
  /** The journal begins anew. */
  clear(): void;
}

const emptySite = (): SiteMemory => ({
  fetched: new Map(),
  met: new Map(),
  changed: new Set(),
  fresh: new Map(),
});

export function createMemory(): HarvestMemory {
  const sites: Record<Site, SiteMemory> = { novels: emptySite(), adult: emptySite() };
  const rankings = new Map<string, StoredRanking>();

  function takeOfSite(memory: SiteMemory, entry: Omit<HarvestEntry, 'state'>): void {
    learn(memory.fetched, entry);
    for (const { ncode, lastup } of entry.figures ?? []) memory.met.set(ncodeToNumber(ncode), { lastup });
    for (const ncode of entry.changed ?? []) memory.changed.add(ncode);
    for (const novel of entry.put ?? []) {
      memory.changed.delete(novel.ncode);
      if (entry.isChange) memory.fresh.set(novel.ncode, novel);
    }
  }

  return {
    of: (site) => sites[site],
    rankings,
    applyEntry: (entry) => {
      if (entry.site) takeOfSite(sites[entry.site], entry);
      for (const ranking of entry.rankings ?? []) rankings.set(toRtype(ranking.type, ranking.date), ranking);
    },
    clear: () => {
      sites.novels = emptySite();
      sites.adult = emptySite();
      rankings.clear();
    },
  };
}
