import { z } from 'zod';
import { IGNORED_ON_ADULT } from '../novels/search-conditions.ts';
import { ADULT_FACETS, ADULT_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { defineEndpoint } from './endpoint.ts';
import { ADULT_NOVEL } from './novel-schemas.ts';
import { FEED, novelSearch } from './novel-search.ts';

export const searchAdultNovels = defineEndpoint({
  ...novelSearch('novel18api'),
  summary: 'Search adult novels (metadata only)',
  description:
    'Like the search of novels, on the adult interface. Not to be shown to anyone under 18. Metadata only: responses contain no text of a novel.',
  group: 'Adult novels',
  query: { ...ADULT_SEARCH_PARAMETERS, facets: ADULT_FACETS, feed: FEED },
  accepted: { names: IGNORED_ON_ADULT, reason: 'The adult interface of the upstream lacks this filter.' },
  data: z.array(ADULT_NOVEL),
});
