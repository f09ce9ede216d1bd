export type { RateLimiter } from './rate-limiter.ts';
export { UPSTREAM_HOURS } from './rules.ts';
