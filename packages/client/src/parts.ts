// Parts of the client for the project's own page and command, which bundle only what they use. Not published.

export { DEFAULT_CATALOGUE_URL, createCatalogueRequests } from './catalogue-requests.ts';
export type { CatalogueRequests } from './catalogue-requests.ts';
export { faultsOf } from './faults.ts';
export type { Fault } from './faults.ts';
export {
  createFetchJson,
  createSite,
  isRecord,
  parseJson,
  readRetryAfterHeader,
  responseFacts,
  systemPause,
  unreachable,
} from './fetch-json.ts';
export type { Json } from './fetch-json.ts';
export { DEFAULT_REGISTRATION_URL } from './registration-client.ts';
