import type { CatalogueNovel, FoundPage } from '@mokuroku/narou/scan';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { EmbeddedCatalogue } from '@mokuroku/narou/sample';

interface NovelIndex {
  search(query: NovelQuery): FoundPage<CatalogueNovel> | Promise<FoundPage<CatalogueNovel>>;
}

/** The data of the upstream's five interfaces. */
export interface Catalogue extends Pick<EmbeddedCatalogue, 'users' | 'ranking' | 'rankingHistory'> {
  novelIndex(): NovelIndex;
  adultNovelIndex(): NovelIndex;
}
