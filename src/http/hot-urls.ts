import { LRUCache } from 'lru-cache';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { StoredAnswer } from '../cache/stored-answer.ts';

const MAX_URLS = 20_000;
/** Longer URLs are rare and would let 20,000 of them weigh too much. */
const MAX_REMEMBERED_LENGTH = 512;

export interface HotUrls {
  /** Notes that this URL, as written, asks for this key and nothing in it was ignored. */
  remember(url: string, key: string): void;
  /** The fresh answer in memory, without parsing the URL. */
  answerOf(url: string): StoredAnswer | undefined;
}

/** The short way to a kept answer: from the URL as written to the normalised key, for URLs seen before. */
export function createHotUrls(cache: ResponseCache): HotUrls {
  const keys = new LRUCache<string, string>({ max: MAX_URLS });
  return {
    remember: (url, key) => {
      if (url.length <= MAX_REMEMBERED_LENGTH) keys.set(url, key);
    },
    answerOf: (url) => {
      const key = keys.get(url);
      return key === undefined ? undefined : cache.fresh(key);
    },
  };
}
