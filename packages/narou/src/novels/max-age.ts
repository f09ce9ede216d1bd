/** The upstream's terms (manual of novelapi, August 2025): data may be shown for two weeks after they were fetched. */
export const MAX_AGE_SECONDS = 14 * 86_400;
