import type { REGISTRATION_ERRORS } from '../registration/endpoints/look-up-error-schema.ts';
import type { HopOutcome } from 'mokuroku-whois/service';
import type { Ending, EvidenceKind } from 'mokuroku-whois/record';

/** Outcomes of queries and of whole look-ups in Japanese, for the page and the command line. */
export const OUTCOMES_JA: Readonly<Record<HopOutcome, string>> = {
  registered: '登録あり',
  not_registered: '登録なし',
  reserved: '予約',
  throttled: 'レート制限',
  refused: '拒否',
  invalid: '無効な名前',
  broken: '読み取れない応答',
  referral: '次を案内',
  no_referral: '案内なし',
  unknown_tld: '存在しない TLD',
  timeout: '時間切れ',
  paused: '待機中',
  busy: '待ち行列が満杯',
  unreachable: '接続できず',
  forbidden_address: '接続を許されない宛先',
  too_large: '大きすぎる応答',
  cut_off: '途中で切断',
  bad_answer: '規約に合わない応答',
};

type LookUpError =
  | (typeof REGISTRATION_ERRORS)[number]
  | 'own_registry_limit'
  | 'registry_refuses'
  | 'registry_unreadable'
  | 'rate_limited'
  | 'overloaded'
  | 'unreachable'
  | 'not_json';

/** Errors of a look-up, as short as an outcome. */
export const LOOK_UP_ERRORS_JA: Readonly<Record<HopOutcome | LookUpError, string>> = {
  ...OUTCOMES_JA,
  invalid_parameter: '無効な指定',
  invalid_domain: '無効な名前',
  not_found: '見つからず',
  no_registry_service: '照会サービスなし',
  registry_rate_limited: 'レジストリのレート制限',
  own_registry_limit: 'レート制限',
  registry_unavailable: '接続できず',
  registry_refuses: '拒否',
  registry_unreadable: '読み取れない応答',
  registry_timeout: '時間切れ',
  rate_limited: 'レート制限',
  overloaded: '混雑',
  not_json: '読み取れない応答',
};

/** How a registration ends, for the page and the command line. */
export const ENDINGS_JA: Readonly<Record<Ending, string>> = {
  none: 'なし',
  expired: '期限切れ',
  redemption: '削除済み（復旧可能）',
  pending_delete: '削除待ち',
  on_hold: '停止中',
};

/** Kinds of evidence, shown before the line itself. */
export const EVIDENCE_JA: Readonly<Record<EvidenceKind, string>> = {
  sentence: 'レジストリの文面:',
  status: '状態の値:',
  record: '登録の記録:',
  rdap: 'RDAP の応答:',
};
