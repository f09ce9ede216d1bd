import { MokurokuError } from 'mokuroku-client/source';
import type {
  AdultNovelSearch,
  Answer,
  NovelOfCode,
  NovelSearch as ClientSearch,
  RankingFilters,
  SearchMeta,
} from 'mokuroku-client/source';
import { createCatalogueRequests } from 'mokuroku-client/parts';
import type { CatalogueRequests } from 'mokuroku-client/parts';
import { japanDay } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { loadPart } from '../shell/answers.ts';
import { ADULT_COUNTED, COUNTED } from './conditions.ts';
import { MAX_POINTS, entriesDrawn } from './rank-history.ts';
import { figureOf } from './novel-record.ts';
import type { AnyNovel, ComparedNovels } from './novel-record.ts';
import { MAX_COMPARED, PAGE_LENGTH, isAdult } from './view.ts';
import { rankingParameters, searchParameters, worksParameters } from './view-lists.ts';
import type { ChartView, SearchInput, View, ViewOf } from './view.ts';

// The requests of the views. They select only the fields shown, a third of the bytes of a full record.

const ROW_FIELDS = ['t', 'n', 'u', 'w', 's', 'g', 'nt', 'e', 'ga', 'l', 'ti', 'i', 'ir', 'gl', 'gp', 'f'];
const ADULT_ROW_FIELDS = ROW_FIELDS.filter((code) => !['u', 'g', 'ir'].includes(code)).concat('ng');
const RANKED_FIELDS = ['t', 'n', 'u', 'w', 'g', 'nt', 'e', 'ga', 'l', 'i', 'ir', 'its', 'iti', 'gl'] as const;

/** The key consists of everything that the response depends on. */
export function question<Whole extends Answered>(
  parts: readonly unknown[],
  load: (client: CatalogueRequests, call: { signal: AbortSignal }) => Promise<Whole>,
): ApiQuestion<Whole> {
  return {
    key: JSON.stringify(parts),
    // Only what the page requests is bundled: neither streams nor look-ups.
    load: (service, signal) => load(createCatalogueRequests(service), { signal }),
  };
}

const pageBounds = (st: number) => ({ lim: PAGE_LENGTH, ...(st > 1 && { st }) });

/**
 * Filters are sent as they stand in the URL: the service reports invalid ones. `isLocal`: all matches are counted
 * too, unless the source does not support it for these filters.
 */
export function novelsQuestion(search: SearchInput, isLocal: boolean) {
  const { adult } = search;
  const of = [...new Set([...(adult ? ADULT_ROW_FIELDS : ROW_FIELDS), figureOf(search.order)?.code ?? 't'])];
  const parameters: unknown = { ...searchParameters(search), ...pageBounds(search.st), of };
  const counted = { ...(parameters as object), facets: adult ? ADULT_COUNTED : COUNTED };
  return question([adult, isLocal, parameters], (client, call) => {
    const request = (conditions: unknown): Promise<Answer<AnyNovel[], SearchMeta>> =>
      adult
        ? client.adultNovels(conditions as AdultNovelSearch, call)
        : client.novels(conditions as ClientSearch, call);
    if (!isLocal) return request(parameters);
    return request(counted).catch((error: unknown) => {
      if (error instanceof MokurokuError && error.code === 'not_available_here') return request(parameters);
      throw error;
    });
  });
}

/** Number of suggestions of each kind. */
const SUGGESTED = 5;

/** Suggestions for a partly typed text. */
export const suggestQuestion = (typed: string) =>
  question(['suggest', typed], (client, call) => client.suggest({ q: typed, lim: SUGGESTED }, call));

export const oneNovelQuestion = ({ ncode, adult }: ViewOf<'novel'>) =>
  question(['novel', ncode, adult], (client, call): Promise<Answer<AnyNovel>> =>
    adult ? client.adultNovel(ncode, call) : client.novel(ncode, call),
  );

/** The entries that a chart draws. */
const drawnBy = ({ period, span }: ChartView, most: number) => ({
  type: period,
  lim: entriesDrawn(period, span, most),
});

/** What the chart draws, with its script, which only a novel's view needs. `never`: no ranking has the novel. */
export function historyQuestion({ ncode, period, span }: ViewOf<'novel'>) {
  const chart = { period, span };
  return question(['history', ncode, chart], async (client, call) => {
    const [answer, { HistoryChart: View }] = await Promise.all([
      client.rankingHistory(ncode, drawnBy(chart, MAX_POINTS.alone), call),
      loadPart(import('./history.tsx')),
    ]);
    const never =
      answer.data.length === 0 && (await client.rankingHistory(ncode, { lim: 1 }, call)).data.length === 0;
    return { ...answer, View, chart: { ...chart, today: japanDay(answer.response.sentAt) }, never };
  });
}

/** More than the episodes of a novel in the two weeks of changes. */
const MAX_EPISODES = 500;

/** The episodes of a novel noticed by a local catalogue; other sources do not support the request. */
export const episodesQuestion = (ncode: string) =>
  question(['episodes', ncode], (client, call) =>
    client.changes({ ncode, kind: 'episode', lim: MAX_EPISODES }, call),
  );

/** A ranking with its filters. */
export function boardQuestion(view: ViewOf<'ranking'>) {
  const { type } = view;
  const choice = { ...(rankingParameters(view) as RankingFilters), of: RANKED_FIELDS };
  return question(['board', type, choice], (client, call) => client.hydratedRanking(type, choice, call));
}

/** The ranks alone, for the movements of another ranking. */
export const placesQuestion = (type: RankingType, date: string) =>
  question(['places', type, date], (client, call) => client.ranking(type, { date }, call));

const COMPARED_FIELDS = [...ROW_FIELDS, ...'dp wp mp qp yp ah r imp ka gf'.split(' ')] as NovelOfCode[];

/** The first novels of a comparison with what the chart draws; `missing`: the codes among them without a novel. */
export function compareQuestion({ ncodes: all, period, span }: ViewOf<'compare'>) {
  if (all.length === 0) return null;
  const ncodes = all.slice(0, MAX_COMPARED);
  const chart = { period, span };
  return question(['compare', ncodes, chart], async (client, call) => {
    const [{ Comparison: View }, { data, meta, response }, histories] = await Promise.all([
      loadPart(import('./comparison.tsx')),
      client.novels({ ncode: ncodes, lim: ncodes.length, of: COMPARED_FIELDS }, call),
      client.rankingHistories(ncodes, drawnBy(chart, MAX_POINTS.compared), call),
    ]);
    const compared = ncodes.flatMap((ncode): ComparedNovels[] => {
      const novel = data.find((each) => each.ncode === ncode);
      return novel ? [{ novel, history: histories.data[ncode] ?? [] }] : [];
    });
    const missing = ncodes.filter((ncode) => data.every((each) => each.ncode !== ncode));
    const today = japanDay(response.sentAt);
    return { data: compared, chart: { ...chart, today }, missing, View, meta, response };
  });
}

export const userQuestion = ({ userid }: ViewOf<'author'>) =>
  question(['user', userid], (client, call) => client.user(userid, call));

export function worksQuestion(view: ViewOf<'author'>) {
  const { userid, st } = view;
  const parameters: unknown = { ...worksParameters(view), ...pageBounds(st), of: ROW_FIELDS };
  return question(['works', userid, st], (client, call) => client.novels(parameters as ClientSearch, call));
}

export const usersQuestion = ({ word, st }: ViewOf<'authors'>) =>
  question(['users', word, st], (client, call) =>
    client.users({ ...(word !== '' && { word }), order: 'sumglobalpoint', ...pageBounds(st) }, call),
  );

type FirstQuestion<Name extends View['name']> = (
  view: ViewOf<Name>,
  isLocal: boolean,
) => ApiQuestion<Answered> | null;

const FIRST: { readonly [Name in View['name']]: FirstQuestion<Name> } = {
  search: novelsQuestion,
  ranking: boardQuestion,
  novel: oneNovelQuestion,
  author: userQuestion,
  authors: usersQuestion,
  compare: compareQuestion,
  // Only this browser knows its content.
  shelf: () => null,
};

/** The first request of a view. Adult views have none: they wait for the reader's confirmation. */
export const firstQuestionOf = (view: View, isLocal: boolean) =>
  isAdult(view) ? null : (FIRST[view.name] as FirstQuestion<View['name']>)(view, isLocal);
