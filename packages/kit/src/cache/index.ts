export { cachedError } from './cache-entry.ts';
export type { CacheEntry, CachePolicy, CacheReader, LoadedData, Question } from './cache-entry.ts';
export type { CacheResult, ResponseCache } from './response-cache.ts';
