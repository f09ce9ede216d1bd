import type { CatalogueAtHand } from '../catalogue-source.ts';
import type { Catalogue } from './catalogue.ts';

/** What a catalogue in this very process tells beside what the upstream's interfaces do. */
export function atHandOf(catalogue: Catalogue): CatalogueAtHand {
  return {
    countNovels: (site, conditions, facets) =>
      (site === 'novelapi' ? catalogue.novelIndex() : catalogue.adultNovelIndex()).facets(conditions, facets),
    suggest: (text, lim) => catalogue.novelIndex().suggest(text, lim),
  };
}
