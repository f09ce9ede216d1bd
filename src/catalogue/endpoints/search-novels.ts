import { z } from 'zod';
import { NOVEL_FACETS, NOVEL_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { canonicalQuery, faultsOfSearch, onlyNcode, toNovelQuery } from '../novels/search-query.ts';
import { ALL_COUNT, withAllCount } from './all-count.ts';
import { atHandOf } from './at-hand.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { FACET_COUNTS, facetKey } from './facet-counts.ts';
import { feedCodes, novelTable, searchFeed } from './novel-forms.ts';
import { novelListQuestion } from './novel-list.ts';
import { NOVEL } from './novel-schemas.ts';

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
    const query = toNovelQuery(form === 'atom' ? { ...given, of: feedCodes('novelapi') } : given);
    const { source } = services;
    const ncode = onlyNcode(query);
    return novelListQuestion(services, {
      of: query.of,
      keyFor: (of) => `novels?${canonicalQuery({ ...query, of })}${facetKey(facets)}`,
      after: query.opt === 'weekly' ? ['weekly_unique'] : [],
      single: facets ? undefined : ncode && `novels/${ncode}`,
      load: async (asker) => {
        const counts = facets && { facets: await atHandOf(source, 'facets').countNovels(query, facets) };
        const page = await source.searchNovels(query, asker);
        return {
          data: page.json ?? page.items,
          meta: withAllCount({ source: 'novelapi', ...counts }, page.allCount),
        };
      },
    });
  },
  forms: {
    csv: ({ data }, { query: { of, opt } }) =>
      novelTable(data, 'novelapi', of, { after: opt === 'weekly' ? ['weekly_unique'] : [] }),
    atom: (answer, { query }, { isSample }, origin) =>
      searchFeed(answer, toNovelQuery(query), { isAdult: false, isSample, origin }),
  },
});
