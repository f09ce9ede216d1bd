import type { ExampleCall } from '@mokuroku/kit/http';
import { text } from '@mokuroku/kit';
import { EXAMPLES } from '@mokuroku/narou';

/**
 * Common tasks, in the order of the documents, with a call or more for each endpoint. `npm run examples` generates the
 * responses.
 */
// prettier-ignore
export const CATALOGUE_CALLS: readonly ExampleCall[] = [
  { name: 'findByWords', endpoint: 'searchNovels', query: { word: EXAMPLES.word, order: 'hyoka', lim: '3', of: 't-n-w-g-gp' },
    title: text('Find novels by words, the best rated first', '言葉で小説をさがす（総合評価の高い順）') },
  { name: 'findByConditions', endpoint: 'searchNovels', query: { genre: '201,202', type: 'er', minlen: '100000', lim: '3', of: 't-n-l-ga' },
    title: text('Find finished fantasy of 100,000 characters and more', '完結した 10 万文字以上のファンタジーをさがす') },
  { name: 'findUpdated', endpoint: 'searchNovels', query: { lastup: 'sevenday', order: 'new', lim: '3', of: 't-n-gl' },
    title: text('Find novels with a new episode of the last week', 'この 7 日間に最新話が出た小説をさがす') },
  { name: 'novelsOfAuthor', endpoint: 'searchNovels', query: { userid: String(EXAMPLES.userid), order: 'old', lim: '3', of: 't-n-gf' },
    title: text('List the novels of an author', '作者の小説を一覧する') },
  { name: 'manyNovels', endpoint: 'searchNovels', query: { ncode: `${EXAMPLES.ncode},N3071UL`, of: 't-n-gp-e' },
    title: text('Get many novels in one request', '多くの小説を 1 回で取得する') },
  { name: 'countMatches', endpoint: 'searchNovels', query: { word: EXAMPLES.word, facets: 'genre', lim: '1', of: 't-n' },
    title: text('Count the matches of a search, by genre', '検索の結果をジャンルごとに数える') },
  { name: 'suggestAsTyped', endpoint: 'suggest', query: { q: '図書', lim: '3' },
    title: text('Suggest titles, authors and keywords for typed words', '入力中の言葉から題名、作者、キーワードを候補に出す') },
  { name: 'oneNovel', endpoint: 'getNovel', path: { ncode: EXAMPLES.ncode },
    title: text('Get everything about a novel', '小説のすべての項目を取得する') },
  { name: 'rankingWithNovels', endpoint: 'getHydratedRanking', path: { type: 'weekly' }, query: { date: '2026-01-05', of: 't-w' },
    title: text('Show a ranking with titles and authors', 'ランキングを題名と作者つきで表示する') },
  { name: 'rankingOfDay', endpoint: 'getRanking', path: { type: 'daily' }, query: { date: '2026-01-05' },
    title: text('Get the ranking of a date', 'ある日のランキングを取得する') },
  { name: 'ranksOverTime', endpoint: 'getRankingHistory', path: { ncode: EXAMPLES.ncode },
    title: text('Follow the ranks of a novel', '小説の順位の推移をたどる') },
  { name: 'manyHistories', endpoint: 'listRankingHistories', query: { ncode: `${EXAMPLES.ncode},N1935WF` },
    title: text('Follow the ranks of several novels', 'いくつもの小説の順位の推移をたどる') },
  { name: 'rankingsOfWeek', endpoint: 'getRanking', path: { type: 'daily' }, query: { from: '2026-01-05', to: '2026-01-07' },
    title: text('Get the rankings of several days in one request', '何日分ものランキングを 1 回で取得する') },
  { name: 'changesSince', endpoint: 'listChanges', query: { lim: '5' },
    title: text('List what changed', '変わったことを一覧する') },
  { name: 'rankingsWithNovels', endpoint: 'getHydratedRanking', path: { type: 'weekly' }, query: { from: '2026-10-01', to: '2026-10-31', of: 't-w' },
    title: text('Get the rankings of several weeks with their novels', '何週分ものランキングを作品の情報とともに取得する') },
  { name: 'rankingAsCsv', endpoint: 'getHydratedRanking', path: { type: 'weekly' }, query: { date: '2026-01-05', of: 't-w', format: 'csv' }, mediaType: 'text/csv',
    title: text('Get a ranking as CSV', 'ランキングを CSV で取得する') },
  { name: 'authorAsFeed', endpoint: 'searchNovels', query: { userid: String(EXAMPLES.userid), order: 'new', lim: '1', format: 'atom' }, mediaType: 'application/atom+xml',
    title: text('Subscribe to an author in a feed reader', '作者の新着をフィードで購読する') },
  { name: 'findUsers', endpoint: 'searchUsers', query: { word: 'しおり', order: 'sumglobalpoint', lim: '3' },
    title: text('Find authors by name', '名前で作者をさがす') },
  { name: 'oneUser', endpoint: 'getUser', path: { userid: String(EXAMPLES.userid) },
    title: text('Get an author', '作者の情報を取得する') },
  { name: 'findAdultNovels', endpoint: 'searchAdultNovels', query: { nocgenre: '2', order: 'hyoka', lim: '3', of: 't-n-w-ng' },
    title: text('Find adult novels (metadata only)', '成人向け作品をさがす（メタデータのみ）') },
  { name: 'oneAdultNovel', endpoint: 'getAdultNovel', path: { ncode: EXAMPLES.adultNcode },
    title: text('Get an adult novel (metadata only)', '成人向け作品の項目を取得する（メタデータのみ）') },
  { name: 'genres', endpoint: 'listGenres',
    title: text('List the genres and their codes', 'ジャンルとそのコードを一覧する') },
  { name: 'adultGenres', endpoint: 'listNocgenres',
    title: text('List the genres of adult novels and their codes', '成人向け作品のジャンルとそのコードを一覧する') },
];
