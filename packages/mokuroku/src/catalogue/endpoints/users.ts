import { z } from 'zod';
import {
  USER_SEARCH_PARAMETERS,
  canonicalQuery,
  faultsOfSearch,
  toUserQuery,
  userid,
  USER,
} from '@mokuroku/narou/queries';
import { HOUR, fresh } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { questionOf, BYTES_A_USER, nextRows, searchAnswer } from './catalogue-answer.ts';
import { ALL_COUNT } from './schemas.ts';
import { ERRORS, ServiceError, text } from '@mokuroku/kit';
import { EXAMPLES } from '@mokuroku/narou';

export const searchUsers = defineEndpoint({
  name: 'searchUsers',
  path: '/v1/users',
  summary: text('Search users', 'ユーザーを検索する'),
  description: text(
    'Authors and readers, newest first. `of` is not supported here.',
    '作者と読者を新しい順に。ここでは `of` は使えません。',
  ),
  cache: fresh(1 * HOUR),
  client: { method: 'users' },
  command: ['users', 'word'],
  // prettier-ignore
  examples: [
    { name: 'findUsers', query: { word: 'しおり', order: 'sumglobalpoint', lim: '3' },
      title: text('Find authors by name', '名前で作者をさがす') },
  ],
  group: 'Users',
  queryTable: USER_SEARCH_PARAMETERS,
  source: 'userapi',
  data: z.array(USER),
  meta: ALL_COUNT,
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS],
  check: faultsOfSearch,
  question: (services, { query: given }) => {
    const query = toUserQuery(given);
    const { source } = services;
    const key = `users?${canonicalQuery({ ...query })}`;
    const question = questionOf(services, { key, memoryBytes: query.lim * BYTES_A_USER }, async (requester) =>
      searchAnswer(await source.searchUsers(query, requester), query, source.maxStart, { source: 'userapi' }),
    );
    return { ...question, next: nextRows(query, source.maxStart) };
  },
  forms: { table: ({ data }) => ({ columns: Object.keys(USER.shape), rows: data as object[] }) },
});

export const getUser = defineEndpoint({
  name: 'getUser',
  path: '/v1/users/:userid',
  summary: text('Get one user', 'ユーザーを 1 人取得する'),
  description: text('An author or reader by user id.', 'ユーザー ID で、作者または読者を 1 人。'),
  cache: fresh(1 * HOUR),
  client: { method: 'user' },
  command: ['user', 'userid'],
  // prettier-ignore
  examples: [
    { name: 'oneUser', path: { userid: String(EXAMPLES.userid) },
      title: text('Get an author', '作者の情報を取得する') },
  ],
  group: 'Users',
  pathTable: {
    userid: userid({ en: 'User id, digits.', ja: 'ユーザー ID（数字）。', example: EXAMPLES.userid }),
  },
  source: 'userapi',
  data: USER,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path }) =>
    questionOf(services, { key: `users/${path.userid}`, memoryBytes: BYTES_A_USER }, async (requester) => {
      const page = await services.source.searchUsers({ userid: path.userid, st: 1, lim: 1 }, requester);
      const [user] = page.items;
      if (user === undefined)
        throw new ServiceError(ERRORS.not_found, { message: `There is no user ${path.userid}.` });
      return { data: user, meta: { source: 'userapi' }, from: [page] };
    }),
});
