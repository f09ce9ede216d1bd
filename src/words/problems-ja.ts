/**
 * Problems and remedies in Japanese, by the code of the service's error (or of the client's, without a response), for
 * the page and the command line. `other` applies to all other codes.
 */
export const PROBLEMS_JA: Readonly<Record<string, readonly [title: string, text: string]>> = {
  unreachable: ['サービスに接続できません', 'この端末がオフラインか、サービスが停止しています。'],
  not_json: ['応答を読み取れません', 'サービスの手前のプロキシなどが、別の応答を返した可能性があります。'],
  invalid_parameter: ['条件に誤りがあります', '次の点を直してください。'],
  invalid_domain: ['ドメイン名として調べられません', '綴りを確かめてください。例: example.com'],
  not_found: ['見つかりません', 'コードが違うか、取得できなくなっています（削除、非公開、検索除外）。'],
  ranking_not_published: [
    'このランキングはまだありません',
    '公開前の日付です。公開済みの日付を選んでください。',
  ],
  unknown_tld: ['そのトップレベルドメインはありません', 'ドメイン名の最後の部分を確かめてください。'],
  not_registered: ['登録されていません', 'レジストリは、この名前の登録はないと応答しました。'],
  no_registry_service: [
    '照会サービスがありません',
    'このトップレベルドメインのレジストリは、WHOIS も RDAP も公開していません。',
  ],
  rate_limited: ['レート制限に達しました', '1分間に受け付ける回数を超えました。'],
  registry_rate_limited: [
    'レジストリが問い合わせを控えるよう求めています',
    '登録の有無はまだ分かりません。時間をおいて試してください。',
  ],
  own_registry_limit: [
    'このレジストリへの照会が多すぎます',
    'このサービスが 1 つのレジストリに送るレート制限に達しました。登録の有無はまだ分かりません。',
  ],
  registry_unavailable: ['レジストリに接続できません', '登録の有無は分かりません。'],
  registry_refuses: ['レジストリが問い合わせを断りました', '登録の有無は分かりません。'],
  registry_unreadable: ['レジストリの応答を読み取れません', '登録の有無は分かりません。'],
  registry_timeout: ['レジストリの応答がありません', '時間内に応答が届きませんでした。'],
  upstream_unavailable: ['取得元に接続できません', '小説の情報を提供しているサービスが応答していません。'],
  upstream_share_spent: ['1 日の割り当てを使い切りました', 'キャッシュ済みの情報は引き続き表示できます。'],
  upstream_budget_spent: [
    'サービスの 1 日の割り当てを使い切りました',
    'キャッシュ済みの情報は引き続き表示できます。',
  ],
  upstream_timeout: ['取得元の応答がありません', '時間内に応答が届きませんでした。'],
  upstream_invalid: ['取得元の応答が読み取れません', 'メンテナンス中かもしれません。'],
  cursor_expired: ['カーソルの期限が切れています', '必要なものを取り直し、since=now から続けてください。'],
  not_available_here: ['ここでは利用できません', 'このカタログには含まれていません。'],
  catalogue_outdated: [
    'カタログが古くなっています',
    '取得から14日を過ぎました。運用者による更新が必要です。',
  ],
  overloaded: ['混み合っています', '少し待ってから試してください。'],
  other: ['エラーが発生しました', 'サービス側の問題です。時間をおいて試してください。'],
};
