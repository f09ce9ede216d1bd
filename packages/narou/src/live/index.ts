// What the service and the harvest import of the live upstream. Its settings are in upstream-settings.ts.

export { findByNcode } from './find-by-ncode.ts';
export { UPSTREAM_MAX_START, createNarouSource } from './narou-source.ts';
export { searchInHalves, splittingSource } from './split-requests.ts';
export { createNarouGate, createNarouTransport } from './transport.ts';
export { budgetLimitsOf, budgetState, createBudgetLog } from './upstream-budget.ts';
export { OversizedResponse, ShortPage, UpstreamUnavailable } from './upstream-failure.ts';
export { UPSTREAM_SETTINGS, transportSettings, upstreamScope } from './upstream-settings.ts';
export type { UpstreamConfig } from './upstream-settings.ts';
