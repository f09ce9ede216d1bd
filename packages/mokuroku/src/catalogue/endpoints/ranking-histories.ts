import { z } from 'zod';
import { cachedError } from '@mokuroku/kit/cache';
import type { CacheEntry, Question } from '@mokuroku/kit/cache';
import { ERRORS, ServiceError, asServiceError, toErrorBody, text } from '@mokuroku/kit';
import { NOVEL_ALLOWED, NOVEL_FAULTS, EXAMPLES, UnknownNovel, fromRtype } from '@mokuroku/narou';
import { dateSchema, parameterFault } from '@mokuroku/kit/http';
import { mapUnordered } from '@mokuroku/kit/map-unordered';
import type { RankingHistoryEntry } from '@mokuroku/narou';
import { HISTORY_PARAMETERS, canonicalQuery, ncodeList } from '@mokuroku/narou/queries';
import type { HistoryValues } from '@mokuroku/narou/queries';
import { AT_ONCE, getMany, questionOf, BYTES_A_HISTORY } from './catalogue-answer.ts';
import type { EndpointMeta } from './catalogue-answer.ts';
import { UNKNOWN_NCODES, RANKING_HISTORY_ENTRY } from './schemas.ts';
import { MINUTE, RANKING_HISTORY, fresh } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { CatalogueErrorCode, EndpointServices } from './endpoint.ts';
import { NCODE_IN_PATH } from './get-novel.ts';

const COLUMNS = Object.keys(RANKING_HISTORY_ENTRY.shape);

/** The question for the ranking history of a novel, for one novel or several. */
function rankingHistoryOf(services: EndpointServices, ncode: string): Question {
  return questionOf(
    services,
    { key: `novels/${ncode}/ranking-history`, memoryBytes: BYTES_A_HISTORY },
    async (requester) => {
      const history = await services.source.getRankingHistory(ncode, requester);
      if ('absent' in history)
        throw new ServiceError(ERRORS.not_found, { message: `There is no novel ${ncode}.` });
      const data = history.value.map((entry) => ({ ...entry, ...fromRtype(entry.rtype) }));
      return { data, total: data.length, meta: { source: 'rankin' }, from: [history] };
    },
  );
}

const isWhole = (choice: HistoryValues) => canonicalQuery({ ...choice }) === '';

/** The chosen entries, oldest first. */
function choose<Row extends { readonly type?: string | undefined }>(
  all: readonly Row[],
  { type, lim }: HistoryValues,
) {
  const ofType = type === undefined ? all : all.filter((each) => each.type === type);
  return lim === undefined ? ofType : ofType.slice(-lim);
}

/** The chosen part of a history, made of the whole. */
function partOfHistory(services: EndpointServices, ncode: string, choice: HistoryValues): Question {
  const whole = rankingHistoryOf(services, ncode);
  const key = `${whole.key}?${canonicalQuery({ ...choice })}`;
  return questionOf(services, { key, memoryBytes: BYTES_A_HISTORY }, async (_requester, { cache }) => {
    const entry = await cache.get(whole, RANKING_HISTORY);
    const data = choose(JSON.parse(entry.data.toString()) as RankingHistoryEntry[], choice);
    return { data, total: data.length, meta: entry.meta as EndpointMeta, from: [], madeOf: [entry] };
  });
}

/** `meta.until`, on histories. */
const KNOWN_UNTIL = {
  until: dateSchema(
    'From a local catalogue: the last day up to which all rankings are included.',
    'ローカルカタログの場合: すべてのランキングがそろっている最後の日。',
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
  name: 'getRankingHistory',
  path: '/v1/novels/:ncode/ranking-history',
  summary: text('Get the ranking history of a novel', '小説が載ったランキングを取得する'),
  description: text(
    'Every ranking (300 entries each) that contains the novel, by date. Empty if it never ranked.',
    '小説が載った、保存されているすべてのランキング（各 300 位まで）を日付順に。載ったことがなければ空です。',
  ),
  cache: RANKING_HISTORY,
  client: { method: 'rankingHistory' },
  command: ['history', 'ncode'],
  // prettier-ignore
  examples: [
    { name: 'ranksOverTime', path: { ncode: EXAMPLES.ncode },
      title: text('Follow the ranks of a novel', '小説の順位の推移をたどる') },
  ],
  group: 'Novels',
  pathTable: { ncode: NCODE_IN_PATH },
  queryTable: HISTORY_PARAMETERS,
  source: 'rankin',
  data: z.array(RANKING_HISTORY_ENTRY),
  meta: KNOWN_UNTIL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  question: (services, { path: { ncode }, query }) =>
    isWhole(query) ? rankingHistoryOf(services, ncode) : partOfHistory(services, ncode, query),
  forms: {
    table: ({ data }) => ({ columns: COLUMNS, rows: data as object[] }),
  },
});

const isError = (error: unknown, ...codes: CatalogueErrorCode[]): error is ServiceError =>
  error instanceof ServiceError && (codes as string[]).includes(error.code);

/** By Ncode; null for a novel that does not exist. Unknown ones are missing. */
type Histories = Readonly<Record<string, readonly RankingHistoryEntry[] | null>>;

/** The JSON of the chosen part; of a novel that does not exist, null. */
function historyJson(entry: CacheEntry | undefined, choice: HistoryValues): Buffer {
  if (entry?.status !== 200) return Buffer.from('null');
  if (isWhole(choice)) return entry.data;
  const all = JSON.parse(entry.data.toString()) as RankingHistoryEntry[];
  return Buffer.from(JSON.stringify(choose(all, choice)));
}

/** Loads a history, and writes its line when it is to be sent: the cache and other streams share what it is made of. */
async function loadHistory(
  services: EndpointServices,
  ncode: string,
  choice: HistoryValues,
): Promise<() => Buffer> {
  try {
    const { entry } = await services.cache.get(rankingHistoryOf(services, ncode), RANKING_HISTORY);
    if (entry.status !== 200) throw cachedError(entry);
    const { until, missing, unreadable } = entry.meta;
    const lacks = JSON.stringify({ until, missing, unreadable }).slice(1, -1);
    const before = Buffer.from(`{"ncode":"${ncode}","data":`);
    const after = Buffer.from(`${lacks && `,${lacks}`}}\n`);
    return () => Buffer.concat([before, historyJson(entry, choice), after]);
  } catch (error) {
    const failure = asServiceError(error);
    services.reportFailure(failure);
    const { retryAfterSeconds } = failure;
    const line = Buffer.from(`${JSON.stringify({ ncode, ...toErrorBody(failure), retryAfterSeconds })}\n`);
    return () => line;
  }
}

async function* historyLines(
  services: EndpointServices,
  { ncode = [], ...choice }: HistoryValues & { ncode?: string[] },
) {
  const histories = mapUnordered(ncode, { atOnce: AT_ONCE }, (each) => loadHistory(services, each, choice));
  for await (const writeLine of histories) yield writeLine();
}

/** Other forms than JSON have no null. */
const ABSENT_NCODES = z
  .array(z.string())
  .optional()
  .meta({
    en: 'Requested Ncodes of novels that do not exist.',
    ja: '存在しない小説の Nコード。',
    example: ['N9999ZZ'],
  });

const NCODES = ncodeList({
  en: 'Ncodes, separated by commas: at most 50 on the live upstream, at most 500 on a local catalogue.',
  ja: 'Nコード。カンマ区切り。実際の取得元では 50 個まで、ローカルカタログでは 500 個まで。',
  example: EXAMPLES.ncode,
  required: true,
});

export const listRankingHistories = defineEndpoint({
  name: 'listRankingHistories',
  path: '/v1/ranking-histories',
  summary: text('Get the ranking histories of many novels', '複数の小説のランキング履歴を取得する'),
  description: text(
    'The response of `/v1/novels/{ncode}/ranking-history` for up to 50 novels (500 on a local catalogue): an object by Ncode, null for a novel that does not exist. Each uncached history costs one upstream request of your daily share, an empty one some more; the request itself counts once. If one fails, the response is its error; a repeated request resumes. With `format=ndjson` each history is a line, `{ncode, data}` or `{ncode, error}`, sent as soon as it is ready.',
    '`/v1/novels/{ncode}/ranking-history` のレスポンスを、一度に 50 作品まで（ローカルカタログでは 500 作品まで）返します。Nコードをキーとするオブジェクトで、存在しない小説は null です。キャッシュにない履歴は、1 件につき取得元へのリクエスト 1 回（順位のない作品ではさらに数回）を 1 日の割り当てから消費します（このリクエスト自体は 1 回と数えます）。1 件でも失敗するとそのエラーを返し、再試行すると続きから取得します。`format=ndjson` では、推移が届くたびに 1 行（`{ncode, data}` か `{ncode, error}`）を返します。',
  ),
  cache: fresh(1 * MINUTE),
  client: { method: 'rankingHistories', first: 'ncode' },
  // prettier-ignore
  examples: [
    { name: 'manyHistories', query: { ncode: `${EXAMPLES.ncode},N1935WF` },
      title: text('Follow the ranks of several novels', 'いくつもの小説の順位の推移をたどる') },
  ],
  group: 'Rankings',
  queryTable: { ncode: NCODES, ...HISTORY_PARAMETERS },
  source: 'rankin',
  data: z.record(z.string(), z.array(RANKING_HISTORY_ENTRY).nullable()),
  meta: { ...KNOWN_UNTIL, ...UNKNOWN_NCODES, absent: ABSENT_NCODES },
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS],
  check: ({ source }, { query: { ncode = [] } }) => {
    const max = source.maxHistories();
    if (ncode.length <= max) return [];
    const reason = NOVEL_FAULTS.tooManyHere(ncode.length, max).en;
    return [
      {
        ...parameterFault('ncode', NCODES, ncode.join(), reason),
        allowed: NOVEL_ALLOWED.fewerNcodes(max).en,
      },
    ];
  },
  question: (services, { query: { ncode: ncodes = [], ...choice } }) => ({
    ...questionOf(
      services,
      {
        key: `ranking-histories?${canonicalQuery({ ncode: ncodes, ...choice })}`,
        memoryBytes: ncodes.length * BYTES_A_HISTORY,
      },
      async (_requester, { cache, nextTurn }) => {
        const questions = ncodes.map((ncode) => rankingHistoryOf(services, ncode));
        const unknown = new Set<string>();
        const entries = await getMany(questions, RANKING_HISTORY, cache, (error, index) => {
          if (error instanceof UnknownNovel && isError(error, 'not_available_here', 'catalogue_outdated'))
            return unknown.add(ncodes[index] ?? '').size > 0;
          return isError(error, 'not_found');
        });
        const members: Buffer[] = [];
        for (const [index, ncode] of ncodes.entries()) {
          if (unknown.has(ncode)) continue;
          await nextTurn();
          const key = `${members.length === 0 ? '' : ','}"${ncode}":`;
          members.push(Buffer.from(key), historyJson(entries[index], choice));
        }
        const data = Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')]);
        const absent = ncodes.filter((ncode, at) => !unknown.has(ncode) && entries[at]?.status !== 200);
        const madeOf = entries.filter((entry) => entry !== undefined);
        const meta = {
          source: 'rankin',
          ...(absent.length > 0 && { absent }),
          ...(unknown.size > 0 && { unknown: [...unknown] }),
        } as const;
        return { data, total: ncodes.length, meta, from: [], madeOf };
      },
    ),
    isComposed: true,
  }),
  forms: {
    table: ({ data }) => ({
      columns: ['ncode', ...COLUMNS],
      rows: Object.entries(data as Histories).flatMap(
        ([ncode, history]) => history?.map((entry) => ({ ncode, ...entry })) ?? [],
      ),
    }),
    linesDescription: text(
      '`{ncode, data}` or `{ncode, error}` per line, for each requested Ncode, in any order. `until`, `missing` and `unreadable` as in `meta`.',
      'Nコードごとに `{ncode, data}` か `{ncode, error}` の 1 行。順不同。`until`、`missing`、`unreadable` は `meta` のものと同じです。',
    ),
    lines: ({ query }, services) => ({
      total: query.ncode?.length,
      memoryBytes: BYTES_A_HISTORY,
      lines: () => historyLines(services, query),
    }),
  },
});
