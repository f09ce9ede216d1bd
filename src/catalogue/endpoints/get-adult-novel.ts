import { ADULT_NCODE_IN_PATH } from './path-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { ADULT_NOVEL } from './novel-schemas.ts';
import { novelQuestion } from './novel-search.ts';

export const getAdultNovel = defineEndpoint({
  summary: 'Get one adult novel (metadata only)',
  description: 'All metadata of an adult novel. Not to be shown to anyone under 18.',
  group: 'Adult novels',
  path: { ncode: ADULT_NCODE_IN_PATH },
  query: {},
  source: 'novel18api',
  data: ADULT_NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  ask: (services, { path: { ncode } }) => novelQuestion(services, 'novel18api', ncode),
});
