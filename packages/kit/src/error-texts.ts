import { text } from './process/text.ts';
import type { Text } from './process/text.ts';
import type { ErrorCode } from './errors.ts';

interface ProblemRow {
  readonly en: readonly [title: string, remedy: string];
  readonly ja: readonly [title: string, remedy: string];
  /** In docs/api.md, instead of title and remedy. */
  readonly docs?: Text;
}

// prettier-ignore
/** Every error with its remedy, for the page, the command line and docs/api.md. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ProblemRow>> = {
  invalid_parameter: { en: ['Invalid request', 'Correct the following.'],
    ja: ['条件に誤りがあります', '次の点を直してください。'],
    docs: text('`details` lists every fault: the parameter, its value, what is allowed.', '`details` に、すべての誤りを示します。パラメーター、その値、使用できる値です。') },
  invalid_domain: { en: ['Not a valid domain name', 'Check the spelling. Example: example.com'],
    ja: ['ドメイン名として調べられません', '綴りを確かめてください。例: example.com'] },
  not_found: { en: ['Not found', 'The code is wrong, or the entry was deleted.'],
    ja: ['見つかりません', 'コードが違うか、取得できなくなっています（削除、非公開、検索除外）。'],
    docs: text('No such path, novel or user; cached for a minute.', 'そのパス、小説、ユーザーはありません。1 分間キャッシュします。') },
  ranking_not_published: { en: ['Ranking not published yet', 'Choose an earlier date.'],
    ja: ['このランキングはまだありません', '公開前の日付です。公開済みの日付を選んでください。'] },
  unknown_tld: { en: ['Unknown top-level domain', 'Check the last part of the name.'],
    ja: ['そのトップレベルドメインはありません', 'ドメイン名の最後の部分を確かめてください。'] },
  not_registered: { en: ['Not registered', 'The registry says that this name is not registered.'],
    ja: ['登録されていません', 'レジストリは、この名前の登録はないと応答しました。'] },
  method_not_allowed: { en: ['Method not allowed', 'Only GET, HEAD and OPTIONS are allowed here.'],
    ja: ['許可されていないメソッドです', '使用できるのは GET、HEAD、OPTIONS だけです。'] },
  cursor_expired: { en: ['This cursor has expired', 'Fetch what you need again, then continue with since=now.'],
    ja: ['カーソルの期限が切れています', '必要なものを取り直し、since=now から続けてください。'] },
  uri_too_long: { en: ['URL too long', 'At most 8,192 characters; 500 codes are 5,000.'],
    ja: ['URL が長すぎます', '8,192 文字までです。500 個のコードは 5,000 文字です。'] },
  expectation_failed: { en: ['Expect header not supported', 'Only 100-continue is supported.'],
    ja: ['Expect ヘッダーに対応していません', '使用できるのは 100-continue だけです。'] },
  rate_limited: { en: ['Rate limit reached', 'You sent more requests than this service allows in a minute.'],
    ja: ['レート制限に達しました', '1分間に受け付ける回数を超えました。'] },
  upstream_share_spent: { en: ['Your daily quota is used up', 'Cached data remain available.'],
    ja: ['1 日の割り当てを使い切りました', 'キャッシュ済みの情報は引き続き表示できます。'] },
  headers_too_large: { en: ['Request headers too large', 'At most 32 kB in all.'],
    ja: ['ヘッダーが大きすぎます', '合計 32 kB までです。'] },
  internal: { en: ['Something went wrong', 'The error is on our side. Tell the operator the id of the request.'],
    ja: ['エラーが発生しました', 'サービス側の問題です。リクエストの ID を運用者に知らせてください。'] },
  not_available_here: { en: ['Not available here', 'This catalogue does not contain it.'],
    ja: ['ここでは利用できません', 'このカタログには含まれていません。'] },
  no_registry_service: { en: ['No look-up service', 'The registry of this top-level domain publishes neither WHOIS nor RDAP.'],
    ja: ['照会サービスがありません', 'このトップレベルドメインのレジストリは、WHOIS も RDAP も公開していません。'] },
  upstream_invalid: { en: ['Unreadable response of the source', 'It may be under maintenance.'],
    ja: ['取得元の応答が読み取れません', 'メンテナンス中かもしれません。'] },
  registry_unavailable: { en: ['Registry unreachable', 'It is not known whether the name is registered.'],
    ja: ['レジストリに接続できません', '登録の有無は分かりません。'] },
  upstream_unavailable: { en: ['Source unreachable', 'The service that publishes the novels does not respond.'],
    ja: ['取得元に接続できません', '小説の情報を提供しているサービスが応答していません。'] },
  upstream_budget_spent: { en: ['The daily quota is used up', 'Cached data remain available.'],
    ja: ['サービスの 1 日の割り当てを使い切りました', 'キャッシュ済みの情報は引き続き表示できます。'] },
  catalogue_outdated: { en: ['The catalogue is outdated', 'It was fetched more than 14 days ago. Its operator must update it.'],
    ja: ['カタログが古くなっています', '取得から14日を過ぎました。運用者による更新が必要です。'] },
  registry_rate_limited: { en: ['The registry throttles our queries', 'It is not known yet whether the name is registered. Try again later.'],
    ja: ['レジストリが問い合わせを控えるよう求めています', '登録の有無はまだ分かりません。時間をおいて試してください。'] },
  overloaded: { en: ['Service overloaded', 'Try again in a moment.'],
    ja: ['混み合っています', '少し待ってから試してください。'] },
  upstream_timeout: { en: ['Source timed out', 'No response arrived in time.'],
    ja: ['取得元の応答がありません', '時間内に応答が届きませんでした。'] },
  registry_timeout: { en: ['Registry timed out', 'No response arrived in time.'],
    ja: ['レジストリの応答がありません', '時間内に応答が届きませんでした。'] },
};

// prettier-ignore
/** Problems without a code of their own; `other` applies to all other codes. */
const FURTHER: Readonly<Record<string, ProblemRow>> = {
  unreachable: { en: ['Service unreachable', 'This device is offline, or the service is down.'],
    ja: ['サービスに接続できません', 'この端末がオフラインか、サービスが停止しています。'] },
  not_json: { en: ['Unreadable response', 'A proxy in front of the service may have responded in its place.'],
    ja: ['応答を読み取れません', 'サービスの手前のプロキシなどが、別の応答を返した可能性があります。'] },
  own_registry_limit: { en: ['Too many look-ups at this registry', 'This service limits its requests to each registry. Try again in a moment.'],
    ja: ['このレジストリへの照会が多すぎます', 'このサービスが 1 つのレジストリに送るレート制限に達しました。登録の有無はまだ分かりません。'] },
  registry_refuses: { en: ['The registry refuses our queries', 'It is not known whether the name is registered.'],
    ja: ['レジストリが問い合わせを断りました', '登録の有無は分かりません。'] },
  registry_unreadable: { en: ["The registry's answer could not be read", 'It is not known whether the name is registered.'],
    ja: ['レジストリの応答を読み取れません', '登録の有無は分かりません。'] },
  other: { en: ['Something went wrong', 'The error is on our side. Try again later.'],
    ja: ['エラーが発生しました', 'サービス側の問題です。時間をおいて試してください。'] },
};

/** Titles and remedies by the key of `problemKey`. */
export const problemsIn = (
  language: 'en' | 'ja',
): Readonly<Record<string, readonly [title: string, remedy: string]>> =>
  Object.fromEntries(
    Object.entries({ ...ERROR_TEXTS, ...FURTHER }).map(([key, row]) => [key, row[language]]),
  );
