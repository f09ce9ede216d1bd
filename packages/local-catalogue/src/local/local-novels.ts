import { ServiceError } from '@mokuroku/kit';
import { ncodeToNumber } from '@mokuroku/narou';
import type { NovelInterface } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { fieldSelector, novelJudge, withdrawnAmong } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import type {
  CatalogueSource,
  FoundNovel,
  LocalQueries,
  NovelRecord,
  NovelSource,
  OfSelection,
  Sourced,
  StreamBatch,
} from '@mokuroku/narou/source';
import type { Requester } from '@mokuroku/narou/upstream';
import { BATCH_RECORDS } from '../engine/open-index.ts';
import type { FoundBatch, FoundJson, OpenIndex } from '../engine/open-index.ts';
import { PLANNED_CONDITIONS } from '../engine/plan.ts';
import type { LocalIndex } from './local-index.ts';
import { notHere, outdated, queryIndex, readUndamaged } from './query-index.ts';

// A folder knows a novel by its record, or its absence by a withdrawal (the upstream was asked for it and did not
// return it). That it has neither says nothing about the novel.

type Found = Sourced<readonly FoundNovel[]>;

/** What the folder knows of novels without a served record. */
function lackedNovels(index: OpenIndex, ncodes: readonly string[], now: number) {
  const numbers = ncodes.map(ncodeToNumber);
  const presence = index.presenceOf(numbers);
  const changes = index.changes();
  const lacked = new Set(numbers.filter((number) => presence.get(number) !== 'served'));
  const withdrawn = changes === undefined ? new Map() : withdrawnAmong(changes, lacked, now);
  return {
    /** When the upstream did not return it, Unix seconds. */
    deniedAt: (ncode: string) => withdrawn.get(ncodeToNumber(ncode)) as number | undefined,
    isOutdated: (ncode: string) => presence.get(ncodeToNumber(ncode)) === 'outdated',
    held: ncodes.filter((ncode) => !lacked.has(ncodeToNumber(ncode))),
    /** Those of which there is neither a record nor a withdrawal. */
    unknown: ncodes.filter((ncode) => {
      const number = ncodeToNumber(ncode);
      return lacked.has(number) && !withdrawn.has(number);
    }),
  };
}

function findIn(
  index: OpenIndex,
  what: string,
  query: NovelQuery & { ncode: readonly string[] },
  now: number,
): Found {
  const page = index.search(query, fieldSelector(query));
  const records = JSON.parse(page.json.toString()) as NovelRecord[];
  const found = new Map(page.ncodes.map((number, at) => [number, records[at]]));
  const { deniedAt, isOutdated } = lackedNovels(index, query.ncode, now);
  let fetchedAt = page.oldest;
  const value = query.ncode.map((ncode): FoundNovel => {
    const record = found.get(ncodeToNumber(ncode));
    if (record !== undefined) return { state: 'found', record };
    const denied = deniedAt(ncode);
    if (denied === undefined)
      return { state: 'unknown', reason: isOutdated(ncode) ? outdated(what) : notHere(`the novel ${ncode}`) };
    fetchedAt = Math.min(fetchedAt, denied);
    return { state: 'denied' };
  });
  return { value, fetchedAt };
}

/** Whether a source failed, and not the service or the client. */
const isFailure = (error: unknown, requester: Requester | undefined): error is ServiceError =>
  error instanceof ServiceError && requester?.signal?.aborted !== true;

function valueOrFailure<Value>(read: () => Value): Value | ServiceError {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error;
  }
}

const joined = (parts: readonly Found[]): Found => ({
  value: parts.flatMap(({ value }) => value),
  fetchedAt: Math.min(...parts.map(({ fetchedAt = Infinity }) => fetchedAt)),
});

/** What a folder knows of novels, each for itself: a damaged record does not hide the others. */
function findLocally(
  local: LocalIndex,
  what: string,
  { ncodes, of }: { ncodes: readonly string[]; of: OfSelection },
  now: number,
): Found {
  const query = { ncode: ncodes, of, order: 'new', st: 1, lim: ncodes.length } as const;
  const found = valueOrFailure(() =>
    queryIndex(local, what, query, (index) => findIn(index, what, query, now)),
  );
  if (!(found instanceof ServiceError)) return found;
  if (ncodes.length > 1)
    return joined(ncodes.map((ncode) => findLocally(local, what, { ncodes: [ncode], of }, now)));
  return { value: ncodes.map(() => ({ state: 'unknown', reason: found })) };
}

/** Requests the unknown ones from the upstream. If it fails, they stay unknown, for its reason. */
async function completeFrom(
  upstream: NovelSource,
  found: Found,
  [ncodes, of, requester]: Parameters<NovelSource['find']>,
): Promise<Found> {
  const unknown = ncodes.filter((_, at) => found.value[at]?.state === 'unknown');
  let answers: readonly FoundNovel[];
  try {
    answers = (await upstream.find(unknown, of, requester)).value;
  } catch (error) {
    if (!isFailure(error, requester)) throw error;
    answers = unknown.map(() => ({ state: 'unknown', reason: error }));
  }
  const byNcode = new Map(unknown.map((ncode, at) => [ncode, answers[at]]));
  return {
    ...found,
    value: ncodes.map((ncode, at) => byNcode.get(ncode) ?? (found.value[at] as FoundNovel)),
  };
}

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

/** Selects the fields that no response has, too: `xid`. */
const WHOLE = (stored: string): string => stored.slice(stored.indexOf('"'), -1);

/**
 * Of the Ncodes that a search names: those that the folder does not know, or whose records lack a field that decides its
 * other conditions. `total`: of its matches.
 */
function unknownOf(query: NovelQuery, total: number, index: OpenIndex, now: number): readonly string[] {
  if (query.ncode === undefined) return [];
  const { held, unknown } = lackedNovels(index, query.ncode, now);
  if (held.length === total) return unknown;
  const judge = novelJudge(query, now);
  const { json } = index.search({ ncode: held, order: 'new', st: 1, lim: held.length }, WHOLE);
  const undecided = (JSON.parse(json.toString()) as CatalogueNovel[]).filter(
    (novel) => judge(novel) === undefined,
  );
  return [...unknown, ...undecided.map(({ ncode }) => ncode)];
}

/** Records are parsed on demand, because most responses send the bytes. */
function searchPage(query: NovelQuery, index: OpenIndex, now: number) {
  const found = index.search(query, fieldSelector(query));
  return {
    allCount: found.total,
    json: found.json,
    fetchedAt: fetchedAtOf(found, index),
    unknown: unknownOf(query, found.total, index, now),
    get items() {
      return JSON.parse(found.json.toString()) as NovelRecord[];
    },
  };
}

function* recordLines(
  local: LocalIndex,
  what: string,
  batches: Generator<FoundBatch, void, undefined>,
  searchFrom: (row: number) => unknown,
): Generator<StreamBatch, void, undefined> {
  let count = 0;
  // A stream that failed has ended, so its next rows are read by a search.
  const again = () => searchFrom(count);
  for (;;) {
    const next = readUndamaged(local, what, () => batches.next(), again);
    if (next.done === true) return;
    const { records, oldest } = next.value;
    const lines = Buffer.from(`{${records.join('}\n{')}}\n`, 'latin1');
    yield { lines, count: records.length, fetchedAt: oldest };
    count += records.length;
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
  const requestPage = ({ novels, maxStart }: CatalogueSource, query: NovelQuery, requester?: Requester) => {
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
        return await requestPage(upstream, query, requester);
      } catch (error) {
        if (page instanceof ServiceError || !isFailure(error, requester)) throw error;
        return page;
      }
    },
    stream: (query) =>
      queryIndex(local, what, query, (index) => {
        const select = fieldSelector(query);
        const { total, batches } = index.stream(query, select);
        const searchFrom = (row: number) =>
          index.search({ ...query, st: query.st + row, lim: BATCH_RECORDS }, select);
        return {
          total,
          unknown: unknownOf(query, total, index, now()),
          fetchedAt: index.facts().oldest,
          batches: (signal) => recordLines(local, what, batches(signal), searchFrom),
        };
      }),
    find: async (ncodes, of, requester) => {
      const found = findLocally(local, what, { ncodes, of }, now());
      if (upstream === undefined) return found;
      return completeFrom(upstream.novels[name], found, [ncodes, of, requester]);
    },
  };
}
