import type { CatalogueAtHand } from '../catalogue-source.ts';
import type { Catalogue } from './catalogue.ts';

/** What a catalogue in this very process tells beside what the upstream's interfaces do. */
export function atHandOf(catalogue: Catalogue): CatalogueAtHand {
  return {
    countNovels: (conditions, facets) => catalogue.novelIndex().facets(conditions, facets),
    countAdultNovels: (conditions, facets) => catalogue.adultNovelIndex().facets(conditions, facets),
    suggest: (text, lim) => catalogue.novelIndex().suggest(text, lim),
  };
}
