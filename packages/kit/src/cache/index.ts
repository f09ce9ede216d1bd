// The cache of responses, and what an entry of it is.

export { cachedError, errorOf } from './cache-entry.ts';
export type {
  CacheEntry,
  CachePolicy,
  CacheReader,
  LoadContext,
  LoadedData,
  Question,
} from './cache-entry.ts';
export type { CacheResult, ResponseCache } from './response-cache.ts';
