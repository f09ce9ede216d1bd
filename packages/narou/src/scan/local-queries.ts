import type { NovelInterface } from '../novels/of-fields.ts';
import { CONDITION_NAMES } from '../novels/search-conditions.ts';
import type { SearchCondition } from '../novels/search-conditions.ts';
import { lackedByUpstream } from '../novels/search-query.ts';
import type { CatalogueSource, NovelRecord, NovelSource } from '../source/index.ts';
import type { Catalogue, NovelIndex } from './catalogue.ts';
import { fieldSelector, formatNovel } from './stored-novel.ts';

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
