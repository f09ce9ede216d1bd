import { z } from 'zod';
import { integerSchema, textSchema } from '../../http/documented-schemas.ts';
import { BIGGENRES, GENRES } from '../novels/genres.ts';
import { defineEndpoint } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';

export const CODE_LABEL = z
  .object({
    code: integerSchema('Code, as in records and parameters.', 201),
    label_ja: textSchema('Japanese label.', 'ハイファンタジー〔ファンタジー〕'),
  })
  .meta({ title: 'CodeLabel', description: 'A code with its label.' });

export const listGenres = defineEndpoint({
  summary: 'List genres and big genres',
  description:
    'The codes of `genre` and `biggenre` with their labels. A genre belongs to the big genre genre / 100, rounded down.',
  group: 'Code tables',
  path: {},
  query: {},
  source: 'static',
  data: z.object({ genres: z.array(CODE_LABEL), biggenres: z.array(CODE_LABEL) }),
  errors: ['invalid_parameter'],
  question: (services) =>
    questionOf(services, 'meta/genres', () =>
      Promise.resolve({
        data: { genres: GENRES, biggenres: BIGGENRES },
        meta: { source: 'static' },
        from: [],
      }),
    ),
  forms: {
    csv: () => ({
      columns: ['list', 'code', 'label_ja'],
      rows: Object.entries({ genres: GENRES, biggenres: BIGGENRES }).flatMap(([list, rows]) =>
        rows.map((row) => ({ list, ...row })),
      ),
    }),
  },
});
