import { ServiceError } from '../../errors.ts';
import type {
  LocalQueries,
  CatalogueSource,
  NovelRecord,
  NovelSource,
  NovelStream,
  SearchPage,
  Sourced,
  StreamBatch,
} from '../source/catalogue-source.ts';
import { DamagedFile, isSystemError } from '../index/engine/files.ts';
import type { FoundJson, OpenIndex } from '../index/engine/open-index.ts';
import { PLANNED_CONDITIONS } from '../index/engine/plan.ts';
import { CONDITION_NAMES } from '../novels/search-conditions.ts';
import type { SearchCondition } from '../novels/search-conditions.ts';
import { fieldSelector } from '../index/stored-novel.ts';
import { ncodeFromNumber } from '../novels/ncode.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { LocalIndex } from './local-index.ts';

export function notHere(what: string, more = ''): ServiceError {
  const message = `This local catalogue lacks ${what}, and no upstream is configured for it. ${more}`;
  return new ServiceError('not_available_here', { message: message.trimEnd() });
}

/** Retry-After of catalogue_outdated: only a new harvest helps, and it takes hours. */
const RETRY_OUTDATED_SECONDS = 3600;

export function outdated(what: string): ServiceError {
  const message = `The ${what} of this local catalogue were fetched more than 14 days ago; its operator must update it.`;
  return new ServiceError('catalogue_outdated', { message, retryAfterSeconds: RETRY_OUTDATED_SECONDS });
}

/** The error for a part that is not served; `lacked`: for data that it does not have. */
export function partUnavailable(
  part: Pick<LocalIndex, 'state'>,
  what: string,
  lacked = notHere(what),
): ServiceError {
  const state = part.state();
  if (state === 'unreadable' || state === 'broken') return damaged(what);
  return state === 'outdated' ? outdated(what) : lacked;
}

/** Time until another generation is loaded, if there is one. */
const RETRY_DAMAGED_SECONDS = 60;

function damaged(what: string): ServiceError {
  const message = `A file of this local catalogue is damaged or unreadable: some of its ${what} are not available at present.`;
  return new ServiceError('upstream_unavailable', { message, retryAfterSeconds: RETRY_DAMAGED_SECONDS });
}

/** Reads an open index. Throws upstream_unavailable if a file is damaged, or the system cannot read it at present. */
function readUndamaged<Found>(local: LocalIndex, what: string, read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedFile) && !isSystemError(error)) throw error;
    local.discard(error);
    throw damaged(what);
  }
}

/** Reads the current index. Throws why it cannot answer the query. */
function readIndex<Found>(
  local: LocalIndex,
  what: string,
  query: Partial<NovelQuery>,
  read: (index: OpenIndex) => Found,
): Found {
  const index = local.current();
  if (index === undefined) throw partUnavailable(local, what);
  const lacked = lackedOf(index, query);
  if (lacked.length > 0) throw notHere(`the fields for a search of ${what} by ${lacked.join(', ')}`);
  return readUndamaged(local, what, () => read(index));
}

/** Noun for the novels of an interface. */
const NAMES: Readonly<Record<NovelInterface, string>> = { novelapi: 'novels', novel18api: 'adult novels' };

/** Facet counts and suggestions, from the local data only. */
export const localQueries = (local: Readonly<Record<NovelInterface, LocalIndex>>): LocalQueries => ({
  countNovels: (site, conditions, facets) =>
    readIndex(local[site], NAMES[site], conditions, (index) => index.facets(conditions, facets)),
  suggest: (text, lim) =>
    readIndex(local.novelapi, NAMES.novelapi, {}, (index) => ({
      value: index.suggest(text, lim),
      fetchedAt: index.facts().oldest,
    })),
});

/** When the oldest of the found novels was fetched, or of the index if nothing was found. */
const fetchedAtOf = ({ ncodes, oldest }: FoundJson, index: OpenIndex): number =>
  ncodes.length === 0 ? index.facts().oldest : oldest;

/** Parameters of a search by fields that the records lack: the upstream returns no author of an adult novel. */
function lackedOf(index: OpenIndex, query: Partial<NovelQuery>): string[] {
  const needsWeekly = query.order === 'weekly' || query.opt === 'weekly';
  return Object.keys(query).filter((name) => {
    if (query[name as keyof NovelQuery] === undefined) return false;
    if (name === 'xid') return !index.hasAny('xid');
    if (name === 'order' || name === 'opt') return needsWeekly && !index.hasAny('weekly_unique');
    return CONDITION_NAMES.has(name) && !PLANNED_CONDITIONS.has(name as SearchCondition);
  });
}

/** Records are parsed on demand, because most responses send the bytes. */
const searchPage = (found: FoundJson, index: OpenIndex): SearchPage<NovelRecord> => ({
  allCount: found.total,
  json: found.json,
  fetchedAt: fetchedAtOf(found, index),
  get items() {
    return JSON.parse(found.json.toString()) as NovelRecord[];
  },
});

/** The records of a stream as lines. */
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

function openStream(local: LocalIndex, query: NovelQuery, what: string): NovelStream {
  return readIndex(local, what, query, (index) => {
    const { total } = index.search({ ...query, lim: 0 });
    return { total, batches: recordLines(local, index, query, what) };
  });
}

/** The novels of one interface, from one index. */
export function localNovels(
  local: LocalIndex,
  name: NovelInterface,
  upstream: CatalogueSource | undefined,
): NovelSource {
  const what = NAMES[name];
  /** Reads the index, or else requests the upstream, if there is one. */
  async function readOrRequest<Found>(
    query: NovelQuery,
    read: (index: OpenIndex) => Found,
    request: (live: CatalogueSource) => Promise<Found>,
  ): Promise<Found> {
    try {
      return readIndex(local, what, query, read);
    } catch (error) {
      if (upstream === undefined || !(error instanceof ServiceError)) throw error;
      return request(upstream);
    }
  }
  return {
    applies: PLANNED_CONDITIONS,
    search: (query, requester) =>
      readOrRequest(
        query,
        (index) => searchPage(index.searchJson(query, fieldSelector(query)), index),
        ({ novels, maxStart }) => {
          if (maxStart !== null && query.st > maxStart)
            throw notHere(`${what} from the ${query.st}th on, which the upstream does not serve either`);
          return novels[name].search(query, requester);
        },
      ),
    stream: (query) => openStream(local, query, what),
    find: (ncodes, of, requester) => {
      const query: NovelQuery = { ncode: ncodes, order: 'new', st: 1, lim: ncodes.length };
      return readOrRequest<Sourced<Map<string, NovelRecord>>>(
        query,
        (index) => {
          const page = index.searchJson(query, fieldSelector({ of }));
          if (page.total < ncodes.length && index.hasOutdated(ncodes)) throw outdated(what);
          const novels = JSON.parse(page.json.toString()) as NovelRecord[];
          const value = new Map(novels.map((novel, at) => [ncodeFromNumber(page.ncodes[at] ?? 0), novel]));
          return { value, fetchedAt: fetchedAtOf(page, index) };
        },
        ({ novels }) => novels[name].find(ncodes, of, requester),
      );
    },
  };
}
