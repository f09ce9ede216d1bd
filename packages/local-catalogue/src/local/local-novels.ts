import { ServiceError } from '@mokuroku/kit';
import type {
  LocalQueries,
  CatalogueSource,
  NovelRecord,
  NovelSource,
  StreamBatch,
} from '@mokuroku/narou/source';
import type { FoundJson, OpenIndex } from '../engine/open-index.ts';
import { PLANNED_CONDITIONS } from '../engine/plan.ts';
import { fieldSelector } from '@mokuroku/narou/scan';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { NovelInterface } from '@mokuroku/narou';
import { completeFrom, findLocally, isFailure, lackedNovels, valueOrFailure } from './find-novels.ts';
import type { LocalIndex } from './local-index.ts';
import { notHere, queryIndex, readUndamaged } from './query-index.ts';

const NAMES: Readonly<Record<NovelInterface, string>> = { novelapi: 'novels', novel18api: 'adult novels' };

/** Facet counts and suggestions, from the local data only. */
export const localQueries = (local: Readonly<Record<NovelInterface, LocalIndex>>): LocalQueries => ({
  countNovels: (site, conditions, facets) =>
    queryIndex(local[site], NAMES[site], conditions, (index) => index.facets(conditions, facets)),
  suggest: (text, lim) =>
    queryIndex(local.novelapi, NAMES.novelapi, {}, (index) => ({
      value: index.suggest(text, lim),
      fetchedAt: index.facts().oldest,
    })),
});

/** When the oldest of the found novels was fetched, or of the index if nothing was found. */
const fetchedAtOf = ({ ncodes, oldest }: FoundJson, index: OpenIndex): number =>
  ncodes.length === 0 ? index.facts().oldest : oldest;

/** Of the Ncodes that a search names: those that the folder does not know. */
const unknownOf = ({ ncode = [] }: NovelQuery, index: OpenIndex, now: number): readonly string[] =>
  ncode.length === 0 ? [] : lackedNovels(index, ncode, now).unknown;

/** Records are parsed on demand, because most responses send the bytes. */
function searchPage(query: NovelQuery, index: OpenIndex, now: number) {
  const found = index.search(query, fieldSelector(query));
  return {
    allCount: found.total,
    json: found.json,
    fetchedAt: fetchedAtOf(found, index),
    unknown: unknownOf(query, index, now),
    get items() {
      return JSON.parse(found.json.toString()) as NovelRecord[];
    },
  };
}

function* recordLines(
  local: LocalIndex,
  index: OpenIndex,
  query: NovelQuery,
  what: string,
): Generator<StreamBatch, void, undefined> {
  const batches = index.stream(query, fieldSelector(query));
  try {
    for (;;) {
      const next = readUndamaged(local, what, () => batches.next());
      if (next.done === true) return;
      const { records, oldest } = next.value;
      const lines = Buffer.from(`{${records.join('}\n{')}}\n`, 'latin1');
      yield { lines, count: records.length, fetchedAt: oldest };
    }
  } finally {
    batches.return();
  }
}

/** `now` returns milliseconds UTC. */
export function localNovels(
  name: NovelInterface,
  local: LocalIndex,
  upstream: CatalogueSource | undefined,
  now: () => number,
): NovelSource {
  const what = NAMES[name];
  const readPage = (query: NovelQuery) =>
    queryIndex(local, what, query, (index) => searchPage(query, index, now()));
  const requestPage: NovelSource['search'] = (query, requester) => {
    if (upstream === undefined) throw notHere(what);
    const { novels, maxStart } = upstream;
    if (maxStart !== null && query.st > maxStart)
      throw notHere(`${what} from row ${query.st} on, which the upstream does not serve either`);
    return novels[name].search(query, requester);
  };
  return {
    applies: PLANNED_CONDITIONS,
    search: async (query, requester) => {
      if (upstream === undefined) return readPage(query);
      const page = valueOrFailure(() => readPage(query));
      if (!(page instanceof ServiceError) && page.unknown.length === 0) return page;
      try {
        return await requestPage(query, requester);
      } catch (error) {
        if (page instanceof ServiceError || !isFailure(error, requester)) throw error;
        return page;
      }
    },
    stream: (query) =>
      queryIndex(local, what, query, (index) => ({
        total: index.search({ ...query, lim: 0 }, () => '').total,
        unknown: unknownOf(query, index, now()),
        batches: recordLines(local, index, query, what),
      })),
    find: async (ncodes, of, requester) => {
      const found = findLocally(local, what, { ncodes, of }, now());
      if (upstream === undefined) return found;
      return completeFrom(upstream.novels[name], found, [ncodes, of, requester]);
    },
  };
}
