// The cache of responses, and what an entry of it is.

export { cachedError } from './cache-entry.ts';
export type { CacheEntry, CachePolicy, CacheReader, LoadedData, Question } from './cache-entry.ts';
export type { CacheResult, ResponseCache } from './response-cache.ts';
