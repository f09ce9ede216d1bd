// What the manual of novelapi says about its data (August 2025).

/** The upstream's terms: data may be shown for two weeks after they were fetched. */
export const MAX_AGE_SECONDS = 14 * 86_400;

/** Counts of the upstream from here on may be up to four hours old: a full page may not be the last. */
export const FIRST_LAGGING_COUNT = 1_000;
