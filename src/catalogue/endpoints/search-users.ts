import { z } from 'zod';
import { USER_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { canonicalQuery, faultsOfSearch, toUserQuery } from '../novels/search-query.ts';
import { ALL_COUNT, mayContinue, nextRows, withAllCount } from './search-meta.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { questionOf } from './question.ts';
import { USER, USER_COLUMNS } from './user-schema.ts';

export const searchUsers = defineEndpoint({
  summary: 'Search users',
  description: 'Authors and readers, newest first. `of` is not supported here.',
  group: 'Users',
  path: {},
  query: USER_SEARCH_PARAMETERS,
  source: 'userapi',
  data: z.array(USER),
  meta: ALL_COUNT,
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS],
  check: faultsOfSearch,
  question: (services, { query: given }) => {
    const query = toUserQuery(given);
    const question = questionOf(services, `users?${canonicalQuery({ ...query })}`, async (requester) => {
      const page = await services.source.searchUsers(query, requester);
      return {
        data: page.items,
        mayContinue: mayContinue(page, query, services.source.maxStart),
        meta: withAllCount({ source: 'userapi' }, page.allCount),
        from: [page],
      };
    });
    return { ...question, next: nextRows(query, services.source.maxStart) };
  },
  forms: { csv: ({ data }) => ({ columns: USER_COLUMNS, rows: data as object[] }) },
});
