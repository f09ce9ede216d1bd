import { z } from 'zod';
import { integerSchema, textSchema } from '../../http/documented-schemas.ts';
import { SUGGEST_PARAMETERS } from '../novels/search-parameters.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import { defineEndpoint } from './endpoint.ts';
import { requireLocal } from './novel-search.ts';
import { questionOf } from './catalogue-answer.ts';

/** The data of a suggestion. */
const SUGGESTIONS = z
  .object({
    titles: z.array(
      z.object({
        title: textSchema('Title of a novel.', '図書館の魔女見習い'),
        ncode: textSchema('Ncode of the novel of this title with the most weekly points.', 'N8403VF'),
      }),
    ),
    writers: z.array(
      z.object({
        writer: textSchema('Pen name.', '図書室の猫'),
        userid: integerSchema(
          'User id of the author of this name with the most weekly points; omitted if unknown.',
          100_003,
        ).optional(),
      }),
    ),
    keywords: z.array(
      z.object({
        keyword: textSchema('Keyword.', '図書館'),
        novels: integerSchema('Number of novels with it. Unit: novels.', 42),
      }),
    ),
  })
  .meta({ title: 'Suggestions', description: 'Suggestions for the typed words, by weekly points.' });
export type Suggestions = z.infer<typeof SUGGESTIONS>;

export const suggest = defineEndpoint({
  summary: 'Suggest titles, pen names and keywords',
  description:
    'Titles, pen names and keywords that contain the typed words in any case and width, by weekly points: for search fields, at each keystroke. Needs a local catalogue or the sample: 501 on the live upstream.',
  group: 'Novels',
  path: {},
  query: SUGGEST_PARAMETERS,
  source: 'novelapi',
  isServedBy: ({ local }) => local !== undefined,
  data: SUGGESTIONS,
  errors: ['invalid_parameter', 'not_available_here', 'catalogue_outdated'],
  question: (services, { query: { q = '', lim = 10 } }) =>
    questionOf(services, `suggest?${canonicalQuery({ q, lim })}`, async () => {
      const suggestions = await requireLocal(services.source, 'suggestions').suggest(q, lim);
      return { data: suggestions.value, meta: { source: 'novelapi' }, from: [suggestions] };
    }),
});
