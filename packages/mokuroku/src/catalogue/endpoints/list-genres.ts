import { z } from 'zod';
import { integerSchema, textSchema } from '@mokuroku/kit/http';
import { BIGGENRES, GENRES, NOCGENRES } from '@mokuroku/narou';
import { DAY, fresh } from './cache-policies.ts';
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

/** An endpoint of code tables by name: it has no parameters and no source. */
const codeTables = (name: string, tables: Readonly<Record<string, readonly object[]>>) => {
  const lists = Object.entries(tables);
  const columns = [...(lists.length > 1 ? ['list'] : []), 'code', 'label_ja'];
  const rows = lists.flatMap(([list, entries]) => entries.map((entry) => ({ list, ...entry })));
  return {
    group: 'Code tables',
    cache: fresh(1 * DAY),
    tool: { isResource: true },
    source: 'static',
    errors: ['invalid_parameter'],
    data: z.object(Object.fromEntries(lists.map(([list]) => [list, z.array(CODE_LABEL)]))),
    question: (services: EndpointServices) =>
      questionOf(services, { key: `meta/${name}`, memoryBytes: 0 }, () =>
        Promise.resolve({ data: tables, meta: { source: 'static' }, from: [] }),
      ),
    forms: { table: () => ({ columns, rows }) },
  } as const;
};

export const listGenres = defineEndpoint({
  ...codeTables('genres', { genres: GENRES, biggenres: BIGGENRES }),
  name: 'listGenres',
  path: '/v1/meta/genres',
  summary: text('List genres and big genres', 'ジャンルと大ジャンルを一覧する'),
  description: text(
    'The codes of `genre` and `biggenre` with their labels. A genre belongs to the big genre genre / 100, rounded down.',
    '`genre` と `biggenre` のコードと名前。ジャンルは、100 で割って切り捨てた大ジャンルに属します。',
  ),
  client: { method: 'genres' },
  // prettier-ignore
  examples: [
    { name: 'genres',
      title: text('List the genres and their codes', 'ジャンルとそのコードを一覧する') },
  ],
});

export const listNocgenres = defineEndpoint({
  ...codeTables('nocgenres', { nocgenres: NOCGENRES }),
  name: 'listNocgenres',
  path: '/v1/meta/nocgenres',
  summary: text('List adult genres', '成人向けのジャンルを一覧する'),
  description: text('The codes of `nocgenre` with their labels.', '`nocgenre` のコードと名前。'),
  isAdult: true,
  client: { method: 'nocgenres' },
  // prettier-ignore
  examples: [
    { name: 'adultGenres',
      title: text('List the genres of adult novels and their codes', '成人向け作品のジャンルとそのコードを一覧する') },
  ],
});
