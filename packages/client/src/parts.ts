// Parts of the client for the project's own page and command, which bundle only what they use. Not published.

export { isRecord, parseJson } from '@mokuroku/kit/json';
export { DEFAULT_CATALOGUE_URL, createCatalogueRequests } from './catalogue-requests.ts';
export type { CatalogueRequests } from './catalogue-requests.ts';
export { ATTEMPT_MS, postTo, untilAccepted } from './delivery.ts';
export type { Refused } from './delivery.ts';
export {
  DEFAULT_MAX_WAIT_SECONDS,
  asJson,
  createTransport,
  faultsOf,
  fetchBody,
  responseFacts,
  unreachable,
} from './fetch-body.ts';
export type { Fault, Json } from './fetch-body.ts';
export { changePages, joinAnswers } from './pages.ts';
export { DEFAULT_REGISTRATION_URL } from './registration-client.ts';
