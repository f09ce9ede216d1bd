import type { LocalQueries } from '../source/catalogue-source.ts';
import type { Catalogue } from './catalogue.ts';

/** What a catalogue in this very process tells beside what the upstream's interfaces do. */
export function localQueriesOf(catalogue: Catalogue): LocalQueries {
  return {
    countNovels: (site, conditions, facets) =>
      (site === 'novelapi' ? catalogue.novelIndex() : catalogue.adultNovelIndex()).facets(conditions, facets),
    suggest: (text, lim) => catalogue.novelIndex().suggest(text, lim),
  };
}
