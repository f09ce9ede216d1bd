// The record of a novel, a search that reads every record, and changes between two records.

export { bisect } from './bisect.ts';
export { STORED_FIELDS, UNKNOWN, UNKNOWN_KEY, bytesOf } from './catalogue-novel.ts';
export type { CatalogueNovel } from './catalogue-novel.ts';
export {
  cursorOf,
  eventsOf,
  formatEvents,
  loadEvents,
  noticedSeconds,
  parseEvents,
  positionOf,
  readCursor,
} from './change-events.ts';
export type { ChangeEvent, LoadedChanges, Position } from './change-events.ts';
export { changesSince, withdrawnAmong } from './changes-since.ts';
export { changesBetween, differencesOf, isOfAnother } from './novel-changes.ts';
export type { FieldValues, NovelChange } from './novel-changes.ts';
export {
  PICKUP_SECONDS,
  TYPES,
  fieldConditions,
  foldText,
  hasEveryWord,
  isPickable,
  novelJudge,
  searchedTexts,
  splitWords,
  timesOf,
  workType,
} from './novel-conditions.ts';
export { numberOf, suggestedWriter } from './novel-scan.ts';
export type { FoundPage } from './novel-scan.ts';
export { fieldSelector, formatNovel, parseNovel } from './stored-novel.ts';
export type { SelectFields } from './stored-novel.ts';
