import { ERRORS, isRecord, ownValue } from '@mokuroku/kit';
import type { ErrorKind } from '@mokuroku/kit';
import { NOVEL_ERRORS } from '@mokuroku/narou';
import { isOffline } from 'mokuroku-whois/record';
import { REGISTRY_ERRORS } from '../registration/errors.ts';

type Problem = Pick<ErrorKind, 'en' | 'ja'>;

// prettier-ignore
/** Problems without a code of their own. */
const FURTHER: Readonly<Record<string, Problem>> = {
  unreachable: { en: ['Service unreachable', 'This device is offline, or the service is down.'],
    ja: ['サービスに接続できません', 'この端末がオフラインか、サービスが停止しています。'] },
  not_json: { en: ['Unreadable response', 'A proxy in front of the service may have responded in its place.'],
    ja: ['応答を読み取れません', 'サービスの手前のプロキシなどが、別の応答を返した可能性があります。'] },
  own_registry_limit: { en: ['Too many look-ups at this registry', 'This service limits its requests to each registry. Try again in a moment.'],
    ja: ['このレジストリへの照会が多すぎます', 'このサービスが 1 つのレジストリに送るレート制限に達しました。登録の有無はまだ分かりません。'] },
  registry_refuses: { en: ['The registry refuses our queries', 'It is not known whether the name is registered.'],
    ja: ['レジストリが問い合わせを断りました', '登録の有無は分かりません。'] },
  offline: { en: ['No server could be reached', 'Not even the root. Is the machine that queries the registries online?'],
    ja: ['どのサーバーにも接続できません', 'ルートサーバーにも接続できません。照会する側のマシンがオンラインか確かめてください。'] },
  registry_unreadable: { en: ["The registry's answer could not be read", 'It is not known whether the name is registered.'],
    ja: ['レジストリの応答を読み取れません', '登録の有無は分かりません。'] },
};

// prettier-ignore
/** Of an unknown code. */
export const OTHER_PROBLEM: Problem = { en: ['Something went wrong', 'The error is on our side. Try again later.'],
  ja: ['エラーが発生しました', 'サービス側の問題です。時間をおいて試してください。'] };

const PROBLEMS: Readonly<Record<string, Problem>> = {
  ...ERRORS,
  ...NOVEL_ERRORS,
  ...REGISTRY_ERRORS,
  ...FURTHER,
  other: OTHER_PROBLEM,
};

type Hop = Parameters<typeof isOffline>[0][number];

const isHop = (value: unknown): value is Hop => isRecord(value) && typeof value['outcome'] === 'string';

/**
 * The key of the problem texts for an error: its code, unless one code means several things to a reader. The service's
 * own limit is not the registry's, and a registry that refuses or sends an unreadable answer is reachable.
 */
export function problemKey({ code, details }: { code: string; details?: unknown }): string {
  const { limitedBy, raw, registryWebsite, hops } = (details ?? {}) as Record<string, unknown>;
  if (code === 'registry_rate_limited' && limitedBy === 'service') return 'own_registry_limit';
  if (code !== 'registry_unavailable') return code;
  if (Array.isArray(hops) && hops.every(isHop) && isOffline(hops)) return 'offline';
  if (registryWebsite !== undefined) return 'registry_refuses';
  return typeof raw === 'string' ? 'registry_unreadable' : code;
}

/** A problem by the key of `problemKey`. */
export const findProblem = (key: string): Problem | undefined => ownValue(PROBLEMS, key);
