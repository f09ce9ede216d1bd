import type { ServedBy } from './of-fields.ts';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

// The orders of the searches, one row each. Names and meanings are those of the developer manuals of novelapi, novel18api
// and userapi, as of August 2025. The first row is the interface's default. From a row follow the sort, the index with its
// columns, the parameter, the documents and the page in both languages. Which orders the upstream has is stated by hand in
// test/upstream/manual.ts.

interface OrderRow {
  readonly text: Text;
}

/** Sorts by a field of a record, its highest or its lowest value first. Ties are sorted by Ncode. */
interface NovelOrderRow extends OrderRow {
  readonly servedBy: ServedBy;
  readonly field: string;
  readonly first: 'high' | 'low';
  /** On the page. */
  readonly label: Text;
}

const sorted =
  (first: NovelOrderRow['first']) =>
  <const By extends ServedBy, const Field extends string>(
    servedBy: By,
    field: Field,
    en: string,
    label: string,
    ja: string,
  ) => ({ servedBy, field, first, label: text(label, ja), text: text(en, ja) });
const high = sorted('high');
const low = sorted('low');

// prettier-ignore
export const NOVELAPI_ORDERS = {
  new: high('any', 'general_lastup', 'latest episode first (general_lastup)', 'Latest episode', '新着更新順'),
  favnovelcnt: high('any', 'fav_novel_cnt', 'most bookmarks first', 'Bookmarks', 'ブックマークの多い順'),
  reviewcnt: high('any', 'review_cnt', 'most reviews first', 'Reviews', 'レビューの多い順'),
  hyoka: high('any', 'global_point', 'most overall points first', 'Overall points', '総合ポイントの高い順'),
  hyokaasc: low('novelapi', 'global_point', 'fewest overall points first', 'Fewest overall points', '総合ポイントの低い順'),
  dailypoint: high('any', 'daily_point', 'most points of the day first', 'Points of the day', '日間ポイントの高い順'),
  weeklypoint: high('any', 'weekly_point', 'most points of the week first', 'Points of the week', '週間ポイントの高い順'),
  monthlypoint: high('any', 'monthly_point', 'most points of the month first', 'Points of the month', '月間ポイントの高い順'),
  quarterpoint: high('any', 'quarter_point', 'most points of the quarter first', 'Points of the quarter', '四半期ポイントの高い順'),
  yearlypoint: high('any', 'yearly_point', 'most points of the year first', 'Points of the year', '年間ポイントの高い順'),
  impressioncnt: high('novelapi', 'impression_cnt', 'most impressions first', 'Impressions', '感想の多い順'),
  hyokacnt: high('any', 'all_hyoka_cnt', 'most raters first', 'Raters', '評価者の多い順'),
  hyokacntasc: low('novelapi', 'all_hyoka_cnt', 'fewest raters first', 'Fewest raters', '評価者の少ない順'),
  weekly: high('any', 'weekly_unique', 'most unique readers of last week (Sunday to Saturday) first; renewed early on Tuesday', 'Readers of the week', '週間読者の多い順'),
  lengthdesc: high('any', 'length', 'most characters first', 'Longest', '文字数の多い順'),
  lengthasc: low('any', 'length', 'fewest characters first', 'Shortest', '文字数の少ない順'),
  generalfirstup: high('novelapi', 'general_firstup', 'latest first publication first', 'Newly published', '新着投稿順'),
  ncodeasc: low('novelapi', 'ncode', 'lowest Ncode first', 'Lowest Ncode', 'Nコードの若い順'),
  ncodedesc: high('novelapi', 'ncode', 'highest Ncode first', 'Highest Ncode', 'Nコードの新しい順'),
  old: low('any', 'general_lastup', 'the novel whose latest episode is oldest first', 'Longest without an episode', '更新が古い順'),
} as const satisfies Readonly<Record<string, NovelOrderRow>>;

export type NovelapiOrder = keyof typeof NOVELAPI_ORDERS;

/** A field by which some order sorts. */
export type SortField = (typeof NOVELAPI_ORDERS)[NovelapiOrder]['field'];

type OrderRows = Readonly<Record<string, OrderRow>>;

/** The description of the parameter `order`, with the meaning of each value. */
export function describeOrders(rows: OrderRows): Text {
  const meanings = (language: keyof Text) =>
    Object.entries(rows).map(([order, { text }]) => `${order}: ${text[language]}`);
  return text(`Order of the results. ${meanings('en').join('; ')}`, `並び順。${meanings('ja').join('、')}`);
}

export const orderLabels = (language: keyof Text): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(NOVELAPI_ORDERS).map(([order, { label }]) => [order, label[language]]));

type RowsOfOrders = typeof NOVELAPI_ORDERS;
/** Orders of the adult searches: all but those that novelapi alone has. */
type AdultOrder = {
  [Order in NovelapiOrder]: RowsOfOrders[Order]['servedBy'] extends 'novelapi' ? never : Order;
}[NovelapiOrder];

const WEEKLY_OF_ADULTS = text(
  'most unique readers of last week first; renewed on Wednesday',
  NOVELAPI_ORDERS.weekly.text.ja,
);

export const NOVEL18API_ORDERS = Object.fromEntries(
  Object.entries<NovelOrderRow>(NOVELAPI_ORDERS)
    .filter(([, { servedBy }]) => servedBy !== 'novelapi')
    .map(([order, row]) => [order, order === 'weekly' ? { ...row, text: WEEKLY_OF_ADULTS } : row]),
) as unknown as Readonly<Record<AdultOrder, OrderRow>>;

export const USERAPI_ORDERS = {
  new: { text: text('highest user id first', 'ID の大きい順') },
  novelcnt: { text: text('most novels first', '作品の多い順') },
  reviewcnt: { text: text('most reviews first', 'レビューの多い順') },
  novellength: { text: text('most characters in all novels first', '全作品の文字数の多い順') },
  sumglobalpoint: { text: text('most overall points of all novels first', '全作品の総合ポイントの高い順') },
  old: { text: text('lowest user id first', 'ID の小さい順') },
} as const satisfies OrderRows;
export type UserapiOrder = keyof typeof USERAPI_ORDERS;
