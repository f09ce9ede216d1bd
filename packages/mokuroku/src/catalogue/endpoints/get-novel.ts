import { ncode } from '@mokuroku/narou/queries';
import { EXAMPLES } from '@mokuroku/narou';
import type { NovelInterface } from '@mokuroku/narou';
import { MINUTE, fresh } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { questionOf, bytesANovel } from './catalogue-answer.ts';
import { ADULT_NOVEL, NOVEL } from './schemas.ts';
import { SITES } from './search-novels.ts';
import { ERRORS, ServiceError, text } from '@mokuroku/kit';

export const NCODE_IN_PATH = ncode({
  en: 'Code of the novel, in any case.',
  ja: '小説の Nコード。大文字・小文字は問いません。',
  example: EXAMPLES.ncode,
});

const keyOf = (site: NovelInterface, ncode: string) => `${SITES[site].list}/${ncode}`;

/** The title of a novel that a fresh response in memory has: asks nobody, as pages have no rate limit. */
export function rememberedTitle({ cache, clock }: Pick<EndpointServices, 'cache' | 'clock'>, ncode: string) {
  const entry = cache.findFresh(keyOf('novelapi', ncode), clock.now());
  if (entry?.status !== 200) return undefined;
  return (JSON.parse(entry.data.toString()) as { title?: string | null }).title ?? undefined;
}

/** The endpoint of a novel of an interface, with all its fields. */
const oneNovel = (site: NovelInterface) => ({
  cache: fresh(5 * MINUTE),
  source: site,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS] as const,
  question: (services: EndpointServices, { path: { ncode } }: { path: { ncode: string } }) =>
    questionOf(
      services,
      { key: keyOf(site, ncode), memoryBytes: bytesANovel(undefined).record },
      async (requester) => {
        const answer = await services.source.novels[site].find([ncode], undefined, requester);
        const [novel] = answer.value;
        if (novel?.state === 'unknown') throw novel.reason;
        if (novel?.state !== 'found')
          throw new ServiceError(ERRORS.not_found, {
            message: `There is no ${SITES[site].record} ${ncode}.`,
          });
        return { data: novel.record, meta: { source: site }, from: [answer] };
      },
    ),
});

export const getNovel = defineEndpoint({
  ...oneNovel('novelapi'),
  name: 'getNovel',
  path: '/v1/novels/:ncode',
  summary: text('Get one novel', '小説を 1 つ取得する'),
  description: text('All fields of a novel.', '小説のすべての項目。'),
  client: { method: 'novel' },
  command: ['novel', 'ncode'],
  // prettier-ignore
  examples: [
    { name: 'oneNovel', path: { ncode: EXAMPLES.ncode },
      title: text('Get everything about a novel', '小説のすべての項目を取得する') },
  ],
  group: 'Novels',
  pathTable: { ncode: NCODE_IN_PATH },
  data: NOVEL,
});

export const getAdultNovel = defineEndpoint({
  ...oneNovel('novel18api'),
  name: 'getAdultNovel',
  path: '/v1/r18/novels/:ncode',
  summary: text('Get one adult novel (metadata only)', '成人向け作品を 1 つ取得する（メタデータのみ）'),
  description: text(
    'All metadata of an adult novel. Not to be shown to anyone under 18.',
    '成人向け作品のすべてのメタデータ。18 歳未満の方には見せないでください。',
  ),
  isAdult: true,
  client: { method: 'adultNovel' },
  command: ['novel', 'ncode', '--adult'],
  tool: { isOnRequest: true },
  // prettier-ignore
  examples: [
    { name: 'oneAdultNovel', path: { ncode: EXAMPLES.adultNcode },
      title: text('Get an adult novel (metadata only)', '成人向け作品の項目を取得する（メタデータのみ）') },
  ],
  group: 'Adult novels',
  pathTable: {
    ncode: ncode({
      en: 'Code of the adult novel, in any case.',
      ja: '成人向け作品の Nコード。大文字・小文字は問いません。',
      example: EXAMPLES.adultNcode,
    }),
  },
  data: ADULT_NOVEL,
});
