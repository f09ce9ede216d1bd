import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Question } from '@mokuroku/kit/cache';
import type { Requester } from '@mokuroku/kit/upstream';
import type { FoundNovel, OfSelection, Provenance } from '@mokuroku/narou/source';
import { EXAMPLES } from '@mokuroku/narou';
import type { DatedRanking, RankingEntry, RankingType } from '@mokuroku/narou';
import { NOVEL_OF, RANKING_FACETS, RANKING_FILTERS, faultsOfSearch } from '@mokuroku/narou/queries';
import { HYDRATED_RANKING, PAST_HYDRATED_RANKING, RANKING, WITH_UNKNOWN } from './cache-policies.ts';
import { defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { feedCodes, rankingFeed } from '../forms/novel-feed.ts';
import { DATED_HYDRATED_RANKING, HYDRATED_RANKING_ENTRY, novelTable } from './novel-schemas.ts';
import { titleOfQuestion } from '../forms/describe-conditions.ts';
import { questionOf } from './catalogue-answer.ts';
import { NARROWED_META, narrowRankings, readNarrowing } from './narrow-ranking.ts';
import type { EndpointMeta } from './catalogue-answer.ts';
import { rankingOf, requestedRanking } from './ranking-choice.ts';
import type { RankingRequest } from './ranking-choice.ts';
import {
  RANKING_ENDPOINT,
  RANKING_PARAMETERS,
  rowsByDate,
  faultsOfRankings,
  rankingsBetween,
} from './ranking-span.ts';
import { text } from '@mokuroku/kit';

/** The question for the requested ranking with its novels. */
export const requestedHydratedRanking = (
  services: EndpointServices,
  request: RankingRequest,
  of: OfSelection,
): Question =>
  requestedRanking(
    services,
    request,
    (date) => hydratedRankingOf(services, request.type, date, withoutNcode(of)),
    HYDRATED_RANKING,
  );

/** The entry has the Ncode already. */
const withoutNcode = (of: OfSelection): OfSelection => of?.filter((code) => code !== 'n');

const hydratedKey = (ranking: string, of: OfSelection) => `${ranking}/hydrated?of=${of?.join('-') ?? '*'}`;

/** A novel that is unknown has no fields, like one that was withdrawn; so its entry says why. */
const joined = (entry: RankingEntry, novel: FoundNovel | undefined) => {
  switch (novel?.state) {
    case 'found':
      return { ...entry, ...novel.record };
    case 'unknown':
      return { ...entry, unknown: novel.reason.code };
    default:
      return entry;
  }
};

/** Maximum Ncodes of one `find`, see NovelSource. */
const MAX_FOUND = 500;

/** The novels of some entries, each requested once. Throws the reason if all are unknown. */
async function findNovels(
  { source }: EndpointServices,
  entries: readonly RankingEntry[],
  of: OfSelection,
  requester: Requester,
) {
  const ncodes = [...new Set(entries.map(({ ncode }) => ncode))];
  const novels = new Map<string, FoundNovel | undefined>();
  const from: Provenance[] = [];
  for (let start = 0; start < ncodes.length; start += MAX_FOUND) {
    const some = ncodes.slice(start, start + MAX_FOUND);
    const found = await source.novels.novelapi.find(some, of, requester);
    for (const [at, ncode] of some.entries()) novels.set(ncode, found.value[at]);
    from.push(found);
  }
  const [unknown, ...more] = [...novels.values()].filter((novel) => novel?.state === 'unknown');
  if (unknown && more.length + 1 === novels.size) throw unknown.reason;
  return {
    join: (entry: RankingEntry) => joined(entry, novels.get(entry.ncode)),
    policy: unknown && WITH_UNKNOWN,
    from,
  };
}

/** Made of the cached raw ranking and its novels in one request. */
function hydratedRankingOf(
  services: EndpointServices,
  type: RankingType,
  date: string,
  of: OfSelection,
): Question {
  const { question, isFinal } = rankingOf(services, type, date);
  return questionOf(services, hydratedKey(question.key, of), async (requester, cache) => {
    const raw = await cache.get(question, RANKING);
    const entries = JSON.parse(raw.data.toString()) as RankingEntry[];
    const { join, policy, from } = await findNovels(services, entries, of, requester);
    return {
      data: entries.map(join),
      total: entries.length,
      meta: { source: 'hydrated', date },
      policy: policy ?? (isFinal ? PAST_HYDRATED_RANKING : undefined),
      from,
      madeOf: [raw],
    };
  });
}

/** Several rankings with their novels. A novel is requested once, however many of them it is in. */
function joinRankings(services: EndpointServices, rankings: Question, selected: OfSelection): Question {
  const of = withoutNcode(selected);
  const question = questionOf(services, hydratedKey(rankings.key, of), async (requester, cache) => {
    const raw = await cache.get(rankings, RANKING);
    const dated = JSON.parse(raw.data.toString()) as DatedRanking[];
    const all = dated.flatMap(({ entries }) => entries);
    const { join, policy, from } = await findNovels(services, all, of, requester);
    const parts: Buffer[] = [];
    for (const [at, { date, entries }] of dated.entries()) {
      const ranking = JSON.stringify({ date, entries: entries.map(join) });
      parts.push(Buffer.from(at === 0 ? ranking : `,${ranking}`));
      // A month with all fields has 11 MB: other requests run in between.
      await setImmediate();
    }
    return {
      data: Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]),
      total: dated.length,
      meta: { ...(raw.meta as EndpointMeta), source: 'hydrated' },
      policy,
      from,
      madeOf: [raw],
    };
  });
  return { ...question, isComposed: true };
}

/** The ranking of a date, or those of a span, with their novels. */
function wholeRankings(
  services: EndpointServices,
  type: RankingType,
  { date, from, to, lim }: { date?: string; from?: string; to?: string; lim?: number | undefined },
  of: OfSelection,
): Question {
  if (from === undefined) return requestedHydratedRanking(services, { type, date, lim }, of);
  return joinRankings(services, rankingsBetween(services, type, { from, to }, lim), of);
}

export const getHydratedRanking = defineEndpoint({
  ...RANKING_ENDPOINT,
  summary: text('Get a ranking with its novels', 'ランキングを作品の情報つきで取得する'),
  description: text(
    "A ranking (with `from` and `to` several, each as `{date, entries}`), each entry with the fields of its novel that `of` selects. The novel's points and counts are current, not those of the ranking's date. An entry whose novel was withdrawn has only rank, pt and ncode; with `unknown`, it is not known whether there is such a novel. The filters are those of a search, by the present fields; ranks remain those of the whole ranking. An entry whose novel was withdrawn or is unknown matches no filter.",
    'ランキング（`from` と `to` ではいくつものランキングを `{date, entries}` で）の各順位に、`of` で選んだ作品の項目が付きます。ポイントや件数は、その日ではなく現在のものです。取得できなくなった作品（削除、非公開、検索除外）は rank、pt、ncode だけになります。`unknown` があれば、その作品が存在するかどうかは不明です。条件は検索と同じで、現在の項目で絞り込みます。順位はランキング全体のものです。取得できなくなった作品と不明な作品は、どの条件にも合いません。',
  ),
  query: { ...RANKING_PARAMETERS, of: NOVEL_OF, ...RANKING_FILTERS, facets: RANKING_FACETS },
  source: 'hydrated',
  data: z.union([z.array(HYDRATED_RANKING_ENTRY), z.array(DATED_HYDRATED_RANKING)]).meta({
    en: 'Entries by rank with their novels; with `from` several rankings by date.',
    ja: '順位ごとの作品。`from` では日付ごとのランキング。',
    example: [{ rank: 1, pt: 7700, ncode: EXAMPLES.ncode, title: EXAMPLES.title }],
  }),
  meta: { ...RANKING_ENDPOINT.meta, ...NARROWED_META },
  check: (services, values) => [...faultsOfRankings(services, values), ...faultsOfSearch(services, values)],
  question: (services, { path: { type }, query }, form) => {
    const fields = form === 'atom' ? feedCodes('novelapi') : query.of;
    const narrowing = readNarrowing(query);
    if (narrowing.key === '') return wholeRankings(services, type, query, fields);
    const whole = { ...query, lim: undefined };
    return narrowRankings(services, type, narrowing, fields, (of) =>
      wholeRankings(services, type, whole, of),
    );
  },
  forms: {
    csv: ({ data }, { query: { from, of } }) => {
      const dated = from === undefined ? [] : ['date'];
      const rows = from === undefined ? (data as object[]) : rowsByDate(data as DatedRanking[]);
      const after = rows.some((row) => 'unknown' in row) ? ['unknown'] : [];
      return novelTable(rows, 'novelapi', of, { before: [...dated, 'rank', 'pt', 'ncode'], after });
    },
    atom: (answer, { path: { type }, query }, reading) => {
      const feed = rankingFeed(answer, type, query, reading);
      const { key } = readNarrowing(query);
      if (key === '') return feed;
      return {
        ...feed,
        id: `${feed.id}?${key}`,
        title: titleOfQuestion(feed.title, new URLSearchParams(key), reading.language),
      };
    },
  },
});
