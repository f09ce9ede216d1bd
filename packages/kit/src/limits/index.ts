// Limits of a client, for endpoints that cost more than one request.

export type { RateLimiter } from './rate-limiter.ts';
export { UPSTREAM_HOURS } from './rules.ts';
