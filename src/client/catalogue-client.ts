import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import { createAsk } from './ask.ts';
import type { CallOptions, ClientOptions, Query } from './ask.ts';
import type { Answer } from './answer.ts';
import type {
  AdultOfCode,
  HydratedRankingEntry,
  NovelOfCode,
  RankingEntry,
  RankingHistoryEntry,
  SelectedAdultNovel,
  SelectedNovel,
} from './novel-types.ts';
import type { AdultNovel, Novel } from './novel-types.ts';
import { pagesOf } from './pages.ts';
import type {
  AdultNovelSearch,
  CodeLabel,
  NovelSearch,
  RankingMeta,
  SearchMeta,
  User,
  UserSearch,
} from './search-types.ts';

/** Pages of a search: `for await (const { data } of client.novelPages({ word: '異世界' })) ...` */
export type Pages<Item> = AsyncGenerator<Answer<Item[], SearchMeta>, void, undefined>;

type With<Search, Of> = Omit<Search, 'of'> & { readonly of?: Of };
type NovelOf = readonly NovelOfCode[] | undefined;
type AdultOf = readonly AdultOfCode[] | undefined;

/**
 * The eleven endpoints of the catalogue service. Every call rejects with MokurokuError, or with the reason of its
 * AbortSignal. What `of` selects is known to the compiler: `client.novels({ of: ['t', 'w'] })` gives records with
 * `title` and `writer` and nothing else.
 */
export interface CatalogueClient {
  /** GET /v1/novels */
  novels: <const Of extends NovelOf = undefined>(
    search?: With<NovelSearch, Of>,
    call?: CallOptions,
  ) => Promise<Answer<SelectedNovel<Of>[], SearchMeta>>;
  /** The pages of such a search, 100 results each where `lim` does not say otherwise. */
  novelPages: <const Of extends NovelOf = undefined>(
    search?: With<NovelSearch, Of>,
    call?: CallOptions,
  ) => Pages<SelectedNovel<Of>>;
  /** GET /v1/novels/:ncode (any case) */
  novel: (ncode: string, call?: CallOptions) => Promise<Answer<Novel>>;
  /** GET /v1/novels/:ncode/ranking-history; empty for a novel that was never ranked */
  rankingHistory: (ncode: string, call?: CallOptions) => Promise<Answer<RankingHistoryEntry[]>>;
  /** GET /v1/rankings/:type; `date` left out: the newest */
  ranking: (
    type: RankingType,
    choice?: { readonly date?: string | undefined },
    call?: CallOptions,
  ) => Promise<Answer<RankingEntry[], RankingMeta>>;
  /** GET /v1/rankings/:type/hydrated; novels that are gone bring no fields */
  hydratedRanking: <const Of extends NovelOf = undefined>(
    type: RankingType,
    choice?: { readonly date?: string | undefined; readonly of?: Of },
    call?: CallOptions,
  ) => Promise<Answer<HydratedRankingEntry<Of>[], RankingMeta>>;
  /** GET /v1/users */
  users: (search?: UserSearch, call?: CallOptions) => Promise<Answer<User[], SearchMeta>>;
  userPages: (search?: UserSearch, call?: CallOptions) => Pages<User>;
  /** GET /v1/users/:userid */
  user: (userid: number | string, call?: CallOptions) => Promise<Answer<User>>;
  /** GET /v1/r18/novels: metadata of adult novels */
  adultNovels: <const Of extends AdultOf = undefined>(
    search?: With<AdultNovelSearch, Of>,
    call?: CallOptions,
  ) => Promise<Answer<SelectedAdultNovel<Of>[], SearchMeta>>;
  adultNovelPages: <const Of extends AdultOf = undefined>(
    search?: With<AdultNovelSearch, Of>,
    call?: CallOptions,
  ) => Pages<SelectedAdultNovel<Of>>;
  /** GET /v1/r18/novels/:ncode */
  adultNovel: (ncode: string, call?: CallOptions) => Promise<Answer<AdultNovel>>;
  /** GET /v1/meta/genres */
  genres: (call?: CallOptions) => Promise<Answer<{ genres: CodeLabel[]; biggenres: CodeLabel[] }>>;
  /** GET /v1/meta/nocgenres */
  nocgenres: (call?: CallOptions) => Promise<Answer<{ nocgenres: CodeLabel[] }>>;
}

export const DEFAULT_CATALOGUE_URL = 'http://127.0.0.1:3000';

/** A client of a catalogue service, for browsers and Node. It holds no state and no connection. */
export function createCatalogueClient(options: ClientOptions = {}): CatalogueClient {
  const ask = createAsk(options, DEFAULT_CATALOGUE_URL);
  /** The service answers in the published form (its tests hold it to that), so the types are taken at their word. */
  async function get<Whole extends Answer<unknown>>(
    path: string,
    query: object,
    call?: CallOptions,
  ): Promise<Whole> {
    const { body, response } = await ask(path, query as Query, call);
    return { ...body, response } as unknown as Whole;
  }
  const encode = encodeURIComponent;

  const client: CatalogueClient = {
    novels: (search = {}, call) => get('/v1/novels', search, call),
    novelPages: (search = {}, call) => pagesOf((page) => client.novels(page, call), search),
    novel: (ncode, call) => get(`/v1/novels/${encode(ncode)}`, {}, call),
    rankingHistory: (ncode, call) => get(`/v1/novels/${encode(ncode)}/ranking-history`, {}, call),
    ranking: (type, choice = {}, call) => get(`/v1/rankings/${encode(type)}`, choice, call),
    hydratedRanking: (type, choice = {}, call) => get(`/v1/rankings/${encode(type)}/hydrated`, choice, call),
    users: (search = {}, call) => get('/v1/users', search, call),
    userPages: (search = {}, call) => pagesOf((page) => client.users(page, call), search),
    user: (userid, call) => get(`/v1/users/${encode(String(userid))}`, {}, call),
    adultNovels: (search = {}, call) => get('/v1/r18/novels', search, call),
    adultNovelPages: (search = {}, call) => pagesOf((page) => client.adultNovels(page, call), search),
    adultNovel: (ncode, call) => get(`/v1/r18/novels/${encode(ncode)}`, {}, call),
    genres: (call) => get('/v1/meta/genres', {}, call),
    nocgenres: (call) => get('/v1/meta/nocgenres', {}, call),
  };
  return client;
}
