// What can be asked of novels, users and rankings: parameters, their rules, their schemas.

export { ncode, ncodeList, userid, wordList } from './code-parameters.ts';
export { FACETS } from './novel-query.ts';
export type { FacetCounts, FacetName, NovelQuery } from './novel-query.ts';
export { recordFields, selectFields } from './of-fields.ts';
export { flag, wholeNumber } from './parameter-kinds.ts';
export { CHANGE, SUGGESTIONS, USER } from './record-schemas.ts';
export type { Change, Suggestions, UserFieldValues } from './record-schemas.ts';
export {
  ADULT_NOVEL_CONDITIONS,
  ADULT_NOVEL_ROWS,
  CONDITION_NAMES,
  IGNORED_ON_ADULT,
  NOVEL_CONDITIONS,
  NOVEL_ROWS,
  RANKING_ROWS,
  TEXT_TARGETS,
  codesRead,
  fieldsOf,
} from './search-conditions.ts';
export type {
  ConditionField,
  ConditionRow,
  FieldCondition,
  NovelConditions,
  Range,
  SearchCondition,
  TimeRange,
} from './search-conditions.ts';
export {
  ADULT_FACETS,
  ADULT_SEARCH_PARAMETERS,
  CHANGES_PARAMETERS,
  DEFAULT_CHANGES,
  HISTORY_PARAMETERS,
  NOVEL_FACETS,
  NOVEL_OF,
  NOVEL_SEARCH_PARAMETERS,
  RANKING_FILTERS,
  SUGGEST_PARAMETERS,
  USER_SEARCH_PARAMETERS,
} from './search-parameters.ts';
export {
  canonicalQuery,
  faultsOfSearch,
  hasTextWords,
  toNovelQuery,
  toUserQuery,
  withRanges,
} from './search-query.ts';
export type {
  AdultValues,
  ChangesQuery,
  ChangesValues,
  HistoryValues,
  NovelValues,
  RankingFilterValues,
  UserValues,
} from './search-query.ts';
export { MAX_AGE_SECONDS } from './upstream-facts.ts';
