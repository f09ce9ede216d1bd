import { z } from 'zod';
import { integerSchema, textSchema } from '@mokuroku/kit/http';
import { BIGGENRES, GENRES, NOCGENRES } from '@mokuroku/narou';
import { defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';
import { text } from '@mokuroku/kit';

const CODE_LABEL = z
  .object({
    code: integerSchema('Code, as in records and parameters.', 'レコードとパラメーターで使うコード。', 201),
    label_ja: textSchema('Japanese label.', '日本語名。', 'ハイファンタジー〔ファンタジー〕'),
  })
  .meta({ title: 'CodeLabel', en: 'A code with its label.', ja: 'コードとその名前。' });

/** What the tables have in common: they have no parameters and no source. */
const CODE_TABLE = {
  group: 'Code tables',
  path: {},
  query: {},
  source: 'static',
  errors: ['invalid_parameter'],
} as const;

const tableQuestion = (services: EndpointServices, name: string, data: object) =>
  questionOf(services, `meta/${name}`, () => Promise.resolve({ data, meta: { source: 'static' }, from: [] }));

export const listGenres = defineEndpoint({
  ...CODE_TABLE,
  summary: text('List genres and big genres', 'ジャンルと大ジャンルを一覧する'),
  description: text(
    'The codes of `genre` and `biggenre` with their labels. A genre belongs to the big genre genre / 100, rounded down.',
    '`genre` と `biggenre` のコードと名前。ジャンルは、100 で割って切り捨てた大ジャンルに属します。',
  ),
  data: z.object({ genres: z.array(CODE_LABEL), biggenres: z.array(CODE_LABEL) }),
  question: (services) => tableQuestion(services, 'genres', { genres: GENRES, biggenres: BIGGENRES }),
  forms: {
    csv: () => ({
      columns: ['list', 'code', 'label_ja'],
      rows: Object.entries({ genres: GENRES, biggenres: BIGGENRES }).flatMap(([list, rows]) =>
        rows.map((row) => ({ list, ...row })),
      ),
    }),
  },
});

export const listNocgenres = defineEndpoint({
  ...CODE_TABLE,
  summary: text('List adult genres', '成人向けのジャンルを一覧する'),
  description: text('The codes of `nocgenre` with their labels.', '`nocgenre` のコードと名前。'),
  data: z.object({ nocgenres: z.array(CODE_LABEL) }),
  question: (services) => tableQuestion(services, 'nocgenres', { nocgenres: NOCGENRES }),
  forms: { csv: () => ({ columns: ['code', 'label_ja'], rows: NOCGENRES }) },
});
