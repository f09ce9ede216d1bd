import type {
  AdultNovelSearch,
  Answer,
  CatalogueClient,
  NovelOfCode,
  NovelSearch as ClientSearch,
  RankingEntry,
  RankingHistoryEntry,
  RankingMeta,
  SearchMeta,
  Suggestions,
  User,
} from '../../client/index.ts';
import { MokurokuError } from '../../client/index.ts';
import { GENRES, biggenreOf } from '../../catalogue/novels/genres.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { Answered, Question } from '../shell/answers.ts';
import { codesIn } from './conditions.ts';
import { ADULT_COUNTED, COUNTED } from './facet-counts.ts';
import { FLOW_DEPTH } from './flow.ts';
import { figureOf } from './novel-record.ts';
import type { AnyNovel, RankedNovel } from './novel-record.ts';
import { PAGE_LENGTH, isAdult, searchParameters } from './view.ts';
import type { NovelSearch, View } from './view.ts';

// What the views ask the service. Fields: what a row of a list shows and no more, a third of the bytes of a full record.

const ROW_FIELDS = ['t', 'n', 'u', 'w', 's', 'g', 'nt', 'e', 'ga', 'l', 'ti', 'i', 'ir', 'gl', 'gp', 'f'];
const ADULT_ROW_FIELDS = ROW_FIELDS.filter((code) => !['u', 'g', 'ir'].includes(code)).concat('ng');
const RANKED_FIELDS = ['t', 'n', 'u', 'w', 'g', 'nt', 'e', 'ga', 'l', 'i', 'ir', 'gl'] as const;

type Load<Whole extends Answered> = (
  client: CatalogueClient,
  call: { signal: AbortSignal },
) => Promise<Whole>;

/** The parts of the key are all that the answer depends on. */
function question<Whole extends Answered>(parts: readonly unknown[], load: Load<Whole>): Question<Whole> {
  return { key: JSON.stringify(parts), load: (service, signal) => load(service, { signal }) };
}

const page = (st: number) => ({ lim: PAGE_LENGTH, ...(st > 1 && { st }) });

/** The search's conditions as the service takes them: of genres any of those chosen, whole big genres among them. */
function conditions(search: NovelSearch): Record<string, unknown> {
  const { genre, biggenre, ...others } = Object.fromEntries(searchParameters(search));
  const bigs = new Set(codesIn(biggenre ?? '').map(Number));
  if (genre === undefined || bigs.size === 0) return { ...others, genre, biggenre };
  const inBigs = GENRES.map(({ code }) => code).filter((code) => bigs.has(biggenreOf(code)));
  return { ...others, genre: [...new Set([...codesIn(genre), ...inBigs.map(String)])].join(',') };
}

/**
 * Conditions go as they stand in the address, however it was written: the service names what is wrong with them.
 * `isAtHand`: all matches are counted too, unless the source finds out that for these it cannot.
 */
export function novelsQuestion(
  search: NovelSearch,
  adult: boolean,
  isAtHand: boolean,
): Question<Answer<AnyNovel[], SearchMeta>> {
  const of = [...new Set([...(adult ? ADULT_ROW_FIELDS : ROW_FIELDS), figureOf(search.order)?.code ?? 't'])];
  const asked: unknown = { ...conditions(search), order: search.order, ...page(search.st), of };
  const counted = { ...(asked as object), facets: adult ? ADULT_COUNTED : COUNTED };
  return question([adult, isAtHand, asked], (client, call) => {
    const ask = (wanted: unknown): Promise<Answer<AnyNovel[], SearchMeta>> =>
      adult
        ? client.adultNovels(wanted as AdultNovelSearch, call)
        : client.novels(wanted as ClientSearch, call);
    if (!isAtHand) return ask(asked);
    return ask(counted).catch((error: unknown) => {
      if (error instanceof MokurokuError && error.code === 'not_available_here') return ask(asked);
      throw error;
    });
  });
}

/** Of each kind. */
const SUGGESTED = 5;

/** What may be meant by what has been typed so far. */
export function suggestQuestion(typed: string): Question<Answer<Suggestions>> {
  return question(['suggest', typed], (client, call) => client.suggest({ q: typed, lim: SUGGESTED }, call));
}

export function novelQuestion(ncode: string, adult: boolean): Question<Answer<AnyNovel>> {
  return question(['novel', ncode, adult], (client, call): Promise<Answer<AnyNovel>> =>
    adult ? client.adultNovel(ncode, call) : client.novel(ncode, call),
  );
}

export function historyQuestion(ncode: string): Question<Answer<RankingHistoryEntry[]>> {
  return question(['history', ncode], (client, call) => client.rankingHistory(ncode, call));
}

/** `date` null: the newest. */
export function boardQuestion(
  type: RankingType,
  date: string | null,
): Question<Answer<RankedNovel[], RankingMeta>> {
  return question(['board', type, date], (client, call) =>
    client.hydratedRanking(type, { date: date ?? undefined, of: RANKED_FIELDS }, call),
  );
}

export interface Flow {
  dates: string[];
  boards: RankingEntry[][];
  /** Of the novels on the first and the last board, by ncode. */
  titles: ReadonlyMap<string, string>;
}

/** Boards of a flow that are asked for at the same time. */
const AT_ONCE = 5;

/**
 * The first places of many boards, and the titles of those on the first and the last. A board of the past never
 * changes, so the browser keeps each; a reader who comes to the limit waits, and it goes on.
 */
export function flowQuestion(type: RankingType, dates: string[]): Question<Answered & { data: Flow }> {
  return question(['flow', type, dates], async (client, { signal }) => {
    const call = { signal, waitWhenLimited: true };
    const boards: RankingEntry[][] = [];
    for (let first = 0; first < dates.length; first += AT_ONCE) {
      const some = dates.slice(first, first + AT_ONCE).map((date) => client.ranking(type, { date }, call));
      for (const { data } of await Promise.all(some))
        boards.push(data.filter(({ rank }) => rank <= FLOW_DEPTH));
    }
    const ncode = [...new Set([...(boards.at(-1) ?? []), ...(boards[0] ?? [])].map((entry) => entry.ncode))];
    const { data, response } = await client.novels({ ncode, lim: 2 * FLOW_DEPTH, of: ['n', 't'] }, call);
    const titles = new Map(data.map((novel) => [novel.ncode, novel.title]));
    return { data: { dates, boards, titles }, response };
  });
}

/** Several novels side by side, in the order asked for, with their histories. */
export interface Compared {
  novel: AnyNovel;
  history: RankingHistoryEntry[];
}

const COMPARED_FIELDS = [
  ...ROW_FIELDS,
  'dp',
  'wp',
  'mp',
  'qp',
  'yp',
  'ah',
  'r',
  'imp',
  'ka',
  'gf',
] as NovelOfCode[];

/** One novel that is gone does not keep the others from being compared. */
function emptyWhereAbsent(error: unknown): { data: RankingHistoryEntry[] } {
  if (error instanceof MokurokuError && error.status === 404) return { data: [] };
  throw error;
}

export function compareQuestion(ncodes: readonly string[]): Question<Answered & { data: Compared[] }> {
  return question(['compare', ncodes], async (client, call) => {
    const [{ data, meta, response }, ...histories] = await Promise.all([
      client.novels({ ncode: ncodes, lim: ncodes.length, of: COMPARED_FIELDS }, call),
      ...ncodes.map((ncode) => client.rankingHistory(ncode, call).catch(emptyWhereAbsent)),
    ]);
    const compared = ncodes.flatMap((ncode, place): Compared[] => {
      const novel = data.find((each) => each.ncode === ncode);
      return novel ? [{ novel, history: histories[place]?.data ?? [] }] : [];
    });
    return { data: compared, meta, response };
  });
}

export function userQuestion(userid: string): Question<Answer<User>> {
  return question(['user', userid], (client, call) => client.user(userid, call));
}

/** Of an author's works: those with the latest episode first. */
export const WORKS_ORDER = 'new';

export function worksQuestion(userid: string, st: number): Question<Answer<AnyNovel[], SearchMeta>> {
  const asked: unknown = { userid, order: WORKS_ORDER, ...page(st), of: ROW_FIELDS };
  return question(['works', userid, st], (client, call) => client.novels(asked as ClientSearch, call));
}

export function usersQuestion(word: string, st: number): Question<Answer<User[], SearchMeta>> {
  return question(['users', word, st], (client, call) =>
    client.users({ ...(word !== '' && { word }), order: 'sumglobalpoint', ...page(st) }, call),
  );
}

/** The first question of a view. Views for adults have none: they wait for the reader's confirmation. */
export function firstQuestionOf(view: View, isAtHand: boolean): Question<Answered> | null {
  if (isAdult(view)) return null;
  switch (view.name) {
    case 'search':
      return novelsQuestion(view.search, false, isAtHand);
    case 'ranking':
      return boardQuestion(view.type, view.date);
    case 'novel':
      return novelQuestion(view.ncode, false);
    case 'author':
      return userQuestion(view.userid);
    case 'authors':
      return usersQuestion(view.word, view.st);
    case 'compare':
      return view.ncodes.length === 0 ? null : compareQuestion(view.ncodes);
  }
}
