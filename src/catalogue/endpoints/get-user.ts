import { ServiceError } from '../../errors.ts';
import { userid } from '../novels/code-parameters.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';
import { USER } from './user-schema.ts';

export const getUser = defineEndpoint({
  summary: 'Get one user',
  description: 'An author or reader by user id.',
  group: 'Users',
  path: { userid: userid({ description: 'User id, digits.', example: EXAMPLES.userid }) },
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
