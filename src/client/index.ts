// The public face of `mokuroku/client`: fetch only, no Node module, nothing at run time but these few files.
export { createCatalogueClient } from './catalogue-client.ts';
export type { CatalogueClient } from './catalogue-client.ts';
export { createRegistrationClient } from './registration-client.ts';
export type { RegistrationClient } from './registration-client.ts';
export type { LookUp, LookUpCallOptions, NameOutcome } from './look-up-each.ts';
export { MokurokuError } from './mokuroku-error.ts';
export type { MokurokuErrorCode, ResponseFacts } from './mokuroku-error.ts';
export type { CallOptions, ClientOptions, WaitWhenLimited } from './ask.ts';
export type { Page, Pages } from './pages.ts';
export type * from './records.ts';
