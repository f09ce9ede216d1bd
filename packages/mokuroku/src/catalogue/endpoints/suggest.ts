import { SUGGESTIONS, SUGGEST_PARAMETERS, canonicalQuery } from '@mokuroku/narou/queries';
import { defineEndpoint } from './endpoint.ts';
import { requireLocal } from './novel-search.ts';
import { questionOf } from './catalogue-answer.ts';
import { text } from '@mokuroku/kit';

export const suggest = defineEndpoint({
  summary: text('Suggest titles, pen names and keywords', '題名、作者名、キーワードの候補を出す'),
  description: text(
    'Titles, pen names and keywords that contain the typed words in any case and width, by weekly points: for search fields, at each keystroke. Needs a local catalogue or the sample: 501 on the live upstream.',
    '入力された語を含む題名、作者名、キーワードを、週間ポイントの高い順に返します。大文字と小文字、全角と半角は区別しません。検索欄で 1 文字入力するごとに使えます。ローカルカタログまたはサンプルが必要です。実際の取得元では 501 を返します。',
  ),
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
