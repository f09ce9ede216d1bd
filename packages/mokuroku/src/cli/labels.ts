import type { RankingType } from '@mokuroku/narou';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

/** Labels of facts, headers of columns, and sections of the help. */
export const LABELS = {
  output: text('Output', '出力'),
  watch: text('Watch', '監視'),
  whichOnes: text('Which ones', '絞り込み'),
  date: text('Date', '日付'),
  points: text('Points', 'ポイント'),
  title: text('Title', '題名'),
  author: text('Author', '作者'),
  ncode: text('Ncode', 'Nコード'),
  genre: text('Genre', 'ジャンル'),
  state: text('State', '状態'),
  characters: text('Characters', '文字数'),
  reviews: text('Reviews', 'レビュー'),
  adultNovels: text('Adult novels', '成人向け作品'),
  evidence: text('Evidence', '判定の根拠'),
  domain: text('Domain', 'ドメイン名'),
  available: text('Available', '登録できるか'),
  source: text('Source', '取得元'),
  name: text('Name', '名前'),
  ending: text('Ending', '終了の状態'),
  expires: text('Expires', '有効期限'),
  service: text('Service', 'サービス'),
  userId: text('User id', 'ユーザーID'),
  reading: text('Reading', '読み'),
  novels: text('Novels', '作品数'),
};

export const PERIODS: Readonly<Record<RankingType, Text>> = {
  daily: text('daily', '日間'),
  weekly: text('weekly', '週間'),
  monthly: text('monthly', '月間'),
  quarterly: text('quarterly', '四半期'),
};
