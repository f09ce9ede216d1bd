import { z } from 'zod';
import { dateSchema, oneOf } from '@mokuroku/kit/http';
import type { Question } from '@mokuroku/kit/cache';
import { ServiceError, text } from '@mokuroku/kit';
import { RANKING_TYPES, fromRtype } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import { RANKING_HISTORY } from './cache-policies.ts';
import { NCODE_IN_PATH } from './get-novel.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { RANKING_HISTORY_ENTRY } from './novel-schemas.ts';
import { questionOf } from './catalogue-answer.ts';
import type { EndpointMeta } from './catalogue-answer.ts';

export const RANKING_HISTORY_COLUMNS = ['rtype', 'rank', 'pt', 'type', 'date'] as const;

/** The question for the ranking history of a novel, for one novel or several. */
export function rankingHistoryOf(services: EndpointServices, ncode: string): Question {
  return questionOf(services, `novels/${ncode}/ranking-history`, async (requester) => {
    const history = await services.source.getRankingHistory(ncode, requester);
    if ('absent' in history) throw new ServiceError('not_found', { message: `There is no novel ${ncode}.` });
    const data = history.value.map((entry) => ({ ...entry, ...fromRtype(entry.rtype) }));
    const { missing = [] } = history;
    const meta = { source: 'rankin', ...(missing.length > 0 && { missing }) } as const;
    return { data, total: data.length, meta, from: [history] };
  });
}

/** The part of a history in the rankings of one type. */
function historyOfType(services: EndpointServices, ncode: string, type: RankingType): Question {
  const whole = rankingHistoryOf(services, ncode);
  const question = questionOf(services, `${whole.key}?type=${type}`, async (_requester, cache) => {
    const entry = await cache.get(whole, RANKING_HISTORY);
    const all = JSON.parse(entry.data.toString()) as { type: string }[];
    const data = all.filter((each) => each.type === type);
    return { data, total: data.length, meta: entry.meta as EndpointMeta, from: [], madeOf: [entry] };
  });
  return { ...question, isComposed: true };
}

/** `meta.until`, on histories. */
export const KNOWN_UNTIL = {
  until: dateSchema(
    'From a local catalogue: the last day up to which all rankings are included.',
    'ローカルカタログの場合: すべてのランキングがそろっている最後の日。それより後のものは含まれません。',
    '2026-11-20',
  ).optional(),
  missing: z
    .array(z.string())
    .optional()
    .meta({
      en: 'From a local catalogue: the `rtype` of rankings up to that day that it lacks. Whether they contain the novel is not known.',
      ja: 'ローカルカタログの場合: その日までのうち、カタログにないランキングの `rtype`。小説が載ったかどうかは不明です。',
      example: ['20240409-w'],
    }),
};

export const getRankingHistory = defineEndpoint({
  summary: text('Get the ranking history of a novel', '小説が載ったランキングを取得する'),
  description: text(
    'Every ranking (300 entries each) that contains the novel, by date. Empty if it never ranked.',
    '小説が載った、保存されているすべてのランキング（各 300 位まで）を日付順に。載ったことがなければ空です。',
  ),
  group: 'Novels',
  path: { ncode: NCODE_IN_PATH },
  query: {
    type: oneOf(RANKING_TYPES, {
      en: 'Only the rankings of this period. Default: all.',
      ja: 'この期間のランキングだけ。省略時はすべて。',
      example: 'weekly',
    }),
  },
  source: 'rankin',
  data: z.array(RANKING_HISTORY_ENTRY),
  meta: KNOWN_UNTIL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path: { ncode }, query: { type } }) =>
    type === undefined ? rankingHistoryOf(services, ncode) : historyOfType(services, ncode, type),
  forms: {
    csv: ({ data }) => ({ columns: RANKING_HISTORY_COLUMNS, rows: data as object[] }),
  },
});
