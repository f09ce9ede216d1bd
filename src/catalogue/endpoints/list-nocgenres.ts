import { z } from 'zod';
import { NOCGENRES } from '../novels/genres.ts';
import { defineEndpoint } from './endpoint.ts';
import { CODE_LABEL } from './list-genres.ts';
import { questionOf } from './catalogue-answer.ts';
import { text } from '../../process/text.ts';

export const listNocgenres = defineEndpoint({
  summary: text('List adult genres', '成人向けのジャンルを一覧する'),
  description: text('The codes of `nocgenre` with their labels.', '`nocgenre` のコードと名前。'),
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
