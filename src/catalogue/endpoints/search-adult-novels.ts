import { z } from 'zod';
import { findOfField } from '../novels/of-fields.ts';
import { ADULT_FACETS, ADULT_SEARCH_PARAMETERS, IGNORED_ON_ADULT } from '../novels/search-parameters.ts';
import { faultsOfSearch, toNovelQuery } from '../novels/search-query.ts';
import { ALL_COUNT, FACET_COUNTS } from './search-meta.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { feedCodes, novelTable, searchFeed } from './novel-forms.ts';
import { ADULT_NOVEL } from './novel-schemas.ts';
import { addedFields, searchQuestion } from './novel-search.ts';

export const searchAdultNovels = defineEndpoint({
  summary: 'Search adult novels (metadata only)',
  description:
    'As the search of novels, on the adult interface. Not to be shown to anyone under 18. Metadata only: no text of a novel is ever part of an answer.',
  group: 'Adult novels',
  path: {},
  query: { ...ADULT_SEARCH_PARAMETERS, facets: ADULT_FACETS },
  inert: { names: IGNORED_ON_ADULT, reason: 'The adult interface of the upstream has no such filter.' },
  source: 'novel18api',
  data: z.array(ADULT_NOVEL),
  meta: { ...ALL_COUNT, ...FACET_COUNTS },
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS],
  check: ({ source }, { query }) => faultsOfSearch(query, source.maxStart),
  ask: (services, { query: { facets, ...given } }, form) => {
    const query = toNovelQuery(
      'novel18api',
      form === 'atom' ? { ...given, of: feedCodes('novel18api') } : given,
    );
    return searchQuestion(services, 'novel18api', query, facets);
  },
  leftOut: ({ query: { of = [] } }) => {
    const unknown = of.filter((code) => findOfField(code)?.servedBy === 'novelapi');
    return unknown.length === 0 ? [] : [`of=${unknown.join('-')}`];
  },
  forms: {
    csv: ({ data }, { query: { of, opt } }) =>
      novelTable(data, 'novel18api', of, { after: addedFields(opt) }),
    atom: (answer, { query }, { isSample }, origin) =>
      searchFeed(answer, toNovelQuery('novel18api', query), { isAdult: true, isSample, origin }),
  },
});
