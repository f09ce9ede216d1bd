/** Counts of the upstream from here on may be up to four hours old (manual of novelapi): a full page may not be the last. */
export const FIRST_LAGGING_COUNT = 1_000;
