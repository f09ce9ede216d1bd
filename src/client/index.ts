// The public face of `mokuroku/client`: fetch only, no Node module, nothing at run time but these few files.
export { createCatalogueClient } from './catalogue-client.ts';
export type { CatalogueClient, Pages } from './catalogue-client.ts';
export type { Answer } from './answer.ts';
export { createRegistrationClient } from './registration-client.ts';
export type { LookUp, LookUpCallOptions, RegistrationClient } from './registration-client.ts';
export { MokurokuError } from './mokuroku-error.ts';
export type { MokurokuErrorCode } from './mokuroku-error.ts';
export type { CallOptions, ClientOptions, ResponseFacts, WaitWhenLimited } from './ask.ts';
export type {
  AdultNovel,
  AdultOfCode,
  HydratedRankingEntry,
  Novel,
  NovelOfCode,
  RankingEntry,
  RankingHistoryEntry,
  SelectedAdultNovel,
  SelectedNovel,
} from './novel-types.ts';
export type {
  AdultNovelSearch,
  CodeLabel,
  Meta,
  NovelSearch,
  RankingMeta,
  SearchMeta,
  User,
  UserSearch,
} from './search-types.ts';
