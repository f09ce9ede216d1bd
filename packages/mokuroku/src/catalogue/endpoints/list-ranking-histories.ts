import { z } from 'zod';
import { cachedError } from '@mokuroku/kit/cache';
import { ServiceError, asServiceError, toErrorBody, ALLOWED, FAULTS, text } from '@mokuroku/kit';
import type { ErrorCode } from '@mokuroku/kit';
import { mapUnordered, parameterFault } from '@mokuroku/kit/http';
import type { RankingHistoryEntry } from '@mokuroku/narou';
import { ncodeList } from '@mokuroku/narou/queries';
import { EXAMPLES } from '@mokuroku/narou';
import { RANKING_HISTORY } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { AT_ONCE, getMany } from './many.ts';
import { RANKING_HISTORY_ENTRY } from './novel-schemas.ts';
import { UNKNOWN_NCODES, dataOf, questionOf } from './catalogue-answer.ts';
import type { EndpointMeta } from './catalogue-answer.ts';
import { KNOWN_UNTIL, RANKING_HISTORY_COLUMNS, rankingHistoryOf } from './get-ranking-history.ts';

const isError = (error: unknown, ...codes: ErrorCode[]): error is ServiceError =>
  error instanceof ServiceError && codes.includes(error.code);

/** By Ncode; null for a novel that does not exist. Unknown ones are missing. */
type Histories = Readonly<Record<string, readonly RankingHistoryEntry[] | null>>;

async function historyLine(services: EndpointServices, ncode: string): Promise<string> {
  try {
    const { entry } = await services.cache.get(rankingHistoryOf(services, ncode), RANKING_HISTORY);
    if (entry.status !== 200) throw cachedError(entry);
    const { unreadable } = entry.meta as EndpointMeta;
    const left = unreadable === undefined ? '' : `,"unreadable":${unreadable}`;
    return `{"ncode":"${ncode}","data":${entry.data.toString()}${left}}\n`;
  } catch (error) {
    const failure = asServiceError(error);
    services.reportFailure(failure);
    const { retryAfterSeconds } = failure;
    return `${JSON.stringify({ ncode, ...toErrorBody(failure), retryAfterSeconds })}\n`;
  }
}

const NCODES = ncodeList({
  en: 'Ncodes, separated by commas: at most 50 on the live upstream, at most 500 on a local catalogue.',
  ja: 'Nコード。カンマ区切り。実際の取得元では 50 個まで、ローカルカタログでは 500 個まで。',
  example: EXAMPLES.ncode,
  required: true,
});

export const listRankingHistories = defineEndpoint({
  summary: text('Get the ranking histories of many novels', '複数の小説のランキング履歴を取得する'),
  description: text(
    'The response of `/v1/novels/{ncode}/ranking-history` for up to 50 novels (500 on a local catalogue): an object by Ncode, null for a novel that does not exist. Each uncached history costs one or two upstream requests of your daily share; the request itself counts once. If one fails, the response is its error; a repeated request resumes. With `format=ndjson` each history is a line, `{ncode, data}` or `{ncode, error}`, sent as soon as it is ready.',
    '`/v1/novels/{ncode}/ranking-history` のレスポンスを、一度に 50 作品まで（ローカルカタログでは 500 作品まで）返します。Nコードをキーとするオブジェクトで、存在しない小説は null です。キャッシュにない履歴は、1 件につき取得元へのリクエスト 1〜2 回を 1 日の割り当てから消費します（このリクエスト自体は 1 回と数えます）。1 件でも失敗するとそのエラーを返し、再試行すると続きから取得します。`format=ndjson` では、推移が届くたびに 1 行（`{ncode, data}` か `{ncode, error}`）を返します。',
  ),
  group: 'Rankings',
  path: {},
  query: { ncode: NCODES },
  source: 'rankin',
  data: z.record(z.string(), z.array(RANKING_HISTORY_ENTRY).nullable()),
  meta: { ...KNOWN_UNTIL, ...UNKNOWN_NCODES },
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS],
  check: ({ source }, { query: { ncode = [] } }) => {
    const max = source.maxHistories();
    if (ncode.length <= max) return [];
    const reason = FAULTS.tooManyHere(ncode.length, max).en;
    return [
      { ...parameterFault('ncode', NCODES, ncode.join(), reason), allowed: ALLOWED.fewerNcodes(max).en },
    ];
  },
  question: (services, { query: { ncode: ncodes = [] } }) => ({
    ...questionOf(services, `ranking-histories?${ncodes.join()}`, async (_requester, cache) => {
      const questions = ncodes.map((ncode) => rankingHistoryOf(services, ncode));
      const unknown = new Map<string, ServiceError>();
      const entries = await getMany(questions, RANKING_HISTORY, cache, (error, index) => {
        if (isError(error, 'not_available_here', 'catalogue_outdated'))
          return unknown.set(ncodes[index] ?? '', error).size > 0;
        return isError(error, 'not_found');
      });
      const [reason] = unknown.values();
      if (reason !== undefined && unknown.size === ncodes.length) throw reason;
      const known = [...ncodes.entries()].filter(([, ncode]) => !unknown.has(ncode));
      const data = Object.fromEntries(known.map(([index, ncode]) => [ncode, dataOf(entries[index])]));
      const lacks = unknown.size > 0 && { unknown: [...unknown.keys()] };
      const madeOf = entries.filter((entry) => entry !== undefined);
      const missing = [...new Set(madeOf.flatMap(({ meta }) => (meta['missing'] ?? []) as string[]))];
      const meta = { source: 'rankin', ...lacks, ...(missing.length > 0 && { missing }) } as const;
      return { data, total: ncodes.length, meta, from: [], madeOf, isComposed: true };
    }),
    isComposed: true,
  }),
  forms: {
    csv: ({ data }) => ({
      columns: ['ncode', ...RANKING_HISTORY_COLUMNS],
      rows: Object.entries(data as Histories).flatMap(
        ([ncode, history]) => history?.map((entry) => ({ ncode, ...entry })) ?? [],
      ),
    }),
    linesDescription: text(
      '`{ncode, data}` or `{ncode, error}` per line, for each requested Ncode, in any order. `unreadable` as in `meta`.',
      'Nコードごとに `{ncode, data}` か `{ncode, error}` の 1 行。順不同。`unreadable` は `meta` のものと同じです。',
    ),
    ndjson: ({ query: { ncode: ncodes = [] } }, services) => ({
      total: ncodes.length,
      lines: () => mapUnordered(ncodes, AT_ONCE, (ncode) => historyLine(services, ncode)),
    }),
  },
});
