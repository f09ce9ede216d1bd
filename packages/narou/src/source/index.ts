import type { ServiceError } from '@mokuroku/kit';
import type { Requester } from '../upstream/index.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import type { RankingEntry, RankingHistoryEntry, RankingType } from '../novels/ranking-date.ts';
import type { FacetCounts, FacetName, NovelQuery } from '../novels/novel-query.ts';
import type { Suggestions } from '../novels/record-schemas.ts';
import type { ChangesQuery, UserQuery } from '../novels/search-query.ts';
import type { NovelConditions, SearchCondition } from '../novels/search-conditions.ts';

/**
 * A published novel: the fields of `of` under the names of `OF_FIELDS`, labels beside the genre codes, text without
 * HTML entities; without `of` also further fields of the upstream (`gensaku` ...).
 */
export type NovelRecord = Record<string, unknown>;

/** A published user; `userid` is a string of digits. */
export type UserRecord = Record<string, unknown>;

/** Undefined: all fields. Empty: none. */
export type OfSelection = readonly OfCode[] | undefined;

/** A text longer than any that the site allows: its field is omitted from its record. */
export interface OverlongText {
  readonly ncode: string;
  readonly field: string;
  /** Characters. */
  readonly length: number;
}

/** Where data come from. */
export interface Provenance {
  /** When the oldest of the data were fetched, Unix seconds. Missing or Infinity: just now. */
  readonly fetchedAt?: number | undefined;
  /** The last day (`YYYY-MM-DD`) with all rankings, if later ones may be missing. */
  readonly until?: string | undefined;
  /** Of a history the `rtype` of rankings that were not read for it, else their dates. */
  readonly missing?: readonly string[] | undefined;
  /** Number of rows of the upstream that are unreadable, repeated or contradict the request, and are left out. */
  readonly unreadable?: number | undefined;
}

export interface Sourced<Value> extends Provenance {
  readonly value: Value;
}

/** A ranking. `standing`: whether a second look a day later says the same, and whether the list is doubtful before. */
export interface Ranking extends Sourced<RankingEntry[]> {
  readonly standing?: 'unconfirmed' | 'doubtful' | 'confirmed' | undefined;
}

/** A source states that there is no such thing, which differs from not having it (an error). */
export interface Absence {
  /** The evidence. `not_returned`: requested by its key. `stated`: by a known text of the upstream. */
  readonly absent: 'not_returned' | 'stated';
  readonly value?: undefined;
}

/** What a source knows of an Ncode. */
export type FoundNovel =
  | { readonly state: 'found'; readonly record: NovelRecord }
  /** The upstream was asked for it, and did not return it. */
  | { readonly state: 'denied' }
  /** Nobody who would know was asked. `reason`: the error for a request for this novel alone. */
  | { readonly state: 'unknown'; readonly reason: ServiceError };

export interface SearchPage<Item> extends Provenance {
  /** Number of all matches. Undefined if the upstream does not state it and it cannot be derived. */
  allCount: number | undefined;
  readonly items: Item[];
  readonly overlong?: readonly OverlongText[];
  /** Of the Ncodes that the search names: those of which the source does not know whether there is such a novel. */
  readonly unknown?: readonly string[];
  /** Number of rows that the count promises, and that did not come. */
  readonly lacking?: number;
  /** The JSON of the items, if it exists already. */
  readonly json?: Buffer;
}

/** Records of a stream. */
export interface StreamBatch extends Provenance {
  /** JSON in UTF-8, a line for each. */
  readonly lines: Buffer;
  readonly count: number;
}

/** A snapshot of the matches of a search. `fetchedAt`: that of an answer without rows. */
export interface NovelStream extends Provenance {
  /** All matches. */
  readonly total: number;
  /** As in SearchPage. */
  readonly unknown: readonly string[];
  /** Call it in the turn in which the stream was made: its files stay open until the signal is aborted. */
  readonly batches: (signal: AbortSignal) => Iterable<StreamBatch>;
}

export interface ChangesPage {
  /** The JSON of each event, oldest first unless the newest were requested. */
  readonly lines: readonly string[];
  /** Number of all events after the cursor. */
  readonly total: number;
  /** The cursor after them. */
  readonly next: string;
}

export type Awaitable<Value> = Value | Promise<Value>;

/** Functions of a local catalogue, which the upstream lacks. */
export interface LocalQueries {
  /** Number of all matches by value of some fields. */
  countNovels(
    site: NovelInterface,
    conditions: NovelConditions,
    facets: readonly FacetName[],
  ): Awaitable<FacetCounts>;
  /** Titles, pen names and keywords that contain the typed text, at most `lim` of each. */
  suggest(text: string, lim: number): Awaitable<Sourced<Suggestions>>;
}

/** The novels of one upstream interface. */
export interface NovelSource {
  /** The supported conditions. A search with another is asked of the fallback, else refused: not_available_here. */
  readonly applies: ReadonlySet<SearchCondition>;
  search(query: NovelQuery, requester?: Requester): Promise<SearchPage<NovelRecord>>;
  /** All matches from `st` on, at most `lim`, in batches; undefined if the source has only pages. */
  readonly stream?: (query: NovelQuery) => NovelStream;
  /** By upper-case Ncode, at most 500, each once. The result has an item for each, in the same order. */
  find(
    ncodes: readonly string[],
    of: OfSelection,
    requester?: Requester,
  ): Promise<Sourced<readonly FoundNovel[]>>;
}

/**
 * The source of the catalogue. Its answers are values with their provenance, or absences with their evidence. Every
 * method rejects with a ServiceError:
 * - upstream_unavailable, upstream_timeout, upstream_invalid or overloaded if the source fails,
 * - upstream_budget_spent or upstream_share_spent if the daily budget is spent,
 * - not_available_here for data that it cannot have,
 * - catalogue_outdated for data that were fetched too long ago, catalogue_unreadable for those on a failing disk.
 * Without `requester`, no client's share is charged.
 */
export interface CatalogueSource {
  /** Whether its data are invented, as far as is known. */
  isSample: () => boolean;
  /** Maximum start position (`st`); null: none. */
  readonly maxStart: number | null;
  /** Maximum histories of one request. */
  maxHistories(): number;
  /** Undefined without a local catalogue. */
  readonly local?: LocalQueries;
  /** Changes of novels; undefined if the source records none. Throws cursor_expired. */
  readonly changes?: (query: ChangesQuery) => ChangesPage;
  readonly novels: Readonly<Record<NovelInterface, NovelSource>>;
  /** Date of the newest ranking of a source that may lag behind the calendar. Undefined: the calendar's is requested. */
  newestRanking?(type: RankingType): string | undefined;
  /** `date` in the contract's form (a Monday for weekly), valid. Absent: there is no such ranking (yet). */
  getRanking(type: RankingType, date: string, requester?: Requester): Promise<Ranking | Absence>;
  /** Empty: never ranked. Absent: there is no such novel. */
  getRankingHistory(ncode: string, requester?: Requester): Promise<Sourced<RankingHistoryEntry[]> | Absence>;
  /** False: a local catalogue without an upstream. */
  readonly hasUsers?: boolean;
  searchUsers(query: UserQuery, requester?: Requester): Promise<SearchPage<UserRecord>>;
  close(): Promise<void>;
}

/** An unexpected detail of a usable response, for the log and the metrics. */
export interface SourceProblem {
  upstream: 'novelapi' | 'novel18api' | 'rank' | 'rankin' | 'userapi';
  problem:
    | 'missing_field'
    | 'mistyped_field'
    | 'overlong_text'
    | 'unknown_code'
    | 'unreadable_record'
    | 'unexpected_error_text';
  /** The field or other subject. */
  about: string;
  /** Number of occurrences in this response. */
  count: number;
}

export type ReportProblem = (problem: SourceProblem) => void;
