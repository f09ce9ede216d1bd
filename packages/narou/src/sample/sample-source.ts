import type { Clock } from '@mokuroku/kit/process';
import type { NovelQuery } from '../novels/novel-query.ts';
import { publicationDay } from '../novels/ranking-date.ts';
import { CONDITION_NAMES } from '../novels/search-conditions.ts';
import type { SearchCondition } from '../novels/search-conditions.ts';
import type { CatalogueUser } from '../scan/catalogue-novel.ts';
import { changesSince } from '../scan/changes-since.ts';
import { scanUsers } from '../scan/novel-scan.ts';
import type { NovelScan } from '../scan/novel-scan.ts';
import { fieldSelector, formatNovel } from '../scan/stored-novel.ts';
import type {
  Absence,
  CatalogueSource,
  FoundNovel,
  NovelRecord,
  NovelSource,
  UserRecord,
} from '../source/index.ts';
import type { EmbeddedCatalogue } from './embedded-catalogue.ts';

/** What the source reads of a catalogue. */
type SampleData = Omit<EmbeddedCatalogue, 'novels' | 'adultNovels'>;

/** Each is made of every ranking of years. */
const MAX_HISTORIES = 50;

const ABSENT: Absence = { absent: 'not_returned' };

const scannedNovels = (scan: () => NovelScan): NovelSource => {
  const search = (query: NovelQuery) => {
    const { total, records, unknown = [] } = scan().search(query);
    const select = fieldSelector(query);
    const items = records.map((novel) => JSON.parse(`{${select(formatNovel(novel))}}`) as NovelRecord);
    return { allCount: total, items, unknown, ncodes: records.map(({ ncode }) => ncode) };
  };
  return {
    applies: CONDITION_NAMES as ReadonlySet<SearchCondition>,
    search: (query) => Promise.resolve(search(query)),
    find: (ncodes, of) => {
      const page = search({ ncode: ncodes, of, order: 'new', st: 1, lim: ncodes.length });
      const records = new Map(page.ncodes.map((ncode, at) => [ncode, page.items[at]]));
      const value = ncodes.map((ncode): FoundNovel => {
        const record = records.get(ncode);
        return record === undefined ? { state: 'denied' } : { state: 'found', record };
      });
      return Promise.resolve({ value });
    },
  };
};

/** A user without a furigana that begins with a kana has null there, as on the site. */
const publishedUser = (user: CatalogueUser): UserRecord => ({
  ...user,
  userid: String(user.userid),
  name1st: user.name1st === '' ? null : user.name1st,
});

/** An invented catalogue as a source: each question is a scan of its records, in this process. */
export function createSampleSource(catalogue: SampleData, clock: Clock): CatalogueSource {
  const indexes = {
    novelapi: () => catalogue.novelIndex(),
    novel18api: () => catalogue.adultNovelIndex(),
  };
  const novels = {
    novelapi: scannedNovels(indexes.novelapi),
    novel18api: scannedNovels(indexes.novel18api),
  };
  return {
    isSample: () => true,
    maxStart: null,
    maxHistories: () => MAX_HISTORIES,
    local: {
      countNovels: (site, conditions, facets) => indexes[site]().facets(conditions, facets),
      suggest: (text, lim) => ({ value: indexes.novelapi().suggest(text, lim) }),
    },
    changes: (query) => changesSince(catalogue.changes(), query, clock.now()),
    novels,
    getRanking: (type, date) => {
      const value = catalogue.ranking(type, publicationDay(type, date));
      return Promise.resolve(value === null ? ABSENT : { value });
    },
    getRankingHistory: async (ncode) => {
      const value = catalogue.rankingHistory(ncode) ?? [];
      const [novel] = value.length > 0 ? [] : (await novels.novelapi.find([ncode], ['n'])).value;
      return novel?.state === 'denied' ? ABSENT : { value };
    },
    searchUsers: (query) => {
      const { total, records } = scanUsers(catalogue.users(), query);
      return Promise.resolve({ allCount: total, items: records.map(publishedUser) });
    },
    close: () => Promise.resolve(),
  };
}
