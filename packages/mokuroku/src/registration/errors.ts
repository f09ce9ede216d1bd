import { errorTable, text } from '@mokuroku/kit';
import { LOOK_UP_ERRORS } from 'mokuroku-whois/record';

// prettier-ignore
/** The errors of a look-up with their status and words, beside the general ones. */
export const REGISTRY_ERRORS = errorTable({
  invalid_domain: { status: 400, message: LOOK_UP_ERRORS.invalid_domain,
    en: ['Not a valid domain name', 'Check the spelling. Example: example.com'],
    ja: ['ドメイン名として調べられません', '綴りを確かめてください。例: example.com'] },
  unknown_tld: { status: 404, message: LOOK_UP_ERRORS.unknown_tld,
    en: ['Unknown top-level domain', 'Check the last part of the name.'],
    ja: ['そのトップレベルドメインはありません', 'ドメイン名の最後の部分を確かめてください。'] },
  not_registered: { status: 404, isAbsence: true, message: LOOK_UP_ERRORS.not_registered,
    en: ['Not registered', 'The registry says that this name is not registered.'],
    ja: ['登録されていません', 'レジストリは、この名前の登録はないと応答しました。'] },
  no_registry_service: { status: 501, message: LOOK_UP_ERRORS.no_registry_service,
    en: ['No look-up service', 'The registry of this top-level domain publishes neither WHOIS nor RDAP.'],
    ja: ['照会サービスがありません', 'このトップレベルドメインのレジストリは、WHOIS も RDAP も公開していません。'] },
  registry_unavailable: { status: 502, message: LOOK_UP_ERRORS.registry_unavailable,
    en: ['Registry unreachable', 'It is not known whether the name is registered.'],
    ja: ['レジストリに接続できません', '登録の有無は分かりません。'] },
  registry_rate_limited: { status: 503, message: LOOK_UP_ERRORS.registry_rate_limited,
    en: ['The registry throttles our queries', 'It is not known yet whether the name is registered. Try again later.'],
    ja: ['レジストリが問い合わせを控えるよう求めています', '登録の有無はまだ分かりません。時間をおいて試してください。'] },
  registry_timeout: { status: 504, message: LOOK_UP_ERRORS.registry_timeout,
    en: ['Registry timed out', 'No response arrived in time.'],
    ja: ['レジストリの応答がありません', '時間内に応答が届きませんでした。'] },
});

export type RegistryErrorCode = keyof typeof REGISTRY_ERRORS;

// prettier-ignore
/** The faults of parameters with names, and what is right. */
export const NAMES_FAULTS = {
  tooManyNames: (given: number, most: number) => text(`${given} names, more than ${most}`, `${given} 個は、上限の ${most} 個を超えています`),
} as const;

// prettier-ignore
export const NAMES_ALLOWED = {
  domainName: text('a domain name', 'ドメイン名'),
  names: (most: number) => text(`1 to ${most} names, separated by commas`, `名前 1〜${most} 個、カンマ区切り`),
} as const;
