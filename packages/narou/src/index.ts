// The vocabulary of novels: what browsers load too, without modules of Node.

export { CHANGED_FIELDS, CHANGE_KINDS, CHANGE_NAMES } from './novels/change-kinds.ts';
export type { ChangeKind, ChangedField } from './novels/change-kinds.ts';
export { NOVEL_ERRORS, UnknownNovel } from './novels/errors.ts';
export type { NovelErrorCode } from './novels/errors.ts';
export { NOVEL_ALLOWED, NOVEL_FAULTS } from './novels/fault-texts.ts';
export { EXAMPLES } from './novels/examples.ts';
export {
  BIGGENRES,
  FIELD_LABELS,
  GENRES,
  GENRE_LABELS,
  GENRE_NAMES,
  NOCGENRES,
  NOCGENRE_LABELS,
  biggenreOf,
} from './novels/genres.ts';
export type { CodeLabel } from './novels/genres.ts';
export {
  dateOfDay,
  dayOfDate,
  japanDateTime,
  japanDay,
  japanInstant,
  japanMidnight,
  japanSeconds,
} from './novels/japan-date.ts';
export { NCODE_COUNT, findNcode, ncodeFromNumber, ncodeToNumber, parseNcode } from './novels/ncode.ts';
export { OF_FIELDS, findOfField, SERVED_CODES } from './novels/of-fields.ts';
export type {
  AdultFieldValues,
  FewValuesField,
  NovelField,
  NovelFieldValues,
  NovelInterface,
  OfCode,
  OfField,
  OfRow,
} from './novels/of-fields.ts';
export { NOVEL18API_ORDERS, NOVELAPI_ORDERS, orderLabels } from './novels/orders.ts';
export type { NovelapiOrder, SortField } from './novels/orders.ts';
export { PROGRESSES, PROGRESS_FILTERS, progressOf } from './novels/progress.ts';
export type { Progress } from './novels/progress.ts';
export {
  FIRST_RANKING_DATE,
  MAX_RANKS,
  PUBLICATION_HOURS,
  RANKING_LETTERS,
  RANKING_TYPES,
  checkRankingDate,
  dayBeforeNextRanking,
  fromRtype,
  newestPublishedDate,
  newestRankingDate,
  publicationDay,
  rankingDateAfter,
  rankingDateBefore,
  rankingDatesBetween,
  rankingPublication,
  toRtype,
  isDoubtfulList,
} from './novels/ranking-date.ts';
export type {
  DatedRanking,
  ListFacts,
  RankingEntry,
  RankingHistoryEntry,
  RankingType,
} from './novels/ranking-date.ts';
export { FIRST_LAGGING_COUNT, LAST_START, SECOND_LOOK_SECONDS } from './novels/upstream-facts.ts';
