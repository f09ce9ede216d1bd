// The gate and the quota before every upstream request.

export { Budget, LOW_FROM } from './budget.ts';
export type { BudgetLimits, OutgoingBudget, Requester, Spent, Usage } from './budget.ts';
export { createGate } from './gate.ts';
export type { Gate } from './gate.ts';
export type { Classification, ServerGateOptions, ServerRules } from './server-gate.ts';
export { Queue } from './queue.ts';
export { createSharedDebts } from './shared-debts.ts';
