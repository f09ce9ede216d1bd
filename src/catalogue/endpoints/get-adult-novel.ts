import { ncode } from '../novels/code-parameters.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { ADULT_NOVEL } from './novel-schemas.ts';
import { novelQuestion } from './novel-search.ts';

export const getAdultNovel = defineEndpoint({
  summary: 'Get one adult novel (metadata only)',
  description: 'All metadata of an adult novel. Not to be shown to anyone under 18.',
  group: 'Adult novels',
  path: {
    ncode: ncode({ description: 'Code of the adult novel, in any case.', example: EXAMPLES.adultNcode }),
  },
  query: {},
  source: 'novel18api',
  data: ADULT_NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path }) => novelQuestion(services, 'novel18api', path.ncode),
});
