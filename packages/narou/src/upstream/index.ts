// The quota of requests to the upstream.

export { Budget, LOW_FROM, UPSTREAM_HOURS } from './budget.ts';
export type { BudgetLimits, OutgoingBudget, Requester, Spent, Usage } from './budget.ts';
export { createSharedDebts } from './shared-debts.ts';
