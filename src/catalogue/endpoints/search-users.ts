import { z } from 'zod';
import { USER_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { canonicalQuery, faultsOfSearch, toUserQuery } from '../novels/search-query.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';
import { ALL_COUNT, nextRows, searchAnswer } from './search-answer.ts';
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
    const { source } = services;
    const question = questionOf(services, `users?${canonicalQuery({ ...query })}`, async (requester) =>
      searchAnswer(await source.searchUsers(query, requester), query, source.maxStart, { source: 'userapi' }),
    );
    return { ...question, next: nextRows(query, source.maxStart) };
  },
  forms: { csv: ({ data }) => ({ columns: USER_COLUMNS, rows: data as object[] }) },
});
