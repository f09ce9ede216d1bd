import type { RankingType } from '@mokuroku/narou';
import { DEFAULT_CATALOGUE_URL, createCatalogueRequests } from './catalogue-requests.ts';
import type { AdultOf, CatalogueRequests, NovelOf, With } from './catalogue-requests.ts';
import { createTransport } from './fetch-body.ts';
import type { CallOptions, ClientOptions, Transport } from './fetch-body.ts';
import { changePages, chunksOf, novelPagesOf, pagesOf, spansOf } from './pages.ts';
import type { Pages } from './pages.ts';
import { streamOf } from './fetch-lines.ts';
import type {
  AdultNovelSearch,
  Change,
  ChangesSearch,
  HistoryChoice,
  NovelSearch,
  SelectedAdultNovel,
  SelectedNovel,
  User,
  UserSearch,
} from './records.ts';

/** Any number of results, one request after the other. Pages of a search have 100 results unless `lim` says otherwise. */
function pages({ novels, adultNovels, users, rankingHistories, rankingsBetween }: CatalogueRequests) {
  return {
    /**
     * The pages of GET /v1/novels.
     *
     * @example
     * for await (const { data, truncated } of client.novelPages({ of: ['n', 't'], lim: 500 })) {
     *   data.length; // 500
     *   truncated; // false
     *   break;
     * }
     */
    novelPages: <const Of extends NovelOf = undefined>(
      search: With<NovelSearch, Of> = {},
      call?: CallOptions,
    ): Pages<SelectedNovel<Of>> => novelPagesOf((page) => novels<Of>({ ...search, ...page }, call), search),
    adultNovelPages: <const Of extends AdultOf = undefined>(
      search: With<AdultNovelSearch, Of> = {},
      call?: CallOptions,
    ): Pages<SelectedAdultNovel<Of>> =>
      novelPagesOf((page) => adultNovels<Of>({ ...search, ...page }, call), search),
    userPages: (search: UserSearch = {}, call?: CallOptions): Pages<User> =>
      pagesOf((page) => users({ ...search, ...page }, call), search),
    /**
     * Fifty novels a page.
     *
     * @example
     * for await (const { data } of client.rankingHistoryPages(['N1935WF', 'N9999ZZ'])) {
     *   data['N1935WF'] !== null; // true
     *   data['N9999ZZ']; // null
     * }
     */
    async *rankingHistoryPages(ncodes: readonly string[], choice: HistoryChoice = {}, call?: CallOptions) {
      for (const some of chunksOf(ncodes, 50)) yield await rankingHistories(some, choice, call);
    },
    /**
     * Up to 31 rankings a page.
     *
     * @example
     * let days = 0;
     * for await (const { data } of client.rankingPages('daily', { from: '2025-01-01', to: '2025-12-31' })) {
     *   days += data.length;
     * }
     * days; // 365
     */
    rankingPages: (
      type: RankingType,
      span: { readonly from: string; readonly to: string; readonly lim?: number | undefined },
      call?: CallOptions,
    ) => spansOf(type, span, (part) => rankingsBetween(type, { ...span, ...part }, call)),
  };
}

/** All matches of a search in one request; needs a local catalogue. */
function streams(transport: Transport) {
  return {
    /**
     * GET /v1/novels?format=ndjson: novel by novel from `st` on; without `lim` all. Throws if the list is incomplete.
     */
    novelStream: <const Of extends NovelOf = undefined>(
      search: With<NovelSearch, Of> = {},
      call?: CallOptions,
    ) => streamOf<SelectedNovel<Of>>(transport, '/v1/novels', search, call),
    /** GET /v1/r18/novels?format=ndjson */
    adultNovelStream: <const Of extends AdultOf = undefined>(
      search: With<AdultNovelSearch, Of> = {},
      call?: CallOptions,
    ) => streamOf<SelectedAdultNovel<Of>>(transport, '/v1/r18/novels', search, call),
  };
}

/** Every event of novels. */
function changeEvents({ changes }: CatalogueRequests, { pause }: Transport) {
  return {
    /**
     * Every event behind `since`, oldest first, each with its cursor. With `everySeconds` it never ends, and polls at
     * this interval.
     *
     * @example
     * for await (const { kind, ncode, cursor } of client.changesSince({ kind: 'new', everySeconds: 60 })) {
     *   kind; // 'new'
     *   console.log(ncode, cursor);
     *   // Store the cursor: as `since` it resumes here.
     *   break;
     * }
     */
    async *changesSince(
      { everySeconds, since, ...conditions }: ChangesSearch & { readonly everySeconds?: number } = {},
      call?: CallOptions,
    ): AsyncGenerator<Change, void, undefined> {
      for (let cursor = since; ;) {
        for await (const { data, meta } of changePages(
          (after) => changes({ ...conditions, since: after }, call),
          cursor,
        )) {
          yield* data;
          cursor = meta.next;
        }
        if (everySeconds === undefined) return;
        await pause(everySeconds * 1000, call?.signal);
      }
    },
  };
}

/** See `createCatalogueClient`. */
export type CatalogueClient = ReturnType<typeof createCatalogueClient>;

/**
 * A client of a catalogue service, for browsers and Node: a method for each endpoint. It has no state and no
 * connection. Every call rejects with MokurokuError, or with the reason of its AbortSignal. The compiler knows the
 * fields of `of`: `client.novels({ of: ['t', 'w'] })` gives records with `title` and `writer` only.
 *
 * @example
 * // On the sample, where past rankings never change.
 * const client = createCatalogueClient({ baseUrl: 'http://127.0.0.1:3000' });
 * const { data, response } = await client.hydratedRanking('weekly', { date: '2026-01-05', of: ['t', 'w'] });
 * data[0]?.ncode; // 'N1935WF'
 * data[0]?.pt; // 15814
 * response.sample; // true
 */
export function createCatalogueClient(options: ClientOptions = {}) {
  const transport = createTransport(options, DEFAULT_CATALOGUE_URL);
  const requests = createCatalogueRequests(options, transport);
  return {
    ...requests,
    ...pages(requests),
    ...streams(transport),
    ...changeEvents(requests, transport),
  };
}
