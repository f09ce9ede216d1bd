import type { CachePolicy, CacheEntry, CacheReader, Question } from '@mokuroku/kit/cache';
import { mapUnordered } from '@mokuroku/kit/http';

/** Maximum concurrent upstream requests for one client request. */
export const AT_ONCE = 4;

/**
 * The cache entries of many questions of one kind, in order. An error for which `isMissing` is true counts as an
 * absence. Any other error fails the whole request; the entries so far stay cached, so that a retry resumes there.
 */
export async function getMany(
  questions: readonly Question[],
  policy: CachePolicy,
  cache: CacheReader,
  isMissing: (error: unknown, index: number) => boolean,
): Promise<(CacheEntry | undefined)[]> {
  const entries = Array.from<CacheEntry | undefined>({ length: questions.length });
  const each = mapUnordered(questions, AT_ONCE, async (question, index) => {
    try {
      return { index, entry: await cache.get(question, policy) };
    } catch (error) {
      if (!isMissing(error, index)) throw error;
      return { index, entry: await cache.find(question, policy) };
    }
  });
  for await (const { index, entry } of each) entries[index] = entry;
  return entries;
}
