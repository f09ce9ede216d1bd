import { describeField } from '../src/catalogue/endpoints/novel-schemas.ts';
import { OF_FIELDS } from '../src/catalogue/novels/of-fields.ts';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '../src/catalogue/novels/orders.ts';
import type { Parameter, Text } from '../src/catalogue/novels/parameter.ts';
import {
  ADULT_SEARCH_PARAMETERS,
  NOVEL_FACETS,
  NOVEL_SEARCH_PARAMETERS,
} from '../src/catalogue/novels/search-parameters.ts';
import { ERROR_TABLE } from '../src/errors.ts';
import type { ErrorCode } from '../src/errors.ts';
import { toJapanese } from '../src/words/published-ja.ts';

// The lists of docs/api.md and docs/api.ja.md, from the tables of the service. `npm run api-lists` writes them between
// their markers.

type Language = keyof Text;

/** What a client should know of each error of the catalogue. */
const ERRORS: Readonly<Record<Exclude<ErrorCode, RegistrationCode>, Text>> = {
  invalid_parameter: {
    en: '`details` lists every fault: the parameter, its value, what is allowed.',
    ja: '`details` に、すべての誤りを示します。パラメーター、その値、使用できる値です。',
  },
  not_found: {
    en: 'no such path, novel or user; cached for a minute.',
    ja: 'そのパス、小説、ユーザーはありません。1 分間キャッシュします。',
  },
  ranking_not_published: {
    en: 'there is no ranking of that date (yet).',
    ja: 'その日付のランキングは（まだ）ありません。',
  },
  method_not_allowed: {
    en: 'only GET, HEAD and OPTIONS.',
    ja: '使用できるのは GET、HEAD、OPTIONS だけです。',
  },
  cursor_expired: { en: 'start again with `since=now`.', ja: '`since=now` からやり直してください。' },
  uri_too_long: {
    en: 'at most 8,192 characters; 500 codes are 5,000.',
    ja: 'URL は 8,192 文字までです。500 個のコードは 5,000 文字です。',
  },
  expectation_failed: {
    en: 'an `Expect` header other than `100-continue`.',
    ja: '`Expect` ヘッダーが `100-continue` ではありません。',
  },
  headers_too_large: { en: 'at most 32 kB in all.', ja: 'ヘッダーは合計 32 kB までです。' },
  rate_limited: { en: 'more than 60 requests a minute.', ja: '1 分間のリクエストが 60 回を超えました。' },
  upstream_share_spent: {
    en: 'your share of the daily upstream quota is used up; cached data are still served.',
    ja: '取得元への 1 日の割り当てのうち、あなたの分を使い切りました。キャッシュ済みのデータは引き続き返します。',
  },
  internal: {
    en: 'a fault of the service; report the `X-Request-Id` to its operator.',
    ja: 'サービスの不具合です。`X-Request-Id` を運用者に知らせてください。',
  },
  not_available_here: { en: 'this source lacks it.', ja: 'この取得元にはありません。' },
  upstream_invalid: {
    en: 'the upstream sent an unreadable response; try again later.',
    ja: '取得元の応答を読み取れません。時間をおいて再試行してください。',
  },
  upstream_unavailable: {
    en: 'the upstream is down or refuses.',
    ja: '取得元が停止しているか、リクエストを拒否しています。',
  },
  upstream_budget_spent: {
    en: 'the daily upstream quota is used up; cached data are still served.',
    ja: '取得元への 1 日の割り当てを使い切りました。キャッシュ済みのデータは引き続き返します。',
  },
  catalogue_outdated: {
    en: 'a local catalogue was fetched over 14 days ago; its operator must update it.',
    ja: 'ローカルカタログの取得から 14 日を過ぎました。運用者による更新が必要です。',
  },
  overloaded: { en: 'the service is overloaded.', ja: 'サービスが混み合っています。' },
  upstream_timeout: {
    en: 'the upstream took too long; try again later.',
    ja: '取得元が時間内に応答しませんでした。時間をおいて再試行してください。',
  },
};
type RegistrationCode = Extract<
  ErrorCode,
  'invalid_domain' | 'unknown_tld' | 'not_registered' | 'no_registry_service' | `registry_${string}`
>;

/** The test of the reference demands the Japanese of each published text. */
const textIn = (language: Language, en: string): string => (language === 'en' ? en : (toJapanese(en) ?? en));

const AS: Text = { en: ', as ', ja: '、例 ' };
const SEE_ORDERS: Text = {
  en: 'order of the results, see [Orders](#orders).',
  ja: '結果の順。[並び順](#並び順)を参照してください。',
};

function parameterLines(language: Language): string[] {
  const parameters: Readonly<Record<string, Parameter>> = {
    ...NOVEL_SEARCH_PARAMETERS,
    facets: NOVEL_FACETS,
  };
  const adultOnly = Object.entries(ADULT_SEARCH_PARAMETERS).filter(([name]) => !(name in parameters));
  return [...Object.entries(parameters), ...adultOnly].map(([name, { description, example }]) => {
    const call = example === undefined ? '' : `${AS[language]}\`${name}=${example}\``;
    return `- \`${name}\`${call}: ${name === 'order' ? SEE_ORDERS[language] : textIn(language, description)}`;
  });
}

const fieldLines = (language: Language): string[] =>
  OF_FIELDS.map((row) => `- \`${row.code}\`, \`${row.field}\`: ${textIn(language, describeField(row))}`);

const ALL_AGES_ONLY: Text = { en: ' (not on `/v1/r18/novels`)', ja: '（`/v1/r18/novels` にはありません）' };

const orderLines = (language: Language): string[] =>
  Object.entries(NOVELAPI_ORDERS).map(([order, { text }]) => {
    const more = order in NOVEL18API_ORDERS ? '' : ALL_AGES_ONLY[language];
    return `- \`${order}\`: ${text[language]}${more}`;
  });

const errorLines = (language: Language): string[] =>
  (Object.keys(ERRORS) as (keyof typeof ERRORS)[]).map(
    (code) => `- \`${code}\` (${ERROR_TABLE[code].status}): ${ERRORS[code][language]}`,
  );

const LISTS = { parameters: parameterLines, fields: fieldLines, orders: orderLines, errors: errorLines };

/** A page with its lists written anew. */
export function withLists(page: string, language: Language): string {
  return Object.entries(LISTS).reduce((text, [name, linesOf]) => {
    const [begin, end] = [`<!-- ${name}: npm run api-lists -->`, `<!-- end of ${name} -->`];
    const [before, rest] = text.split(begin);
    const [, after] = rest?.split(end) ?? [];
    if (before === undefined || after === undefined) throw new Error(`The page has no list of ${name}.`);
    return `${before}${begin}\n\n${linesOf(language).join('\n')}\n\n${end}${after}`;
  }, page);
}
