import { z } from 'zod';
import { NOVEL_FACETS, NOVEL_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { defineEndpoint } from './endpoint.ts';
import { NOVEL } from './novel-schemas.ts';
import { FEED, novelSearch } from './novel-search.ts';

export const searchNovels = defineEndpoint({
  ...novelSearch('novelapi'),
  summary: 'Search novels',
  description:
    'Novels that match all conditions. Several values of one parameter are alternatives. The upstream returns the first 2,499 matches only: narrow the search to see others.',
  group: 'Novels',
  query: { ...NOVEL_SEARCH_PARAMETERS, facets: NOVEL_FACETS, feed: FEED },
  data: z.array(NOVEL),
});
