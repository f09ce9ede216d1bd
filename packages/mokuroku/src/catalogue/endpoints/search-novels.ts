import { z } from 'zod';
import {
  IGNORED_ON_ADULT,
  ADULT_FACETS,
  ADULT_SEARCH_PARAMETERS,
  NOVEL_FACETS,
  NOVEL_SEARCH_PARAMETERS,
} from '@mokuroku/narou/queries';
import { defineEndpoint } from './endpoint.ts';
import { ADULT_NOVEL, NOVEL } from './novel-schemas.ts';
import { FEED, novelSearch } from './novel-search.ts';
import { text } from '@mokuroku/kit';

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

export const searchAdultNovels = defineEndpoint({
  ...novelSearch('novel18api'),
  summary: text('Search adult novels (metadata only)', '成人向け作品を検索する（メタデータのみ）'),
  description: text(
    'Like the search of novels, on the adult interface. Not to be shown to anyone under 18. Metadata only: responses contain no text of a novel.',
    '小説の検索と同じことを、成人向けのインターフェースで。18 歳未満の方には見せないでください。返るのはメタデータだけで、本文が含まれることはありません。',
  ),
  group: 'Adult novels',
  query: { ...ADULT_SEARCH_PARAMETERS, facets: ADULT_FACETS, feed: FEED },
  accepted: {
    names: IGNORED_ON_ADULT,
    reason: text(
      'The adult interface of the upstream lacks this filter.',
      '取得元の成人向けの窓口にはない条件です。',
    ),
  },
  data: z.array(ADULT_NOVEL),
});
