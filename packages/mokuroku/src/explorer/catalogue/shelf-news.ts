import { MokurokuError } from 'mokuroku-client/source';
import type {
  Answer,
  Change,
  NovelSearch as ClientSearch,
  RankingEntry,
  SearchMeta,
} from 'mokuroku-client/source';
import type { CatalogueRequests } from 'mokuroku-client/parts';
import { parseNcode, progressOf } from '@mokuroku/narou';
import type { Answered } from '../shell/answers.ts';
import { followedItemKey } from '../shell/shelf.ts';
import type { Facts, FollowedItem, Shelf, ShelfNews } from '../shell/shelf.ts';
import type { AnyNovel } from './novel-record.ts';
import { question } from './questions.ts';

const IS_ID = {
  novel: (id: string) => parseNcode(id) === id,
  author: (id: string) => /^0*[1-9]\d{0,9}$/.test(id),
};

/** Without those of a link or a file that are none: the service would reject all. */
const idsOf = (followed: readonly FollowedItem[], kind: keyof typeof IS_ID): string[] =>
  followed.flatMap((one) => (one.kind === kind && IS_ID[kind](one.id) ? one.id : []));

/** In place of a state: the novel is no longer in the catalogue. */
export const WITHDRAWN = 'withdrawn';

/** The followed items and the cursor: read when the request is sent, not when the view is rendered. */
type LastLoad = Pick<Shelf, 'followed' | 'cursor'>;

/** Maximum number of results of a search, or of changes on a page. */
const MAX_WORKS = 500;

type Records = Answer<AnyNovel[], SearchMeta>;

/**
 * Loads the data to compare: the novels in one request, the authors in one, and the newest ranking. A catalogue that
 * records changes is queried for those, and then only for the records of changed novels.
 */
async function loadShelf(
  client: CatalogueRequests,
  shelf: LastLoad,
  hasChanges: boolean,
  call: { signal: AbortSignal },
): Promise<Answered & { data: ShelfNews }> {
  const { followed } = shelf;
  const [novels, authors] = [idsOf(followed, 'novel'), idsOf(followed, 'author')];
  const [changed, board, works] = await Promise.all([
    novels.length > 0 ? loadChanged(client, novels, hasChanges ? shelf : null, call) : null,
    // A catalogue without rankings has none to compare.
    novels.length > 0 ? client.ranking('daily', {}, call).catch(nullIf(404, 501)) : null,
    authors.length > 0
      ? search(client, { userid: authors, order: 'new', lim: MAX_WORKS, of: WORK }, call)
      : null,
  ]);
  const first = changed?.answer ?? works;
  if (!first) throw new TypeError('an empty shelf needs no request');
  const ranks = board && ranksOf(board.data);
  const facts = new Map<string, { label: string; facts: Facts }>();
  for (const { kind, id, label } of followed) {
    const own = changed?.facts.get(id);
    const ofNovel = { label: String(own?.['title'] ?? label), facts: { ...own, ...ranks?.(id) } };
    const news = kind === 'novel' ? ofNovel : authorNews(id, works);
    if (news) facts.set(followedItemKey({ kind, id }), news);
  }
  const cursor = changed?.cursor ?? null;
  return { data: { facts, cursor }, meta: first.meta ?? {}, response: first.response };
}

/** null: no novel or author is followed. */
export function shelfQuestion(shelf: LastLoad, hasChanges: boolean) {
  const { followed } = shelf;
  if (idsOf(followed, 'novel').length + idsOf(followed, 'author').length === 0) return null;
  return question(['shelf', followed.map(followedItemKey)], (client, call) =>
    loadShelf(client, shelf, hasChanges, call),
  );
}

const RECORD = ['n', 't', 'nt', 'e', 'ga', 'i'];
const WORK = ['n', 'u', 'w', 'gl'];
const search = (client: CatalogueRequests, parameters: unknown, call: { signal: AbortSignal }) =>
  client.novels(parameters as ClientSearch, call);

/** Null for an error with one of these statuses, which states an absence. */
const nullIf =
  (...statuses: number[]) =>
  (error: unknown): null => {
    if (error instanceof MokurokuError && statuses.includes(error.status)) return null;
    throw error;
  };
/** For an expired cursor, or a catalogue without changes. */
const nullIfExpired = nullIf(410, 501);

/** The facts of the novels that may have changed, and the next cursor. */
async function loadChanged(
  client: CatalogueRequests,
  novels: readonly string[],
  lastLoad: LastLoad | null,
  call: { signal: AbortSignal },
): Promise<{ facts: ReadonlyMap<string, Facts>; cursor: string | null; answer: Answered }> {
  const changes = lastLoad && (await fetchChanges(client, novels, lastLoad, call));
  const { ncodes = novels, cursor = null, last } = changes ?? {};
  if (changes && ncodes.length === 0) return { facts: new Map(), cursor, answer: changes.answer };
  const answer: Records = await search(client, { ncode: ncodes, lim: ncodes.length, of: RECORD }, call);
  const records = new Map(answer.data.map((novel) => [novel.ncode, novel]));
  // An unreadable row is counted, but not returned.
  const isWhole = answer.meta.upstreamAllCount === answer.data.length;
  const facts = ncodes.map((ncode) => {
    const isKnown = isWhole && answer.meta.unknown?.includes(ncode) !== true;
    return [ncode, factsOfNews(records.get(ncode), last?.get(ncode), isKnown)] as const;
  });
  return { facts: new Map(facts), cursor, answer };
}

/** Caches serve a record from before a change for less than this, including a margin for wrong clocks. */
const SETTLED_MS = 3_600_000;

/** The changes since the last visit; null if the catalogue does not record them, or there are too many. */
async function fetchChanges(
  client: CatalogueRequests,
  novels: readonly string[],
  { followed, cursor }: LastLoad,
  call: { signal: AbortSignal },
) {
  const parameters = { ncode: novels, lim: MAX_WORKS };
  const later =
    cursor === null
      ? null
      : await client.changes({ ...parameters, since: cursor }, call).catch(nullIfExpired);
  // Without a valid cursor: all recorded changes, which are those of two weeks.
  const page = later ?? (await client.changes(parameters, call).catch(nullIfExpired));
  if (!page || page.meta.more) return null;
  const last = new Map(page.data.map((change) => [change.ncode, change]));
  const loaded = new Set(
    followed.flatMap((one) => (one.latest?.['progress'] === undefined ? [] : followedItemKey(one))),
  );
  const isWanted = (id: string) =>
    !later || last.has(id) || !loaded.has(followedItemKey({ kind: 'novel', id }));
  // The records of recent changes are loaded again at the next visit.
  const isSettled = page.data.every(({ noticedAt }) => Date.parse(noticedAt) < Date.now() - SETTLED_MS);
  return {
    /** The novels whose records must be loaded: changed since the last visit, or new on the shelf. */
    ncodes: novels.filter(isWanted),
    /** The last change of each novel. */
    last,
    cursor: isSettled ? page.meta.next : cursor,
    answer: page,
  };
}

/** The rank of a novel; null if every rank is of another. */
function ranksOf(board: readonly RankingEntry[]) {
  const ranks = new Map(board.map(({ ncode, rank }) => [ncode, rank]));
  const isWhole = board.at(-1)?.rank === board.length;
  return (ncode: string): Facts => {
    const rank = ranks.get(ncode) ?? (isWhole ? null : undefined);
    return rank === undefined ? {} : { rank };
  };
}

/** A change may be newer than the record, but has fewer facts. `isKnown`: its record was returned if there is one. */
function factsOfNews(novel: AnyNovel | undefined, change: Change | undefined, isKnown: boolean): Facts {
  if (change?.kind === 'withdrawn' || (!novel && !change && isKnown)) return { progress: WITHDRAWN };
  const { title, general_all_no } = { ...novel, ...(change as Partial<AnyNovel>) };
  return {
    ...(title && { title }),
    ...(general_all_no !== undefined && { episodes: general_all_no }),
    ...(novel && { progress: progressOf(novel) ?? null }),
  };
}

function authorNews(userid: string, works: Records | null): { label: string; facts: Facts } | null {
  const novels = (works?.data ?? []).filter((novel) => String(novel.userid) === userid);
  const [newest] = novels;
  if (!works || !newest) return null;
  const isWhole = (works.meta.upstreamAllCount ?? novels.length) <= MAX_WORKS;
  const facts: Facts = {
    ...(isWhole && { works: novels.length }),
    ...(newest.general_lastup !== undefined && { lastup: newest.general_lastup }),
  };
  return { label: newest.writer ?? userid, facts };
}
