import { z } from 'zod';
import { NOVEL_FACETS, NOVEL_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { defineEndpoint } from './endpoint.ts';
import { NOVEL } from './novel-schemas.ts';
import { FEED, novelSearch } from './novel-search.ts';
import { text } from '../../process/text.ts';

export const searchNovels = defineEndpoint({
  ...novelSearch('novelapi'),
  summary: text('Search novels', '小説を検索する'),
  description: text(
    'Novels that match all conditions. Several values of one parameter are alternatives. The upstream returns the first 2,499 matches only: narrow the search to see others.',
    '指定した条件をすべて満たす小説。1 つのパラメーターに複数の値を書くと「どれか」になります。取得元は先頭の 2,499 件までしか返さないので、その先を見るには条件を絞ってください。',
  ),
  group: 'Novels',
  query: { ...NOVEL_SEARCH_PARAMETERS, facets: NOVEL_FACETS, feed: FEED },
  data: z.array(NOVEL),
});
