import { z } from 'zod';
import { findOfField } from '../novels/of-fields.ts';
import { ADULT_FACETS, ADULT_SEARCH_PARAMETERS, IGNORED_ON_ADULT } from '../novels/search-parameters.ts';
import { canonicalQuery, faultsOfSearch, onlyNcode, toAdultNovelQuery } from '../novels/search-query.ts';
import { ALL_COUNT, withAllCount } from './all-count.ts';
import { atHandOf } from './at-hand.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { FACET_COUNTS, facetKey } from './facet-counts.ts';
import { feedCodes, novelTable, searchFeed } from './novel-forms.ts';
import { novelListQuestion } from './novel-list.ts';
import { ADULT_NOVEL } from './novel-schemas.ts';

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
    const query = toAdultNovelQuery(form === 'atom' ? { ...given, of: feedCodes('novel18api') } : given);
    const { source } = services;
    const ncode = onlyNcode(query);
    return novelListQuestion(services, {
      of: query.of,
      keyFor: (of) => `r18/novels?${canonicalQuery({ ...query, of })}${facetKey(facets)}`,
      after: query.opt === 'weekly' ? ['weekly_unique'] : [],
      single: facets ? undefined : ncode && `r18/novels/${ncode}`,
      load: async (asker) => {
        const counts = facets && { facets: await atHandOf(source, 'facets').countAdultNovels(query, facets) };
        const page = await source.searchAdultNovels(query, asker);
        return {
          data: page.json ?? page.items,
          meta: withAllCount({ source: 'novel18api', ...counts }, page.allCount),
        };
      },
    });
  },
  leftOut: ({ query: { of = [] } }) => {
    const unknown = of.filter((code) => findOfField(code)?.servedBy === 'novelapi');
    return unknown.length === 0 ? [] : [`of=${unknown.join('-')}`];
  },
  forms: {
    csv: ({ data }, { query }) => {
      const { of, opt } = toAdultNovelQuery(query);
      return novelTable(data, 'novel18api', of, { after: opt === 'weekly' ? ['weekly_unique'] : [] });
    },
    atom: (answer, { query }, { isSample }, origin) =>
      searchFeed(answer, toAdultNovelQuery(query), { isAdult: true, isSample, origin }),
  },
});
