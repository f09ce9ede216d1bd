import { z } from 'zod';
import { keptError } from '../../cache/answer.ts';
import { ServiceError, asServiceError, toErrorBody } from '../../errors.ts';
import { asTheyCome } from '../../http/as-they-come.ts';
import type { RankingHistoryEntry } from '../catalogue-source.ts';
import { ncodeList } from '../novels/code-parameters.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { RANKING_HISTORY } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { AT_ONCE, getMany } from './many.ts';
import { RANKING_HISTORY_ENTRY } from './novel-schemas.ts';
import { dataOf, questionOf } from './question.ts';
import { RANKING_HISTORY_COLUMNS, rankingHistoryOf } from './get-ranking-history.ts';

const MAX_HISTORIES = 50;

const isNoNovel = (error: unknown) => error instanceof ServiceError && error.code === 'not_found';

/** By Ncode; null for a novel that does not exist. */
type Histories = Readonly<Record<string, readonly RankingHistoryEntry[] | null>>;

async function lineOf(services: EndpointServices, ncode: string): Promise<string> {
  try {
    const { answer } = await services.cache.get(rankingHistoryOf(services, ncode), RANKING_HISTORY);
    if (answer.status !== 200) throw keptError(answer);
    return `{"ncode":"${ncode}","data":${answer.data.toString()}}\n`;
  } catch (error) {
    const known = asServiceError(error);
    const { retryAfterSeconds } = known;
    return `${JSON.stringify({ ncode, ...toErrorBody(known), retryAfterSeconds })}\n`;
  }
}

export const listRankingHistories = defineEndpoint({
  summary: 'Get the rankings in which many novels stood',
  description:
    'What `/v1/novels/{ncode}/ranking-history` answers, for up to 50 novels: an object by Ncode, null for a novel that does not exist. Each history that is not kept costs one or two requests upstream, which count against your share of its day; the request itself counts once. Where one fails the answer is its error, and asking again goes on from what is kept. With `format=ndjson` each history is a line, `{ncode, data}` or `{ncode, error}`, that leaves as soon as it is there.',
  group: 'Rankings',
  path: {},
  query: {
    ncode: ncodeList(
      {
        description: `Ncodes, at most ${MAX_HISTORIES}, separated by commas.`,
        example: EXAMPLES.ncode,
        required: true,
      },
      MAX_HISTORIES,
    ),
  },
  source: 'rankin',
  data: z.record(z.string(), z.array(RANKING_HISTORY_ENTRY).nullable()),
  errors: ['invalid_parameter', ...UPSTREAM_ERRORS],
  ask: (services, { query: { ncode: ncodes = [] } }) => ({
    ...questionOf(services, `ranking-histories?${ncodes.join()}`, async (_asker, others) => {
      const questions = ncodes.map((ncode) => rankingHistoryOf(services, ncode));
      const answers = await getMany(questions, RANKING_HISTORY, others, isNoNovel);
      const data = Object.fromEntries(ncodes.map((ncode, index) => [ncode, dataOf(answers[index])]));
      const madeOf = answers.filter((answer) => answer !== undefined);
      return { data, meta: { source: 'rankin' }, madeOf, isDerived: true };
    }),
    isMany: true,
  }),
  forms: {
    csv: ({ data }) => ({
      columns: ['ncode', ...RANKING_HISTORY_COLUMNS],
      rows: Object.entries(data as Histories).flatMap(
        ([ncode, history]) => history?.map((entry) => ({ ncode, ...entry })) ?? [],
      ),
    }),
    ndjson: ({ query: { ncode: ncodes = [] } }, services) =>
      asTheyCome(ncodes, AT_ONCE, (ncode) => lineOf(services, ncode)),
  },
});
