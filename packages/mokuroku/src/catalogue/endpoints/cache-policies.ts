import type { CachePolicy } from '@mokuroku/kit/cache';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * Fresh for this many seconds, then for a fifth of that (at most 5 minutes) served while a new one is fetched. Cached
 * for two weeks in case the upstream fails, and never longer. An absence is cached for a minute.
 */
export const fresh = (seconds: number): CachePolicy => ({
  freshSeconds: seconds,
  staleWhileRevalidateSeconds: Math.min(Math.floor(seconds / 5), 5 * MINUTE),
  staleIfErrorSeconds: MAX_AGE_SECONDS,
  absentSeconds: MINUTE,
});

export const RANKING = fresh(5 * MINUTE);
/** A second look, a day after the first, may say something else. */
export const UNCONFIRMED_RANKING = fresh(1 * HOUR);
/** A past ranking never changes, but its novels do. */
export const PAST_RANKING = fresh(14 * DAY);
export const HYDRATED_RANKING = fresh(5 * MINUTE);
export const PAST_HYDRATED_RANKING = fresh(1 * HOUR);
/** Some of its novels are unknown because the upstream fails, or the folder is about to be replaced. */
export const WITH_UNKNOWN = fresh(MINUTE);
/** New events appear within seconds. */
export const CHANGES: CachePolicy = {
  freshSeconds: 2,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 2,
  absentSeconds: 2,
};
export const RANKING_HISTORY = fresh(1 * HOUR);
