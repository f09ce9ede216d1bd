// The gate and the quota before every request to the upstream.

export { Budget, LOW_FROM } from './budget.ts';
export type { BudgetLimits, OutgoingBudget, Requester, Spent, Usage } from './budget.ts';
export { Gate } from './gate.ts';
export type { Classification, GateOptions } from './gate.ts';
export { createSharedDebts } from './shared-debts.ts';
export { addGateStats } from './stats.ts';
