// What the manual of novelapi says about its data (August 2025).

/** The upstream's terms: data may be shown for two weeks after they were fetched. */
export const MAX_AGE_SECONDS = 14 * 86_400;

/** Counts of the upstream from here on may be up to four hours old: a full page may not be the last. */
export const FIRST_LAGGING_COUNT = 1_000;

/**
 * A second look confirms the first if it is at least this much later: faults last for a night, and a harvest by a timer
 * or a daily round comes after a day.
 */
export const SECOND_LOOK_SECONDS = 22 * 3_600;

/**
 * The upstream returns rows from this position at most (manuals of novelapi, novel18api and userapi), 500 a page: 2,499
 * in all.
 */
export const LAST_START = 2_000;
