// Entry point of `mokuroku/client`: needs only fetch, no Node module and no package.
export { createCatalogueClient } from './catalogue-client.ts';
export type { CatalogueClient } from './catalogue-client.ts';
export { createRegistrationClient } from './registration-client.ts';
export type { RegistrationClient, Zones } from './registration-client.ts';
export type { LookUp, LookUpCallOptions, NameOutcome } from './look-up-each.ts';
export { deliver } from './delivery.ts';
export type { DeliverOptions } from './delivery.ts';
export { MokurokuError } from './mokuroku-error.ts';
export type { MokurokuErrorCode, ResponseFacts } from './mokuroku-error.ts';
export type { CallOptions, ClientOptions, WaitWhenLimited } from './fetch-body.ts';
export type { Page, Pages } from './pages.ts';
export type * from './records.ts';
