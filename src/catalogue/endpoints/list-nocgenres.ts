import { z } from 'zod';
import { NOCGENRES } from '../novels/genres.ts';
import { defineEndpoint } from './endpoint.ts';
import { CODE_LABEL } from './list-genres.ts';
import { questionOf } from './catalogue-answer.ts';

export const listNocgenres = defineEndpoint({
  summary: 'List adult genres',
  description: 'The codes of `nocgenre` with their labels.',
  group: 'Code tables',
  path: {},
  query: {},
  source: 'static',
  data: z.object({ nocgenres: z.array(CODE_LABEL) }),
  errors: ['invalid_parameter'],
  question: (services) =>
    questionOf(services, 'meta/nocgenres', () =>
      Promise.resolve({ data: { nocgenres: NOCGENRES }, meta: { source: 'static' }, from: [] }),
    ),
  forms: { csv: () => ({ columns: ['code', 'label_ja'], rows: NOCGENRES }) },
});
