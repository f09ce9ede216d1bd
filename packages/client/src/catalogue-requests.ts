import { isRecord } from '@mokuroku/kit/json';
import { findNcode } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import { searchInParts } from './pages.ts';
import { asJson, createTransport, errorOf, fetchBody, pathSegment } from './fetch-body.ts';
import type { CallOptions, ClientOptions, Json, Query, Transport } from './fetch-body.ts';
import type {
  AdultNovel,
  AdultNovelSearch,
  AdultOfCode,
  Answer,
  Change,
  ChangesMeta,
  ChangesSearch,
  CodeLabel,
  DatedHydratedRanking,
  DatedRanking,
  HydratedRankingEntry,
  HistoryChoice,
  HistoryMeta,
  Meta,
  Novel,
  NovelOfCode,
  NarrowedMeta,
  NovelSearch,
  RankingEntry,
  RankingFilters,
  RankingHistories,
  RankingHistoryEntry,
  RankingMeta,
  RankingSpanMeta,
  SearchMeta,
  SelectedAdultNovel,
  SelectedNovel,
  Suggestions,
  User,
  UserSearch,
} from './records.ts';

export type With<Search, Of> = Omit<Search, 'of'> & { readonly of?: Of };
export type NovelOf = readonly NovelOfCode[] | undefined;
export type AdultOf = readonly AdultOfCode[] | undefined;
/** `lim`: number of entries; default: all. */
type EntryLimit = { readonly lim?: number | undefined };
type DateChoice = EntryLimit & { readonly date?: string | undefined };
type RankingDays = EntryLimit & { readonly from: string; readonly to?: string | undefined };

export const DEFAULT_CATALOGUE_URL = 'http://127.0.0.1:3000';

/** Also of a pasted address of the novel. */
const ncodeSegment = (text: string): string => pathSegment(findNcode(text) ?? text);

/** Members of `meta` that the client reads. */
const META = {
  upstreamAllCount: 'number',
  unreadable: 'number',
  asOf: 'string',
  until: 'string',
  next: 'string',
};

const isMeta = (meta: unknown) =>
  isRecord(meta) &&
  Object.entries(META).every(([name, type]) => ['undefined', type].includes(typeof meta[name])) &&
  ['unknown', 'missing'].every((name) => Array.isArray(meta[name] ?? []));
const isEnvelope = ({ data, meta }: Json) => isMeta(meta) && isRecord(data);
const isListEnvelope = ({ data, meta }: Json) => isMeta(meta) && Array.isArray(data) && data.every(isRecord);

type Get = ReturnType<typeof createGet>;

/** Requests one record or a list. */
function createGet(transport: Transport) {
  async function get<Data, AnswerMeta extends Meta>(
    path: string,
    query: object,
    isOurs: (body: Json) => boolean,
    call: CallOptions | undefined,
  ): Promise<Answer<Data, AnswerMeta>> {
    const read = asJson<Omit<Answer<Data, AnswerMeta>, 'response'>>(isOurs);
    const { data: envelope, response } = await fetchBody(transport, path, query as Query, read, call);
    return { ...envelope, response };
  }
  return {
    one: <Data, AnswerMeta extends Meta = Meta>(path: string, query: object, call: CallOptions | undefined) =>
      get<Data, AnswerMeta>(path, query, isEnvelope, call),
    list: <Item, AnswerMeta extends Meta>(path: string, query: object, call: CallOptions | undefined) =>
      get<Item[], AnswerMeta>(path, query, isListEnvelope, call),
  };
}

/** The searches. */
function searches({ list }: Get) {
  return {
    /** GET /v1/novels; by any number of Ncodes, which are sorted within each 500 of them */
    novels: <const Of extends NovelOf = undefined>(search: With<NovelSearch, Of> = {}, call?: CallOptions) =>
      searchInParts(
        (part) => list<SelectedNovel<Of>, SearchMeta>('/v1/novels', { ...search, ...part }, call),
        search,
      ),
    /** GET /v1/r18/novels: metadata of adult novels */
    adultNovels: <const Of extends AdultOf = undefined>(
      search: With<AdultNovelSearch, Of> = {},
      call?: CallOptions,
    ) =>
      searchInParts(
        (part) => list<SelectedAdultNovel<Of>, SearchMeta>('/v1/r18/novels', { ...search, ...part }, call),
        search,
      ),
    /** GET /v1/users */
    users: (search: UserSearch = {}, call?: CallOptions) => list<User, SearchMeta>('/v1/users', search, call),
    /** GET /v1/changes: a page of events after a cursor; needs a local catalogue */
    changes: async (search: ChangesSearch = {}, call?: CallOptions) => {
      const answer = await list<Change, ChangesMeta>('/v1/changes', search, call);
      const { data, meta } = answer;
      // Stored instead of the last one, an empty cursor would lose the position.
      const isCursor = (cursor: unknown) => typeof cursor === 'string' && cursor !== '';
      const hasCursors = isCursor(meta.next) && data.every(({ cursor }) => isCursor(cursor));
      if (!hasCursors) throw errorOf(answer.response, undefined, undefined);
      return answer;
    },
  };
}

/** Single records and tables. */
function records({ one, list }: Get) {
  return {
    /** GET /v1/novels/:ncode (any case, or in an address of the novel at the site) */
    novel: (ncode: string, call?: CallOptions) => one<Novel>(`/v1/novels/${ncodeSegment(ncode)}`, {}, call),
    /** GET /v1/novels/:ncode/ranking-history; empty for a novel that never ranked */
    rankingHistory: (ncode: string, choice: HistoryChoice = {}, call?: CallOptions) =>
      list<RankingHistoryEntry, HistoryMeta>(
        `/v1/novels/${ncodeSegment(ncode)}/ranking-history`,
        choice,
        call,
      ),
    /** GET /v1/rankings/:type; without `date` the newest */
    ranking: (type: RankingType, choice: DateChoice = {}, call?: CallOptions) =>
      list<RankingEntry, RankingMeta>(`/v1/rankings/${pathSegment(type)}`, choice, call),
    /** GET /v1/rankings/:type/hydrated; withdrawn novels have no fields, unknown ones `unknown` */
    hydratedRanking: <const Of extends NovelOf = undefined>(
      type: RankingType,
      choice: DateChoice & RankingFilters & { readonly of?: Of } = {},
      call?: CallOptions,
    ) =>
      list<HydratedRankingEntry<Of>, RankingMeta & NarrowedMeta>(
        `/v1/rankings/${pathSegment(type)}/hydrated`,
        choice,
        call,
      ),
    /** GET /v1/suggest: completions of the typed text; not on the live upstream */
    suggest: (choice: { readonly q: string; readonly lim?: number | undefined }, call?: CallOptions) =>
      one<Suggestions>('/v1/suggest', choice, call),
    /** GET /v1/users/:userid */
    user: (userid: number | string, call?: CallOptions) =>
      one<User>(`/v1/users/${pathSegment(userid)}`, {}, call),
    /** GET /v1/r18/novels/:ncode */
    adultNovel: (ncode: string, call?: CallOptions) =>
      one<AdultNovel>(`/v1/r18/novels/${ncodeSegment(ncode)}`, {}, call),
    /** GET /v1/meta/genres */
    genres: (call?: CallOptions) =>
      one<{ genres: CodeLabel[]; biggenres: CodeLabel[] }>('/v1/meta/genres', {}, call),
    /** GET /v1/meta/nocgenres */
    nocgenres: (call?: CallOptions) => one<{ nocgenres: CodeLabel[] }>('/v1/meta/nocgenres', {}, call),
  };
}

/** Several rankings or histories, as many as one request may have. */
function many({ one, list }: Get) {
  return {
    /** GET /v1/ranking-histories: at most 50 novels; 500 on a local catalogue */
    rankingHistories: (ncodes: readonly string[], choice: HistoryChoice = {}, call?: CallOptions) =>
      one<RankingHistories, HistoryMeta>('/v1/ranking-histories', { ncode: ncodes, ...choice }, call),
    /** GET /v1/rankings/:type: at most 31 rankings between two dates; without `to` up to the newest */
    rankingsBetween: (type: RankingType, span: RankingDays, call?: CallOptions) =>
      list<DatedRanking, RankingSpanMeta>(`/v1/rankings/${pathSegment(type)}`, span, call),
    /** GET /v1/rankings/:type/hydrated: at most 31 rankings, each with its novels */
    hydratedRankingsBetween: <const Of extends NovelOf = undefined>(
      type: RankingType,
      span: RankingDays & RankingFilters & { readonly of?: Of },
      call?: CallOptions,
    ) =>
      list<DatedHydratedRanking<Of>, RankingSpanMeta & NarrowedMeta>(
        `/v1/rankings/${pathSegment(type)}/hydrated`,
        span,
        call,
      ),
  };
}

/** See `createCatalogueRequests`. */
export type CatalogueRequests = ReturnType<typeof createCatalogueRequests>;

/** The calls of the catalogue client that have one answer; the page bundles only these. */
export function createCatalogueRequests(
  options: ClientOptions,
  transport = createTransport(options, DEFAULT_CATALOGUE_URL),
) {
  const get = createGet(transport);
  return { ...searches(get), ...records(get), ...many(get) };
}
