import type { Asker } from '../../upstream/budget.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import type { ChangeKind } from '../novels/change-kinds.ts';
import type { Awaitable, FacetCounts, Suggestions } from '../novels/novel-query.ts';
import type { SearchCondition } from '../novels/search-parameters.ts';
import type { FacetName, NovelConditions, NovelQuery, UserQuery } from '../novels/novel-query.ts';

/**
 * A novel as it is published: the fields selected by `of` under the names of `OF_FIELDS`, labels beside the genre
 * codes, text without HTML entities; without `of` also whatever else the upstream gives (`gensaku` ...).
 */
export type NovelRecord = Record<string, unknown>;

/** A user as it is published; `userid` is a string of digits. */
export type UserRecord = Record<string, unknown>;

export interface RankingEntry {
  rank: number;
  pt: number;
  ncode: string;
}

export interface RankingHistoryEntry {
  /** The upstream's own: `20240409-w`. */
  rtype: string;
  rank: number;
  pt: number;
}

/** Undefined: all fields. Empty: none. */
export type OfSelection = readonly OfCode[] | undefined;

export interface SearchPage<Item> {
  /** All matches, not only those in `items`. Undefined where the upstream does not say and it cannot be told. */
  allCount: number | undefined;
  readonly items: Item[];
  /** Rows that were left out because they cannot be read. */
  readonly unreadable?: number;
  /** The JSON of the items, where it has been made already. */
  readonly json?: Buffer;
}

/** Records of a stream. */
export interface StreamBatch {
  /** JSON in UTF-8, a line for each. */
  readonly lines: Buffer;
  readonly count: number;
  /** When the oldest of them was fetched: Unix seconds; Infinity where none ages. */
  readonly oldest: number;
}

/** The matches of a search, as they were when they were first asked for. */
export interface NovelStream {
  /** All matches at present. */
  readonly total: number;
  readonly batches: Iterable<StreamBatch>;
}

/** Events are asked for behind a cursor; `now`: only where the present is. */
export interface ChangesQuery {
  readonly since?: string | undefined;
  readonly lim: number;
  readonly kind?: readonly ChangeKind[] | undefined;
  readonly ncode?: readonly string[] | undefined;
  /** The author, also the one before a change of hands. */
  readonly userid?: readonly number[] | undefined;
  readonly genre?: readonly number[] | undefined;
  readonly notgenre?: readonly number[] | undefined;
  readonly biggenre?: readonly number[] | undefined;
  readonly notbiggenre?: readonly number[] | undefined;
}

export interface ChangesPage {
  /** The JSON of each event, oldest first. */
  readonly lines: readonly string[];
  /** How many there are behind the cursor in all. */
  readonly total: number;
  /** The cursor behind them. */
  readonly next: string;
}

/** What only a catalogue at hand can tell, and no upstream. */
export interface LocalQueries {
  /** Number of all matches by value of some fields. */
  countNovels(
    site: NovelInterface,
    conditions: NovelConditions,
    facets: readonly FacetName[],
  ): Awaitable<FacetCounts>;
  /** Titles, pen names and keywords that hold what was typed, at most `lim` of each. */
  suggest(text: string, lim: number, asker?: SourceAsker): Awaitable<Suggestions>;
}

/** On whose behalf a source is asked, and who is told how old its data are. */
export interface SourceAsker extends Asker {
  /** Told, of data that were not fetched just now, when (the oldest of them) were fetched: Unix seconds. */
  onFetchedAt?: (fetchedAt: number) => void;
  /** Called, for a history that may have gone on since, with the last day that it knows (`YYYY-MM-DD`). */
  onKnownUntil?: (date: string) => void;
}

/** The novels that one of the upstream's interfaces gives. */
export interface NovelSource {
  /** The conditions that it applies. The others never reach it, and the answer names them in `meta.ignored`. */
  readonly applies: ReadonlySet<SearchCondition>;
  search(query: NovelQuery, asker?: SourceAsker): Promise<SearchPage<NovelRecord>>;
  /** All matches from `st` on, at most `lim`, in batches; undefined where the upstream is asked page by page. */
  readonly stream?: (query: NovelQuery) => NovelStream;
  /** By upper-case Ncode, at most 500 at once; those that do not exist are missing from the map. */
  find(ncodes: readonly string[], of: OfSelection, asker?: SourceAsker): Promise<Map<string, NovelRecord>>;
}

/**
 * Where the catalogue comes from. Every method rejects with a ServiceError (upstream_unavailable, upstream_timeout,
 * upstream_invalid, overloaded, and where the day's budget is spent upstream_budget_spent or upstream_share_spent)
 * when the source fails, not_available_here for what it does not have and cannot ask for, and catalogue_outdated for what it fetched too long ago; absence is an answer, not
 * an error. Without `asker` nobody's share is counted.
 */
export interface CatalogueSource {
  /** The greatest start position (`st`) that it serves; null: no ceiling. */
  readonly maxStart: number | null;
  /** How many histories one request may ask for. */
  maxHistories(): number;
  /** Undefined where the upstream is asked for everything. */
  readonly local?: LocalQueries;
  /** What has happened to novels; undefined where nothing is compared. Throws cursor_expired. */
  readonly changes?: (query: ChangesQuery) => ChangesPage;
  readonly novels: Readonly<Record<NovelInterface, NovelSource>>;
  /** `date` in the contract's form (a Monday for weekly), valid. Null: there is no such ranking (yet). */
  getRanking(type: RankingType, date: string, asker?: SourceAsker): Promise<RankingEntry[] | null>;
  /** Empty: never ranked. Null: there is no such novel. */
  getRankingHistory(ncode: string, asker?: SourceAsker): Promise<RankingHistoryEntry[] | null>;
  searchUsers(query: UserQuery, asker?: SourceAsker): Promise<SearchPage<UserRecord>>;
  /** Null: there is no such user. */
  findUser(userid: number, asker?: SourceAsker): Promise<UserRecord | null>;
  close(): Promise<void>;
}

/** Something odd in an answer that could be served all the same: for the log and the metrics. */
export interface SourceProblem {
  upstream: 'novelapi' | 'novel18api' | 'rank' | 'rankin' | 'userapi';
  problem:
    | 'missing_field'
    | 'mistyped_field'
    | 'overlong_text'
    | 'unknown_code'
    | 'unreadable_record'
    | 'unexpected_error_text';
  /** The field, or what it is about. */
  about: string;
  /** How often in this one answer. */
  count: number;
}

export type ReportProblem = (problem: SourceProblem) => void;
