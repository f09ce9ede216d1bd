import type { ExampleCall } from '../http/example-calls.ts';
import { text } from '../process/text.ts';
import { EXAMPLES } from './novels/examples.ts';

/**
 * Common tasks, in the order of the documents, with a call or more for each endpoint. `npm run examples` generates the
 * responses.
 */
export const CATALOGUE_CALLS: readonly ExampleCall[] = [
  {
    name: 'findByWords',
    endpoint: 'searchNovels',
    title: text('Find novels by words, the best rated first', '言葉で小説をさがす（総合評価の高い順）'),
    query: { word: EXAMPLES.word, order: 'hyoka', lim: '3', of: 't-n-w-g-gp' },
  },
  {
    name: 'findByConditions',
    endpoint: 'searchNovels',
    title: text(
      'Find finished fantasy of 100,000 characters and more',
      '完結した 10 万文字以上のファンタジーをさがす',
    ),
    query: { genre: '201,202', type: 'er', minlen: '100000', lim: '3', of: 't-n-l-ga' },
  },
  {
    name: 'findUpdated',
    endpoint: 'searchNovels',
    title: text('Find novels with a new episode of the last week', 'この 7 日間に最新話が出た小説をさがす'),
    query: { lastup: 'sevenday', order: 'new', lim: '3', of: 't-n-gl' },
  },
  {
    name: 'novelsOfAuthor',
    endpoint: 'searchNovels',
    title: text('List the novels of an author', '作者の小説を一覧する'),
    query: { userid: String(EXAMPLES.userid), order: 'old', lim: '3', of: 't-n-gf' },
  },
  {
    name: 'manyNovels',
    endpoint: 'searchNovels',
    title: text('Get many novels in one request', '多くの小説を 1 回で取得する'),
    query: { ncode: `${EXAMPLES.ncode},N3071UL`, of: 't-n-gp-e' },
  },
  {
    name: 'countMatches',
    endpoint: 'searchNovels',
    title: text('Count the matches of a search, by genre', '検索の結果をジャンルごとに数える'),
    query: { word: EXAMPLES.word, facets: 'genre', lim: '1', of: 't-n' },
  },
  {
    name: 'suggestAsTyped',
    endpoint: 'suggest',
    title: text(
      'Suggest titles, authors and keywords for typed words',
      '入力中の言葉から題名、作者、キーワードを候補に出す',
    ),
    query: { q: '図書', lim: '3' },
  },
  {
    name: 'oneNovel',
    endpoint: 'getNovel',
    title: text('Get everything about a novel', '小説のすべての項目を取得する'),
    path: { ncode: EXAMPLES.ncode },
  },
  {
    name: 'rankingWithNovels',
    endpoint: 'getHydratedRanking',
    title: text('Show a ranking with titles and authors', 'ランキングを題名と作者つきで表示する'),
    path: { type: 'weekly' },
    query: { date: '2026-01-05', of: 't-w' },
  },
  {
    name: 'rankingOfDay',
    endpoint: 'getRanking',
    title: text('Get the ranking of a date', 'ある日のランキングを取得する'),
    path: { type: 'daily' },
    query: { date: '2026-01-05' },
  },
  {
    name: 'ranksOverTime',
    endpoint: 'getRankingHistory',
    title: text('Follow the ranks of a novel', '小説の順位の推移をたどる'),
    path: { ncode: EXAMPLES.ncode },
  },
  {
    name: 'manyHistories',
    endpoint: 'listRankingHistories',
    title: text('Follow the ranks of several novels', 'いくつもの小説の順位の推移をたどる'),
    query: { ncode: `${EXAMPLES.ncode},N1935WF` },
  },
  {
    name: 'rankingsOfWeek',
    endpoint: 'getRanking',
    title: text('Get the rankings of several days in one request', '何日分ものランキングを 1 回で取得する'),
    path: { type: 'daily' },
    query: { from: '2026-01-05', to: '2026-01-07' },
  },
  {
    name: 'changesSince',
    endpoint: 'listChanges',
    title: text('List what changed', '変わったことを一覧する'),
    query: { lim: '5' },
  },
  {
    name: 'rankingsWithNovels',
    endpoint: 'getHydratedRanking',
    title: text(
      'Get the rankings of several weeks with their novels',
      '何週分ものランキングを作品の情報とともに取得する',
    ),
    path: { type: 'weekly' },
    query: { from: '2026-10-01', to: '2026-10-31', of: 't-w' },
  },
  {
    name: 'rankingAsCsv',
    endpoint: 'getHydratedRanking',
    title: text('Get a ranking as CSV', 'ランキングを CSV で取得する'),
    path: { type: 'weekly' },
    query: { date: '2026-01-05', of: 't-w', format: 'csv' },
    mediaType: 'text/csv',
  },
  {
    name: 'authorAsFeed',
    endpoint: 'searchNovels',
    title: text('Subscribe to an author in a feed reader', '作者の新着をフィードで購読する'),
    query: { userid: String(EXAMPLES.userid), order: 'new', lim: '1', format: 'atom' },
    mediaType: 'application/atom+xml',
  },
  {
    name: 'findUsers',
    endpoint: 'searchUsers',
    title: text('Find authors by name', '名前で作者をさがす'),
    query: { word: 'しおり', order: 'sumglobalpoint', lim: '3' },
  },
  {
    name: 'oneUser',
    endpoint: 'getUser',
    title: text('Get an author', '作者の情報を取得する'),
    path: { userid: String(EXAMPLES.userid) },
  },
  {
    name: 'findAdultNovels',
    endpoint: 'searchAdultNovels',
    title: text('Find adult novels (metadata only)', '成人向け作品をさがす（メタデータのみ）'),
    query: { nocgenre: '2', order: 'hyoka', lim: '3', of: 't-n-w-ng' },
  },
  {
    name: 'oneAdultNovel',
    endpoint: 'getAdultNovel',
    title: text('Get an adult novel (metadata only)', '成人向け作品の項目を取得する（メタデータのみ）'),
    path: { ncode: EXAMPLES.adultNcode },
  },
  {
    name: 'genres',
    endpoint: 'listGenres',
    title: text('List the genres and their codes', 'ジャンルとそのコードを一覧する'),
  },
  {
    name: 'adultGenres',
    endpoint: 'listNocgenres',
    title: text(
      'List the genres of adult novels and their codes',
      '成人向け作品のジャンルとそのコードを一覧する',
    ),
  },
];
