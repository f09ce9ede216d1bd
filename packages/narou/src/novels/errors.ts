import { ServiceError, errorTable } from '@mokuroku/kit';

// prettier-ignore
/** The errors of a catalogue, beside the general ones. */
export const NOVEL_ERRORS = errorTable({
  ranking_not_published: { status: 404, isAbsence: true, message: 'This ranking has not been published.',
    en: ['Ranking not published yet', 'Choose an earlier date.'],
    ja: ['このランキングはまだありません', '公開前の日付です。公開済みの日付を選んでください。'] },
  cursor_expired: { status: 410, message: 'Events after this cursor may have been deleted.',
    en: ['This cursor has expired', 'Fetch what you need again, then continue with since=now.'],
    ja: ['カーソルの期限が切れています', '必要なものを取り直し、since=now から続けてください。'] },
  upstream_share_spent: { status: 429, message: 'Your share of the daily upstream quota is used up.',
    en: ['Your daily quota is used up', 'Cached data remain available.'],
    ja: ['1 日の割り当てを使い切りました', 'キャッシュ済みの情報は引き続き表示できます。'] },
  not_available_here: { status: 501, message: 'This service does not support that.',
    en: ['Not available here', 'This catalogue does not contain it.'],
    ja: ['ここでは利用できません', 'このカタログには含まれていません。'] },
  upstream_invalid: { status: 502, message: 'The upstream sent an unreadable response.',
    en: ['Unreadable response of the source', 'It may be under maintenance.'],
    ja: ['取得元の応答が読み取れません', 'メンテナンス中かもしれません。'] },
  upstream_unavailable: { status: 503, message: 'The upstream is unavailable.',
    en: ['Source unreachable', 'The service that publishes the novels does not respond.'],
    ja: ['取得元に接続できません', '小説の情報を提供しているサービスが応答していません。'] },
  upstream_budget_spent: { status: 503, message: 'The daily upstream quota is used up.',
    en: ['The daily quota is used up', 'Cached data remain available.'],
    ja: ['サービスの 1 日の割り当てを使い切りました', 'キャッシュ済みの情報は引き続き表示できます。'] },
  catalogue_outdated: { status: 503,
    message: 'This catalogue was fetched more than 14 days ago; its operator must update it.',
    en: ['The catalogue is outdated', 'It was fetched more than 14 days ago. Its operator must update it.'],
    ja: ['カタログが古くなっています', '取得から14日を過ぎました。運用者による更新が必要です。'] },
  catalogue_unreadable: { status: 503, message: 'Files of this catalogue cannot be read.',
    en: ['The catalogue cannot be read', 'Some of its files are damaged or unreadable. Its operator must repair them.'],
    ja: ['カタログを読み取れません', '一部のファイルが壊れているか、読み取れません。運用者による修復が必要です。'] },
  upstream_timeout: { status: 504, message: 'The upstream timed out.',
    en: ['Source timed out', 'No response arrived in time.'],
    ja: ['取得元の応答がありません', '時間内に応答が届きませんでした。'] },
});

export type NovelErrorCode = keyof typeof NOVEL_ERRORS;

/** Of a request about a novel that the source does not know; of others it may say more. `reason`: of the novel alone. */
export class UnknownNovel extends ServiceError {
  constructor(reason: ServiceError) {
    const { code, status, message, details, retryAfterSeconds } = reason;
    super({ code, status, message }, { message, details, retryAfterSeconds, cause: reason });
  }
}
