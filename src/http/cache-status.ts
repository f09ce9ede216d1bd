import type { CacheOutcome } from '../cache/response-cache.ts';
import type { StoredAnswer } from '../cache/stored-answer.ts';

/** Whole seconds since the answer was fetched (RFC 9111, section 4.2.3). */
export function ageSeconds(answer: StoredAnswer, now: number): number {
  return Math.max(0, Math.floor((now - answer.storedAt) / 1000));
}

/** Cache-Status (RFC 9211); a negative ttl says how long the answer has been stale. */
export function cacheStatus(
  cacheName: string,
  answer: StoredAnswer,
  outcome: CacheOutcome,
  now: number,
): string {
  const ttl = Math.floor((answer.freshUntil - now) / 1000);
  switch (outcome) {
    case 'hit':
      return `${cacheName}; hit; ttl=${ttl}`;
    case 'revalidating':
      return `${cacheName}; hit; ttl=${ttl}; detail=revalidating`;
    case 'stale':
      return `${cacheName}; hit; ttl=${ttl}; detail=stale-on-error`;
    case 'miss':
      return `${cacheName}; fwd=miss; stored`;
    case 'collapsed':
      return `${cacheName}; fwd=miss; collapsed`;
  }
}

/** The moment before which Date (whole seconds), Age and the ttl of an answer stay what they are at `now`. */
export function sameUntil(answer: StoredAnswer, now: number): number {
  const nextDate = (Math.floor(now / 1000) + 1) * 1000;
  const nextAge = answer.storedAt + (ageSeconds(answer, now) + 1) * 1000;
  const nextTtl = answer.freshUntil - Math.floor((answer.freshUntil - now) / 1000) * 1000 + 1;
  return Math.min(nextDate, nextAge, nextTtl);
}
