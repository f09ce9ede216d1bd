// The quota of requests to the upstream.

export { Budget, LOW_FROM } from './budget.ts';
export type { BudgetLimits, OutgoingBudget, Requester, Spent, Usage } from './budget.ts';
export { createSharedDebts } from './shared-debts.ts';
