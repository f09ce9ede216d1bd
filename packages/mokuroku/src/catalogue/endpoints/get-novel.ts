import { ncode } from '@mokuroku/narou/queries';
import { EXAMPLES } from '@mokuroku/narou';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { ADULT_NOVEL, NOVEL } from './novel-schemas.ts';
import { novelQuestion } from './novel-search.ts';
import { text } from '@mokuroku/kit';

export const NCODE_IN_PATH = ncode({
  en: 'Code of the novel, in any case.',
  ja: '小説の Nコード。大文字・小文字は問いません。',
  example: EXAMPLES.ncode,
});

export const getNovel = defineEndpoint({
  summary: text('Get one novel', '小説を 1 つ取得する'),
  description: text('All fields of a novel.', '小説のすべての項目。'),
  group: 'Novels',
  path: { ncode: NCODE_IN_PATH },
  query: {},
  source: 'novelapi',
  data: NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path }) => novelQuestion(services, 'novelapi', path.ncode),
});

export const getAdultNovel = defineEndpoint({
  summary: text('Get one adult novel (metadata only)', '成人向け作品を 1 つ取得する（メタデータのみ）'),
  description: text(
    'All metadata of an adult novel. Not to be shown to anyone under 18.',
    '成人向け作品のすべてのメタデータ。18 歳未満の方には見せないでください。',
  ),
  group: 'Adult novels',
  path: {
    ncode: ncode({
      en: 'Code of the adult novel, in any case.',
      ja: '成人向け作品の Nコード。大文字・小文字は問いません。',
      example: EXAMPLES.adultNcode,
    }),
  },
  query: {},
  source: 'novel18api',
  data: ADULT_NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path }) => novelQuestion(services, 'novel18api', path.ncode),
});
