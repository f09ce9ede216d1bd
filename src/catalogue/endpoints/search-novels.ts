import { z } from 'zod';
import { NOVEL_FACETS, NOVEL_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { faultsOfSearch, toNovelQuery } from '../novels/search-query.ts';
import { ALL_COUNT, FACET_COUNTS } from './search-meta.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { feedCodes, novelTable, searchFeed } from './novel-forms.ts';
import { NOVEL } from './novel-schemas.ts';
import { addedFields, searchQuestion } from './novel-search.ts';

export const searchNovels = defineEndpoint({
  summary: 'Search novels',
  description:
    'Novels that meet all conditions given. Several values of one parameter are alternatives. The upstream reaches the first 2,499 matches only: narrow the search to see more.',
  group: 'Novels',
  path: {},
  query: { ...NOVEL_SEARCH_PARAMETERS, facets: NOVEL_FACETS },
  source: 'novelapi',
  data: z.array(NOVEL),
  meta: { ...ALL_COUNT, ...FACET_COUNTS },
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS],
  check: ({ source }, { query }) => faultsOfSearch(query, source.maxStart),
  ask: (services, { query: { facets, ...given } }, form) => {
    const query = toNovelQuery('novelapi', form === 'atom' ? { ...given, of: feedCodes('novelapi') } : given);
    return searchQuestion(services, 'novelapi', query, facets);
  },
  forms: {
    csv: ({ data }, { query: { of, opt } }) => novelTable(data, 'novelapi', of, { after: addedFields(opt) }),
    atom: (answer, { query }, { isSample }, origin) =>
      searchFeed(answer, toNovelQuery('novelapi', query), { isAdult: false, isSample, origin }),
  },
});
