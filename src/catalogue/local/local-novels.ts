import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../errors.ts';
import type {
  CatalogueAtHand,
  CatalogueSource,
  NovelRecord,
  NovelSource,
  SearchPage,
  SourceAsker,
} from '../catalogue-source.ts';
import type { FoundJson, OpenIndex } from '../index/engine/open-index.ts';
import { PLANNED_CONDITIONS } from '../index/engine/plan.ts';
import { sliceOfFields } from '../index/engine/records.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { LocalIndex } from './local-index.ts';
import { novelWriter } from './published-novel.ts';

export function notHere(what: string): ServiceError {
  const message = `This local catalogue does not hold ${what}, and no upstream is set that could be asked for it.`;
  return new ServiceError('not_available_here', { message });
}

/** Waiting does not help, but a new harvest does: it takes hours. */
const RETRY_OUTDATED_SECONDS = 3600;

export function outdated(what: string): ServiceError {
  const message = `The ${what} of this local catalogue were fetched more than 14 days ago; run mokuroku harvest.`;
  return new ServiceError('catalogue_outdated', { message, retryAfterSeconds: RETRY_OUTDATED_SECONDS });
}

/** Why nothing is found in an index that is not served. */
const unavailable = (held: LocalIndex, what: string): ServiceError =>
  held.state() === 'outdated' ? outdated(what) : notHere(what);

/** What the novels of an interface are called. */
const NAMES: Readonly<Record<NovelInterface, string>> = { novelapi: 'novels', novel18api: 'adult novels' };

/** What is counted and suggested: of what is held alone. */
export function atHand(held: Readonly<Record<NovelInterface, LocalIndex>>): CatalogueAtHand {
  const indexOf = (site: NovelInterface): OpenIndex => {
    const index = held[site].current();
    if (index === undefined) throw unavailable(held[site], NAMES[site]);
    return index;
  };
  return {
    countNovels: (site, conditions, facets) => indexOf(site).facets(conditions, facets),
    suggest: (text, lim, asker) => {
      const index = indexOf('novelapi');
      tellAge(asker, { records: 0, oldest: Infinity }, index);
      return index.suggest(text, lim);
    },
  };
}

/** Tells how old what was found is; of nothing, how old what was searched. */
function tellAge(
  asker: SourceAsker | undefined,
  { records, oldest }: Pick<FoundJson, 'records' | 'oldest'>,
  index: OpenIndex,
): void {
  const fetchedAt = records === 0 ? index.facts().oldest : oldest;
  if (fetchedAt !== Infinity) asker?.onFetchedAt?.(fetchedAt);
}

/** Whether the records have what a search goes by: the upstream names no author of an adult novel, and the rest only when asked. */
const canSearch = (index: OpenIndex, { xid, order, opt }: NovelQuery): boolean =>
  (xid === undefined || index.hasAny('xid')) &&
  ((order !== 'weekly' && opt !== 'weekly') || index.hasAny('weekly_unique'));

const NCODE = sliceOfFields('ncode', 'ncode');

/** Its records are parsed for whoever wants them as such; most answers are the bytes. */
const pageOf = ({ total, json }: FoundJson): SearchPage<NovelRecord> => ({
  allCount: total,
  json,
  get items() {
    return JSON.parse(json.toString()) as NovelRecord[];
  },
});

const REMEMBERED_WRITERS = 200;

/** What a writer is made of takes as long as a few records do, and most questions want the same few fields. */
function rememberWriters(name: NovelInterface) {
  const known = new LRUCache<string, ReturnType<typeof novelWriter>>({ max: REMEMBERED_WRITERS });
  return ({ of, opt }: Pick<NovelQuery, 'of' | 'opt'>) => {
    const key = `${of?.join('-') ?? '*'} ${opt ?? ''}`;
    const writer = known.get(key) ?? novelWriter(name, { of, opt });
    known.set(key, writer);
    return writer;
  };
}

/** Novels for all ages, or adult ones, of one index. */
export function localNovels(
  held: LocalIndex,
  name: NovelInterface,
  upstream: CatalogueSource | undefined,
): NovelSource {
  const what = NAMES[name];
  const writerFor = rememberWriters(name);
  return {
    applies: PLANNED_CONDITIONS,
    search: async (query, asker) => {
      const index = held.current();
      if (index !== undefined && canSearch(index, query)) {
        const found = index.searchJson(query, writerFor(query));
        tellAge(asker, found, index);
        return pageOf(found);
      }
      if (upstream === undefined)
        throw index === undefined ? unavailable(held, what) : notHere(`what is searched by of ${what}`);
      if (upstream.maxStart !== null && query.st > upstream.maxStart) {
        throw notHere(`${what} from the ${query.st}th on, which the upstream does not serve either`);
      }
      return upstream.novels[name].search(query, asker);
    },
    find: async (ncodes, of, asker) => {
      const index = held.current();
      if (index === undefined) {
        if (upstream === undefined) throw unavailable(held, what);
        return upstream.novels[name].find(ncodes, of, asker);
      }
      const write = writerFor({ of });
      const found = index.searchJson(
        { ncode: ncodes, order: 'new', st: 1, lim: ncodes.length },
        (stored) => `[{${NCODE(stored)}},${write(stored)}]`,
      );
      tellAge(asker, found, index);
      const pairs = JSON.parse(found.json.toString()) as [{ ncode: string }, NovelRecord][];
      return new Map(pairs.map(([{ ncode }, novel]) => [ncode, novel]));
    },
  };
}
