// What the service and the harvest import of the live upstream.

export { askByNcode, listEnds, queryByNcode } from './ask-by-ncode.ts';
export type { ReceivedNovels } from './ask-by-ncode.ts';
export { createNarouSource } from './narou-source.ts';
export { searchInHalves, splittingSource } from './split-requests.ts';
export { NarouGate } from './gate.ts';
export { createNarouTransport } from './transport.ts';
export {
  OversizedResponse,
  ShortPage,
  UpstreamUnavailable,
  invalidResponse,
  timedOut,
} from './upstream-failure.ts';
export {
  UPSTREAM_SETTINGS,
  budgetLimitsOf,
  budgetState,
  createBudgetLog,
  transportSettings,
  upstreamScope,
} from './upstream-settings.ts';
export type { UpstreamConfig } from './upstream-settings.ts';
