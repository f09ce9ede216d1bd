import { ncode } from '../novels/code-parameters.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { NOVEL } from './novel-schemas.ts';
import { novelQuestion } from './novel-search.ts';

export const NCODE_IN_PATH = ncode({
  description: 'Code of the novel, in any case.',
  example: EXAMPLES.ncode,
});

export const getNovel = defineEndpoint({
  summary: 'Get one novel',
  description: 'All fields of a novel.',
  group: 'Novels',
  path: { ncode: NCODE_IN_PATH },
  query: {},
  source: 'novelapi',
  data: NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path }) => novelQuestion(services, 'novelapi', path.ncode),
});
