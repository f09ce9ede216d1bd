import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../errors.ts';
import type {
  LocalQueries,
  CatalogueSource,
  NovelRecord,
  NovelSource,
  NovelStream,
  SearchPage,
  StreamBatch,
} from '../source/catalogue-source.ts';
import { DamagedFile, isSystemError } from '../index/engine/files.ts';
import type { FoundJson, OpenIndex, WriteRecord } from '../index/engine/open-index.ts';
import { PLANNED_CONDITIONS } from '../index/engine/plan.ts';
import { CONDITION_NAMES } from '../novels/search-conditions.ts';
import type { SearchCondition } from '../novels/search-conditions.ts';
import { sliceOfFields } from '../index/engine/records.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { LocalIndex } from './local-index.ts';
import { novelWriter } from './published-novel.ts';

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

/** The error for an index that is not served. */
export function indexUnavailable(local: Pick<LocalIndex, 'state'>, what: string): ServiceError {
  const state = local.state();
  if (state === 'unreadable') return damaged(what);
  return state === 'outdated' ? outdated(what) : notHere(what);
}

/** Time until another generation is loaded, if there is one. */
const RETRY_DAMAGED_SECONDS = 60;

function damaged(what: string): ServiceError {
  const message = `A file of this local catalogue is damaged or unreadable: some of its ${what} are not available at present.`;
  return new ServiceError('upstream_unavailable', { message, retryAfterSeconds: RETRY_DAMAGED_SECONDS });
}

/** Reads an index; undefined if one of its files is damaged, or the system cannot read it at present. */
function readUndamaged<Found>(local: LocalIndex, index: OpenIndex, read: (index: OpenIndex) => Found) {
  try {
    return read(index);
  } catch (error) {
    if (!(error instanceof DamagedFile) && !isSystemError(error)) throw error;
    local.discard(error);
    return undefined;
  }
}

/** Noun for the novels of an interface. */
const NAMES: Readonly<Record<NovelInterface, string>> = { novelapi: 'novels', novel18api: 'adult novels' };

/** Facet counts and suggestions, from the local data only. */
export function localQueries(local: Readonly<Record<NovelInterface, LocalIndex>>): LocalQueries {
  function read<Found>(site: NovelInterface, use: (index: OpenIndex) => Found): Found {
    const index = local[site].current();
    if (index === undefined) throw indexUnavailable(local[site], NAMES[site]);
    const result = readUndamaged(local[site], index, use);
    if (result === undefined) throw damaged(NAMES[site]);
    return result;
  }
  return {
    countNovels: (site, conditions, facets) =>
      read(site, (index) => {
        const lacked = lackedOf(index, conditions);
        if (lacked.length > 0) throw unsearchable(NAMES[site], lacked);
        return index.facets(conditions, facets);
      }),
    suggest: (text, lim) =>
      read('novelapi', (index) => ({
        value: index.suggest(text, lim),
        fetchedAt: index.facts().oldest,
      })),
  };
}

/** When the oldest of the found novels was fetched, or of the index if nothing was found. */
const fetchedAtOf = ({ records, oldest }: FoundJson, index: OpenIndex): number =>
  records === 0 ? index.facts().oldest : oldest;

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

const unsearchable = (what: string, lacked: readonly string[]): ServiceError =>
  notHere(`the fields for a search of ${what} by ${lacked.join(', ')}`);

const NCODE = sliceOfFields('ncode', 'ncode');

/** Records are parsed on demand, because most responses send the bytes. */
const searchPage = (found: FoundJson, index: OpenIndex): SearchPage<NovelRecord> => ({
  allCount: found.total,
  json: found.json,
  fetchedAt: fetchedAtOf(found, index),
  get items() {
    return JSON.parse(found.json.toString()) as NovelRecord[];
  },
});

const REMEMBERED_WRITERS = 200;

/** Cached: creating a writer takes as long as a few records, and most requests use the same fields. */
function rememberWriters(name: NovelInterface) {
  const writers = new LRUCache<string, ReturnType<typeof novelWriter>>({ max: REMEMBERED_WRITERS });
  return ({ of, opt }: Pick<NovelQuery, 'of' | 'opt'>) => {
    const key = `${of?.join('-') ?? '*'} ${opt ?? ''}`;
    const writer = writers.get(key) ?? novelWriter(name, { of, opt });
    writers.set(key, writer);
    return writer;
  };
}

/** The records of a stream as lines. */
function* recordLines(
  local: LocalIndex,
  index: OpenIndex,
  query: NovelQuery,
  write: WriteRecord,
  what: string,
): Generator<StreamBatch, void, undefined> {
  const batches = index.stream(query, write);
  try {
    for (;;) {
      const next = readUndamaged(local, index, () => batches.next());
      if (next === undefined) throw damaged(what);
      if (next.done === true) return;
      const { records, oldest } = next.value;
      const lines = Buffer.from(`${records.join('\n')}\n`, 'latin1');
      yield { lines, count: records.length, fetchedAt: oldest };
    }
  } finally {
    batches.return();
  }
}

function openStream(local: LocalIndex, query: NovelQuery, write: WriteRecord, what: string): NovelStream {
  const index = local.current();
  if (index === undefined) throw indexUnavailable(local, what);
  const lacked = lackedOf(index, query);
  if (lacked.length > 0) throw unsearchable(what, lacked);
  const counted = readUndamaged(local, index, () => index.searchJson({ ...query, lim: 0 }));
  if (counted === undefined) throw damaged(what);
  return { total: counted.total, batches: recordLines(local, index, query, write, what) };
}

/** The novels of one interface, from one index. */
export function localNovels(
  local: LocalIndex,
  name: NovelInterface,
  upstream: CatalogueSource | undefined,
): NovelSource {
  const what = NAMES[name];
  const writerFor = rememberWriters(name);
  return {
    applies: PLANNED_CONDITIONS,
    search: async (query, requester) => {
      const index = local.current();
      const lacked = index === undefined ? [] : lackedOf(index, query);
      const isHere = index !== undefined && lacked.length === 0;
      if (isHere) {
        const page = readUndamaged(local, index, () => index.searchJson(query, writerFor(query)));
        if (page !== undefined) return searchPage(page, index);
      }
      if (upstream === undefined) {
        if (isHere) throw damaged(what);
        throw index === undefined ? indexUnavailable(local, what) : unsearchable(what, lacked);
      }
      if (upstream.maxStart !== null && query.st > upstream.maxStart) {
        throw notHere(`${what} from the ${query.st}th on, which the upstream does not serve either`);
      }
      return upstream.novels[name].search(query, requester);
    },
    stream: (query) => openStream(local, query, writerFor(query), what),
    find: async (ncodes, of, requester) => {
      const index = local.current();
      const write = writerFor({ of });
      const query = { ncode: ncodes, order: 'new', st: 1, lim: ncodes.length } as const;
      const withNcode = (stored: string) => `[{${NCODE(stored)}},${write(stored)}]`;
      const page = index && readUndamaged(local, index, () => index.searchJson(query, withNcode));
      if (index === undefined || page === undefined) {
        if (upstream !== undefined) return upstream.novels[name].find(ncodes, of, requester);
        throw index === undefined ? indexUnavailable(local, what) : damaged(what);
      }
      const pairs = JSON.parse(page.json.toString()) as [{ ncode: string }, NovelRecord][];
      const value = new Map(pairs.map(([{ ncode }, novel]) => [ncode, novel]));
      return { value, fetchedAt: fetchedAtOf(page, index) };
    },
  };
}
