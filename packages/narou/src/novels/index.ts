// What can be asked of novels, users and rankings: parameters, their rules, their schemas.

export { CHANGE } from './change-schema.ts';
export type { Change } from './change-schema.ts';
export { ncode, ncodeList, userid, wordList } from './code-parameters.ts';
export { MAX_AGE_SECONDS } from './max-age.ts';
export { FACETS } from './novel-query.ts';
export type { FacetCounts, FacetName, NovelQuery, Suggestions } from './novel-query.ts';
export { flag, wholeNumber } from './parameter-kinds.ts';
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
  fieldConditions,
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
  NOVEL_FACETS,
  NOVEL_OF,
  NOVEL_SEARCH_PARAMETERS,
  RANKING_FACETS,
  RANKING_FILTERS,
  SUGGEST_PARAMETERS,
  USER_SEARCH_PARAMETERS,
} from './search-parameters.ts';
export { canonicalQuery, faultsOfSearch, toNovelQuery, toUserQuery, withRanges } from './search-query.ts';
export type { AdultValues, NovelValues, RankingFilterValues, UserValues } from './search-query.ts';
export { recordFields, selectedFields } from './select-fields.ts';
export { USER, USER_COLUMNS } from './user-schema.ts';
export type { UserFieldValues } from './user-schema.ts';
