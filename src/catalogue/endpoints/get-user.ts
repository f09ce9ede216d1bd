import { ServiceError } from '../../errors.ts';
import { USERID_IN_PATH } from './path-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { questionOf } from './question.ts';
import { USER } from './user-schema.ts';

export const getUser = defineEndpoint({
  summary: 'Get one user',
  description: 'An author or reader by user id.',
  group: 'Users',
  path: { userid: USERID_IN_PATH },
  query: {},
  source: 'userapi',
  data: USER,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  ask: (services, { path: { userid } }) =>
    questionOf(services, `users/${userid}`, async (asker) => {
      const user = await services.source.findUser(userid, asker);
      if (user === null) throw new ServiceError('not_found', { message: `There is no user ${userid}.` });
      return { data: user, meta: { source: 'userapi' } };
    }),
});
