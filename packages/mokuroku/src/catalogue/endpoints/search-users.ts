import { z } from 'zod';
import {
  USER_SEARCH_PARAMETERS,
  canonicalQuery,
  faultsOfSearch,
  toUserQuery,
  USER,
} from '@mokuroku/narou/queries';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';
import { ALL_COUNT, nextRows, searchAnswer } from './search-answer.ts';
import { text } from '@mokuroku/kit';

export const searchUsers = defineEndpoint({
  summary: text('Search users', 'ユーザーを検索する'),
  description: text(
    'Authors and readers, newest first. `of` is not supported here.',
    '作者と読者を新しい順に。ここでは `of` は使えません。',
  ),
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
  forms: { csv: ({ data }) => ({ columns: Object.keys(USER.shape), rows: data as object[] }) },
});
