import type { LocalQueries } from '../source/catalogue-source.ts';
import type { Catalogue } from './catalogue.ts';

/** Queries to a local catalogue, which the upstream's interfaces lack. */
export function localQueriesOf(catalogue: Catalogue): LocalQueries {
  return {
    countNovels: (site, conditions, facets) =>
      (site === 'novelapi' ? catalogue.novelIndex() : catalogue.adultNovelIndex()).facets(conditions, facets),
    suggest: async (text, lim) => ({ value: await catalogue.novelIndex().suggest(text, lim) }),
  };
}
