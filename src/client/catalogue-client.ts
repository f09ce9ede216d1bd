import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import { createFetchJson, createSite, isRecord, pathSegment, systemPause } from './fetch-json.ts';
import type { CallOptions, ClientOptions, Json, Query } from './fetch-json.ts';
import { changePages, chunksOf, pagesOf, spansOf } from './pages.ts';
import type { Pages } from './pages.ts';
import { streamOf } from './stream-of.ts';
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
  Meta,
  Novel,
  NovelOfCode,
  NovelSearch,
  RankingEntry,
  RankingHistories,
  RankingHistoryEntry,
  RankingMeta,
  SearchMeta,
  SelectedAdultNovel,
  SelectedNovel,
  Suggestions,
  User,
  UserSearch,
} from './records.ts';

type With<Search, Of> = Omit<Search, 'of'> & { readonly of?: Of };
type NovelOf = readonly NovelOfCode[] | undefined;
type AdultOf = readonly AdultOfCode[] | undefined;
/** `lim`: number of entries; default: all. */
type EntryLimit = { readonly lim?: number | undefined };
type DateChoice = EntryLimit & { readonly date?: string | undefined };
type RankingDays = EntryLimit & { readonly from: string; readonly to?: string | undefined };

export const DEFAULT_CATALOGUE_URL = 'http://127.0.0.1:3000';

const isEnvelope = ({ data, meta }: Json) => isRecord(meta) && isRecord(data);
const isListEnvelope = ({ data, meta }: Json) =>
  isRecord(meta) && Array.isArray(data) && data.every(isRecord);

type Get = ReturnType<typeof createGet>;

/** Requests one record or a list; `get` rejects any other form. */
function createGet(site: ReturnType<typeof createSite>) {
  const fetchJson = createFetchJson(site);
  /** Not validated: the service's tests check that responses have the published form. */
  async function get<Data, AnswerMeta extends Meta>(
    path: string,
    query: object,
    isOurs: (body: Json) => boolean,
    call: CallOptions | undefined,
  ): Promise<Answer<Data, AnswerMeta>> {
    const { body, response } = await fetchJson(path, query as Query, isOurs, call);
    return { ...body, response } as unknown as Answer<Data, AnswerMeta>;
  }
  return {
    one: <Data>(path: string, query: object, call: CallOptions | undefined) =>
      get<Data, Meta>(path, query, isEnvelope, call),
    list: <Item, AnswerMeta extends Meta>(path: string, query: object, call: CallOptions | undefined) =>
      get<Item[], AnswerMeta>(path, query, isListEnvelope, call),
  };
}

/** The searches. Pages have 100 results unless `lim` says otherwise. */
function searches({ list }: Get) {
  /** GET /v1/novels */
  const novels = <const Of extends NovelOf = undefined>(
    search: With<NovelSearch, Of> = {},
    call?: CallOptions,
  ) => list<SelectedNovel<Of>, SearchMeta>('/v1/novels', search, call);
  /** GET /v1/r18/novels: metadata of adult novels */
  const adultNovels = <const Of extends AdultOf = undefined>(
    search: With<AdultNovelSearch, Of> = {},
    call?: CallOptions,
  ) => list<SelectedAdultNovel<Of>, SearchMeta>('/v1/r18/novels', search, call);
  /** GET /v1/users */
  const users = (search: UserSearch = {}, call?: CallOptions) =>
    list<User, SearchMeta>('/v1/users', search, call);
  return {
    novels,
    novelPages: <const Of extends NovelOf = undefined>(
      search: With<NovelSearch, Of> = {},
      call?: CallOptions,
    ): Pages<SelectedNovel<Of>> => pagesOf((page) => novels<Of>({ ...search, ...page }, call), search),
    adultNovels,
    adultNovelPages: <const Of extends AdultOf = undefined>(
      search: With<AdultNovelSearch, Of> = {},
      call?: CallOptions,
    ): Pages<SelectedAdultNovel<Of>> =>
      pagesOf((page) => adultNovels<Of>({ ...search, ...page }, call), search),
    users,
    userPages: (search: UserSearch = {}, call?: CallOptions): Pages<User> =>
      pagesOf((page) => users({ ...search, ...page }, call), search),
  };
}

/** Single records and tables. */
function records({ one, list }: Get) {
  return {
    /** GET /v1/novels/:ncode (any case) */
    novel: (ncode: string, call?: CallOptions) => one<Novel>(`/v1/novels/${pathSegment(ncode)}`, {}, call),
    /** GET /v1/novels/:ncode/ranking-history; empty for a novel that never ranked */
    rankingHistory: (ncode: string, call?: CallOptions) =>
      list<RankingHistoryEntry, Meta>(`/v1/novels/${pathSegment(ncode)}/ranking-history`, {}, call),
    /** GET /v1/rankings/:type; without `date` the newest */
    ranking: (type: RankingType, choice: DateChoice = {}, call?: CallOptions) =>
      list<RankingEntry, RankingMeta>(`/v1/rankings/${pathSegment(type)}`, choice, call),
    /** GET /v1/rankings/:type/hydrated; withdrawn novels have no fields */
    hydratedRanking: <const Of extends NovelOf = undefined>(
      type: RankingType,
      choice: DateChoice & { readonly of?: Of } = {},
      call?: CallOptions,
    ) =>
      list<HydratedRankingEntry<Of>, RankingMeta>(`/v1/rankings/${pathSegment(type)}/hydrated`, choice, call),
    /** GET /v1/suggest: completions of the typed text; not on the live upstream */
    suggest: (choice: { readonly q: string; readonly lim?: number | undefined }, call?: CallOptions) =>
      one<Suggestions>('/v1/suggest', choice, call),
    /** GET /v1/users/:userid */
    user: (userid: number | string, call?: CallOptions) =>
      one<User>(`/v1/users/${pathSegment(userid)}`, {}, call),
    /** GET /v1/r18/novels/:ncode */
    adultNovel: (ncode: string, call?: CallOptions) =>
      one<AdultNovel>(`/v1/r18/novels/${pathSegment(ncode)}`, {}, call),
    /** GET /v1/meta/genres */
    genres: (call?: CallOptions) =>
      one<{ genres: CodeLabel[]; biggenres: CodeLabel[] }>('/v1/meta/genres', {}, call),
    /** GET /v1/meta/nocgenres */
    nocgenres: (call?: CallOptions) => one<{ nocgenres: CodeLabel[] }>('/v1/meta/nocgenres', {}, call),
  };
}

/** All matches of a search in one request; needs a local catalogue. */
function streams(site: ReturnType<typeof createSite>) {
  return {
    /**
     * GET /v1/novels?format=ndjson: novel by novel from `st` on; without `lim` all. Throws if the list is incomplete.
     */
    novelStream: <const Of extends NovelOf = undefined>(
      search: With<NovelSearch, Of> = {},
      call?: CallOptions,
    ) => streamOf<SelectedNovel<Of>>(site, '/v1/novels', search, call),
    /** GET /v1/r18/novels?format=ndjson */
    adultNovelStream: <const Of extends AdultOf = undefined>(
      search: With<AdultNovelSearch, Of> = {},
      call?: CallOptions,
    ) => streamOf<SelectedAdultNovel<Of>>(site, '/v1/r18/novels', search, call),
  };
}

/** Changes of novels. */
function changeEvents({ list }: Get, pause: ClientOptions['pause']) {
  /** GET /v1/changes: a page of events after a cursor; needs a local catalogue */
  const changes = (search: ChangesSearch = {}, call?: CallOptions) =>
    list<Change, ChangesMeta>('/v1/changes', search, call);
  return {
    changes,
    /**
     * Every event behind `since`, oldest first, each with its cursor. With `everySeconds` it never ends, and polls at
     * this interval.
     */
    changesSince: (search: ChangesSearch & { readonly everySeconds?: number } = {}, call?: CallOptions) => {
      const { everySeconds, ...conditions } = search;
      const wait = pause ?? systemPause;
      return changePages(
        (since) => changes({ ...conditions, since }, call),
        conditions.since,
        everySeconds === undefined ? undefined : () => wait(everySeconds * 1000, call?.signal),
      );
    },
  };
}

/** Several rankings or histories: one request's worth, or pages of any number. */
function many({ one, list }: Get) {
  /** GET /v1/ranking-histories: at most 50 novels; 500 on a local catalogue */
  const rankingHistories = (ncodes: readonly string[], call?: CallOptions) =>
    one<RankingHistories>('/v1/ranking-histories', { ncode: ncodes }, call);
  /** GET /v1/rankings/:type: at most 31 rankings between two dates; without `to` up to the newest */
  const rankingsBetween = (type: RankingType, span: RankingDays, call?: CallOptions) =>
    list<DatedRanking, Meta>(`/v1/rankings/${pathSegment(type)}`, span, call);
  /** GET /v1/rankings/:type/hydrated: at most 31 rankings, each with its novels */
  const hydratedRankingsBetween = <const Of extends NovelOf = undefined>(
    type: RankingType,
    span: RankingDays & { readonly of?: Of },
    call?: CallOptions,
  ) => list<DatedHydratedRanking<Of>, Meta>(`/v1/rankings/${pathSegment(type)}/hydrated`, span, call);
  return {
    hydratedRankingsBetween,
    rankingHistories,
    /** Fifty novels a page. */
    rankingHistoryPages: (ncodes: readonly string[], call?: CallOptions) =>
      chunksOf(ncodes, (some) => rankingHistories(some, call)),
    rankingsBetween,
    /** Up to 31 rankings a page. */
    rankingPages: (
      type: RankingType,
      span: { readonly from: string; readonly to: string },
      call?: CallOptions,
    ) => spansOf(type, span, (part) => rankingsBetween(type, part, call)),
  };
}

/** See `createCatalogueClient`. */
export type CatalogueClient = ReturnType<typeof createCatalogueClient>;

/**
 * A client of a catalogue service, for browsers and Node: a method for each endpoint. It has no state and no
 * connection. Every call rejects with MokurokuError, or with the reason of its AbortSignal. The compiler knows the
 * fields of `of`: `client.novels({ of: ['t', 'w'] })` gives records with `title` and `writer` only.
 */
export function createCatalogueClient(options: ClientOptions = {}) {
  const site = createSite(options, DEFAULT_CATALOGUE_URL);
  const get = createGet(site);
  return {
    ...streams(site),
    ...searches(get),
    ...records(get),
    ...many(get),
    ...changeEvents(get, options.pause),
  };
}
