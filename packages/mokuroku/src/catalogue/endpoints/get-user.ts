import { ServiceError, text } from '@mokuroku/kit';
import { userid, USER } from '@mokuroku/narou/queries';
import { EXAMPLES } from '@mokuroku/narou';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';

export const getUser = defineEndpoint({
  summary: text('Get one user', 'ユーザーを 1 人取得する'),
  description: text('An author or reader by user id.', 'ユーザー ID で、作者または読者を 1 人。'),
  group: 'Users',
  path: {
    userid: userid({ en: 'User id, digits.', ja: 'ユーザー ID（数字）。', example: EXAMPLES.userid }),
  },
  query: {},
  source: 'userapi',
  data: USER,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path }) =>
    questionOf(services, `users/${path.userid}`, async (requester) => {
      const user = await services.source.findUser(path.userid, requester);
      if ('absent' in user)
        throw new ServiceError('not_found', { message: `There is no user ${path.userid}.` });
      return { data: user.value, meta: { source: 'userapi' }, from: [user] };
    }),
});
