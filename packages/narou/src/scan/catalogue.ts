import type { FacetCounts, FacetName, NovelQuery } from '../novels/novel-query.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { RankingEntry, RankingHistoryEntry, RankingType } from '../novels/ranking-date.ts';
import type { Suggestions } from '../novels/record-schemas.ts';
import { CONDITION_NAMES } from '../novels/search-conditions.ts';
import type { NovelConditions, SearchCondition } from '../novels/search-conditions.ts';
import { lackedByUpstream } from '../novels/search-query.ts';
import type { UserQuery } from '../novels/search-query.ts';
import type { Awaitable, CatalogueSource, NovelRecord, NovelSource } from '../source/index.ts';
import type { CatalogueNovel, CatalogueUser } from './catalogue-novel.ts';
import { fieldSelector, formatNovel } from './stored-novel.ts';

/** The result of a search: the number of all matches, and the requested records in order. */
export interface FoundPage<Row> {
  readonly total: number;
  readonly records: readonly Row[];
}

/** Searches one population of novels, general or adult. */
export interface NovelIndex {
  search(query: NovelQuery): Awaitable<FoundPage<CatalogueNovel>>;
  facets(conditions: NovelConditions, names: readonly FacetName[]): Awaitable<FacetCounts>;
  /** At most `lim` of each kind; none for a text without words. */
  suggest(text: string, lim: number): Awaitable<Suggestions>;
}

export interface UserIndex {
  search(query: UserQuery): FoundPage<CatalogueUser>;
}

/** The data of the upstream's five interfaces. Row numbers are valid only until the next change. */
export interface Catalogue {
  novelIndex(): NovelIndex;
  adultNovelIndex(): NovelIndex;
  userIndex(): UserIndex;
  /**
   * The ranking stored under a Japanese day (`dayOfDate`), a Tuesday for weekly, a first of a month for monthly and
   * quarterly. Null: there is none (yet).
   */
  ranking(type: RankingType, day: number): readonly RankingEntry[] | null;
  /** Every ranking that contains a novel, by `rtype`; null for an unknown upper-case Ncode. */
  rankingHistory(ncode: string): readonly RankingHistoryEntry[] | null;
}

/** Searches that the upstream's interface lacks are made in the index. */
const withIndex = (site: NovelInterface, novels: NovelSource, index: () => NovelIndex): NovelSource => ({
  ...novels,
  applies: CONDITION_NAMES as ReadonlySet<SearchCondition>,
  search: async (query, requester) => {
    if (lackedByUpstream(site, query).length === 0) return novels.search(query, requester);
    const { total, records } = await index().search(query);
    const select = fieldSelector(query);
    const items = records.map((novel) => JSON.parse(`{${select(formatNovel(novel))}}`) as NovelRecord);
    return { allCount: total, items };
  },
});

/** A source over the upstream's protocol, with what its catalogue has beyond the upstream's interfaces. */
export function withCatalogue(source: CatalogueSource, catalogue: Catalogue): CatalogueSource {
  const indexes = {
    novelapi: () => catalogue.novelIndex(),
    novel18api: () => catalogue.adultNovelIndex(),
  };
  return {
    ...source,
    novels: {
      novelapi: withIndex('novelapi', source.novels.novelapi, indexes.novelapi),
      novel18api: withIndex('novel18api', source.novels.novel18api, indexes.novel18api),
    },
    local: {
      countNovels: (site, conditions, facets) => indexes[site]().facets(conditions, facets),
      suggest: async (text, lim) => ({ value: await indexes.novelapi().suggest(text, lim) }),
    },
  };
}
