/** The upstream's terms (manual of novelapi, August 2025): what was fetched is shown for two weeks at most. */
export const MAX_AGE_SECONDS = 14 * 86_400;
