import { EXAMPLES, NOVEL_ERRORS } from '@mokuroku/narou';
import { z } from 'zod';
import { ServiceError, text } from '@mokuroku/kit';
import type { LocalQueries, CatalogueSource } from '@mokuroku/narou/source';
import type { FacetName, AdultValues, NovelValues } from '@mokuroku/narou/queries';
import { oneOf } from '@mokuroku/kit/http';
import type { NovelInterface } from '@mokuroku/narou';
import {
  ADULT_FACETS,
  ADULT_SEARCH_PARAMETERS,
  IGNORED_ON_ADULT,
  NOVEL_FACETS,
  NOVEL_SEARCH_PARAMETERS,
  SUGGESTIONS,
  SUGGEST_PARAMETERS,
  TEXT_TARGETS,
  canonicalQuery,
  faultsOfSearch,
  hasTextWords,
  toNovelQuery,
} from '@mokuroku/narou/queries';
import { MINUTE, fresh } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { questionOf, bytesANovel, nextRows, searchAnswer } from './catalogue-answer.ts';
import { ADULT_NOVEL, NOVEL, novelTable, UNKNOWN_NCODES, ALL_COUNT } from './schemas.ts';
import type { AnswerToWrite, Content } from './forms.ts';
import { novelLines } from './stream-lines.ts';
import { feedCodes, searchFeed } from '../forms/novel-feed.ts';
import type { FeedReading } from '../forms/atom.ts';

/** The path of each interface's responses, without `/v1/`, and the noun for its records. */
export const SITES: Readonly<Record<NovelInterface, { list: string; record: string }>> = {
  novelapi: { list: 'novels', record: 'novel' },
  novel18api: { list: 'r18/novels', record: 'adult novel' },
};

/** The functions of a local catalogue. Throws not_available_here if the source has none. */
function requireLocal({ local }: CatalogueSource, what: 'facets' | 'suggestions'): LocalQueries {
  if (local !== undefined) return local;
  throw new ServiceError(NOVEL_ERRORS.not_available_here, {
    message: `The live upstream has no ${what}: they need a local catalogue (CATALOGUE_SOURCE=local) or the sample.`,
  });
}

interface SearchValues {
  query: (NovelValues | AdultValues) & { facets?: FacetName[] };
}

/** Kind of the entries of a search's feed. */
const FEED = oneOf(['novels', 'episodes'], {
  en: 'With format=atom: `episodes` lists the latest episode of each novel as an entry with its own id.',
  ja: 'format=atom で episodes なら、各小説の最新話が、それぞれの ID を持つ 1 件になります。',
  byDefault: 'novels',
  example: 'episodes',
});

/** `meta.facets`, on request. */
const FACET_COUNTS = {
  facets: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .meta({
      en: 'Number of all matches by value of each field that `facets` names. Values without a match are omitted.',
      ja: '`facets` で挙げた項目の値ごとの件数。0 件の値はありません。',
      example: { type: { t: 120, r: 45, er: 37 } },
    }),
};

/** The search and its facets, as far as the source has them; names of parameters (`title` without words) and values (`of=u-g`) without effect. */
function readSearch(
  { source }: EndpointServices,
  site: NovelInterface,
  { facets: wanted = [], ...values }: SearchValues['query'],
  content: Content,
) {
  const { applies } = source.novels[site];
  // A feed has fields of its own.
  const of = content === 'feed' ? feedCodes(site) : values.of;
  const search = toNovelQuery(site, { ...values, ...(of && { of }) });
  // Only JSON has counts, of fields by which the source can filter.
  const named = content === 'json' ? wanted : [];
  const facets = named.filter((name) => applies.has(name === 'isstop' ? 'stop' : name));
  const uncounted = named.filter((name) => !facets.includes(name)).join();
  const unserved = (of ?? []).filter((code) => !search.of?.includes(code)).join('-');
  const idleTargets = hasTextWords(values) ? [] : TEXT_TARGETS.filter((target) => values[target] === 1);
  const idleValues = [uncounted && `facets=${uncounted}`, unserved && `of=${unserved}`].filter(Boolean);
  return { search, facets, ignored: [...idleTargets, ...idleValues] };
}

const searchQuestion =
  (site: NovelInterface) =>
  (services: EndpointServices, { query }: SearchValues, content: Content) => {
    const { source } = services;
    const { search, facets, ignored } = readSearch(services, site, query, content);
    const counted = facets.length === 0 ? '' : `&facets=${facets.join(',')}`;
    const key = `${SITES[site].list}?${canonicalQuery(search)}${counted}`;
    const memoryBytes = search.lim * bytesANovel(search.of).record;
    const question = questionOf(services, { key, memoryBytes }, async (requester) => {
      const counts = facets.length > 0 && {
        facets: await requireLocal(source, 'facets').countNovels(site, search, facets),
      };
      const page = await source.novels[site].search(search, requester);
      return searchAnswer(page, search, source.maxStart, { source: site, ...counts });
    });
    return { ...question, next: nextRows(search, source.maxStart), ignored };
  };

/** The forms of both searches. */
const searchForms = (site: NovelInterface) => ({
  linesDescription: text(
    'A novel per line. The last line is `{"meta": {source, count, asOf, complete}}`. If an error ended the stream, `complete` is false and `error` follows; after an hour it is `upstream_timeout`. Without this line the connection broke, and novels are missing.',
    '小説 1 件につき 1 行。最後の行は `{"meta": {source, count, asOf, complete}}` です。エラーで終わると `complete` は false になり、`error` が続きます（1 時間を過ぎると `upstream_timeout`）。この行がなければ接続が切れており、小説が欠けています。',
  ),
  hasLines: (source: CatalogueSource) => source.novels[site].stream !== undefined,
  lines: ({ query }: SearchValues, services: EndpointServices) => {
    const { search, ignored } = readSearch(services, site, query, 'lines');
    return { ...novelLines(services, site, { ...search, lim: query.lim ?? Infinity }), ignored };
  },
  table: ({ data }: AnswerToWrite, { query: { of, opt } }: SearchValues) =>
    novelTable(data, site, of, { after: opt === 'weekly' ? ['weekly_unique'] : [] }),
  feed: (answer: AnswerToWrite, { query }: SearchValues, reading: FeedReading) =>
    searchFeed(answer, toNovelQuery(site, query), { ...reading, isAdult: site === 'novel18api' }),
});

/** What both searches have in common. */
const novelSearch = (site: NovelInterface) => ({
  cache: fresh(5 * MINUTE),
  source: site,
  meta: { ...ALL_COUNT, ...FACET_COUNTS, ...UNKNOWN_NCODES },
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS] as const,
  check: faultsOfSearch,
  question: searchQuestion(site),
  forms: searchForms(site),
});

export const searchNovels = defineEndpoint({
  ...novelSearch('novelapi'),
  name: 'searchNovels',
  path: '/v1/novels',
  summary: text('Search novels', '小説を検索する'),
  description: text(
    'Novels that match all conditions. Several values of one parameter are alternatives. The upstream returns the first 2,499 matches only: narrow the search to see others.',
    '指定した条件をすべて満たす小説。1 つのパラメーターに複数の値を書くと「どれか」になります。取得元は先頭の 2,499 件までしか返さないので、その先を見るには条件を絞ってください。',
  ),
  client: { method: 'novels', ndjson: 'novelStream' },
  command: ['novels', 'word'],
  tool: { defaults: { of: 't-n-u-w-g-k-nt-e-ga-l-gp-gl' } },
  // prettier-ignore
  examples: [
    { name: 'findByWords', query: { word: EXAMPLES.word, order: 'hyoka', lim: '3', of: 't-n-w-g-gp' },
      title: text('Find novels by words, the best rated first', '言葉で小説をさがす（総合評価の高い順）') },
    { name: 'findByConditions', query: { genre: '201,202', type: 'er', minlen: '100000', lim: '3', of: 't-n-l-ga' },
      title: text('Find finished fantasy of 100,000 characters and more', '完結した 10 万文字以上のファンタジーをさがす') },
    { name: 'findUpdated', query: { lastup: 'sevenday', order: 'new', lim: '3', of: 't-n-gl' },
      title: text('Find novels with a new episode of the last week', 'この 7 日間に最新話が出た小説をさがす') },
    { name: 'novelsOfAuthor', query: { userid: String(EXAMPLES.userid), order: 'old', lim: '3', of: 't-n-gf' },
      title: text('List the novels of an author', '作者の小説を一覧する') },
    { name: 'manyNovels', query: { ncode: `${EXAMPLES.ncode},N3071UL`, of: 't-n-gp-e' },
      title: text('Get many novels in one request', '多くの小説を 1 回で取得する') },
    { name: 'countMatches', query: { word: EXAMPLES.word, facets: 'genre', lim: '1', of: 't-n' },
      title: text('Count the matches of a search, by genre', '検索の結果をジャンルごとに数える') },
    { name: 'authorAsFeed', query: { userid: String(EXAMPLES.userid), order: 'new', lim: '1', format: 'atom' },
      title: text('Subscribe to an author in a feed reader', '作者の新着をフィードで購読する') },
  ],
  group: 'Novels',
  queryTable: { ...NOVEL_SEARCH_PARAMETERS, facets: NOVEL_FACETS, feed: FEED },
  data: z.array(NOVEL),
});

export const searchAdultNovels = defineEndpoint({
  ...novelSearch('novel18api'),
  name: 'searchAdultNovels',
  path: '/v1/r18/novels',
  summary: text('Search adult novels (metadata only)', '成人向け作品を検索する（メタデータのみ）'),
  description: text(
    'Like the search of novels, on the adult interface. Not to be shown to anyone under 18. Metadata only: responses contain no text of a novel.',
    '小説の検索と同じことを、成人向けのインターフェースで。18 歳未満の方には見せないでください。返るのはメタデータだけで、本文が含まれることはありません。',
  ),
  isAdult: true,
  client: { method: 'adultNovels', ndjson: 'adultNovelStream' },
  command: ['novels', 'word', '--adult'],
  tool: { defaults: { of: 't-n-w-k-nt-e-ga-l-gp-gl' }, describedBy: 'searchNovels', isOnRequest: true },
  // prettier-ignore
  examples: [
    { name: 'findAdultNovels', query: { nocgenre: '2', order: 'hyoka', lim: '3', of: 't-n-w-ng' },
      title: text('Find adult novels (metadata only)', '成人向け作品をさがす（メタデータのみ）') },
  ],
  group: 'Adult novels',
  queryTable: { ...ADULT_SEARCH_PARAMETERS, facets: ADULT_FACETS, feed: FEED },
  accepted: {
    names: IGNORED_ON_ADULT,
    reason: text(
      'The adult interface of the upstream lacks this filter.',
      '取得元の成人向けの窓口にはない条件です。',
    ),
  },
  data: z.array(ADULT_NOVEL),
});

export const suggest = defineEndpoint({
  name: 'suggest',
  path: '/v1/suggest',
  summary: text('Suggest titles, pen names and keywords', '題名、作者名、キーワードの候補を出す'),
  description: text(
    'Titles, pen names and keywords that contain the typed words in any case and width, by weekly points: for search fields, at each keystroke. Needs a local catalogue or the sample: 501 on the live upstream.',
    '入力された語を含む題名、作者名、キーワードを、週間ポイントの高い順に返します。大文字と小文字、全角と半角は区別しません。検索欄で 1 文字入力するごとに使えます。ローカルカタログまたはサンプルが必要です。実際の取得元では 501 を返します。',
  ),
  cache: fresh(5 * MINUTE),
  client: { method: 'suggest' },
  // prettier-ignore
  examples: [
    { name: 'suggestAsTyped', query: { q: '図書', lim: '3' },
      title: text('Suggest titles, authors and keywords for typed words', '入力中の言葉から題名、作者、キーワードを候補に出す') },
  ],
  group: 'Novels',
  queryTable: SUGGEST_PARAMETERS,
  source: 'novelapi',
  isServedBy: ({ local }) => local !== undefined,
  data: SUGGESTIONS,
  errors: ['invalid_parameter', 'not_available_here', 'catalogue_outdated', 'catalogue_unreadable'],
  question: (services, { query: { q = '', lim = 10 } }) =>
    questionOf(services, { key: `suggest?${canonicalQuery({ q, lim })}`, memoryBytes: 0 }, async () => {
      const suggestions = await requireLocal(services.source, 'suggestions').suggest(q, lim);
      return { data: suggestions.value, meta: { source: 'novelapi' }, from: [suggestions] };
    }),
});
