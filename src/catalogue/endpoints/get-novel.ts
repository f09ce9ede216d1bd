import { NCODE_IN_PATH } from './path-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { NOVEL } from './novel-schemas.ts';
import { novelQuestion } from './novel-search.ts';

export const getNovel = defineEndpoint({
  summary: 'Get one novel',
  description: 'All fields of a novel.',
  group: 'Novels',
  path: { ncode: NCODE_IN_PATH },
  query: {},
  source: 'novelapi',
  data: NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  ask: (services, { path: { ncode } }) => novelQuestion(services, 'novelapi', ncode),
});
