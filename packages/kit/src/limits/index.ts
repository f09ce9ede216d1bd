// Limits of a client, for endpoints that cost more than one request.

export type { RateLimiter } from './rate-limiter.ts';
export { Debts } from './debts.ts';
export { NETWORK_SHARE, networkOf } from './rules.ts';
