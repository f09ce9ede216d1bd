import type {
  AdultNovelSearch,
  Answer,
  CatalogueClient,
  NovelSearch as ClientSearch,
  RankingHistoryEntry,
  RankingMeta,
  SearchMeta,
  User,
} from '../../client/index.ts';
import { GENRES, biggenreOf } from '../../catalogue/novels/genres.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { Answered, Question } from '../shell/answers.ts';
import { codesIn } from './conditions.ts';
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

/** Conditions go as they stand in the address, however it was written: the service names what is wrong with them. */
export function novelsQuestion(
  search: NovelSearch,
  adult: boolean,
): Question<Answer<AnyNovel[], SearchMeta>> {
  const of = [...new Set([...(adult ? ADULT_ROW_FIELDS : ROW_FIELDS), figureOf(search.order)?.code ?? 't'])];
  const asked: unknown = { ...conditions(search), order: search.order, ...page(search.st), of };
  return question([adult, asked], (client, call) =>
    adult ? client.adultNovels(asked as AdultNovelSearch, call) : client.novels(asked as ClientSearch, call),
  );
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
    client.users({ ...(word !== '' && { word }), ...page(st) }, call),
  );
}

/** The first question of a view. Views for adults have none: they wait for the reader's confirmation. */
export function firstQuestionOf(view: View): Question<Answered> | null {
  if (isAdult(view)) return null;
  switch (view.name) {
    case 'search':
      return novelsQuestion(view.search, false);
    case 'ranking':
      return boardQuestion(view.type, view.date);
    case 'novel':
      return novelQuestion(view.ncode, false);
    case 'author':
      return userQuestion(view.userid);
    case 'authors':
      return usersQuestion(view.word, view.st);
  }
}
