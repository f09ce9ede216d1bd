import { z } from 'zod';
import { integerSchema, textSchema } from '../../http/documented-schemas.ts';
import { BIGGENRES, GENRES } from '../novels/genres.ts';
import { defineEndpoint } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';
import { text } from '../../process/text.ts';

export const CODE_LABEL = z
  .object({
    code: integerSchema('Code, as in records and parameters.', 'レコードとパラメーターで使うコード。', 201),
    label_ja: textSchema('Japanese label.', '日本語名。', 'ハイファンタジー〔ファンタジー〕'),
  })
  .meta({ title: 'CodeLabel', en: 'A code with its label.', ja: 'コードとその名前。' });

export const listGenres = defineEndpoint({
  summary: text('List genres and big genres', 'ジャンルと大ジャンルを一覧する'),
  description: text(
    'The codes of `genre` and `biggenre` with their labels. A genre belongs to the big genre genre / 100, rounded down.',
    '`genre` と `biggenre` のコードと名前。ジャンルは、100 で割って切り捨てた大ジャンルに属します。',
  ),
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
