import type { CachePolicy, CacheEntry, CacheReader, Question } from '../../cache/answer.ts';
import { mapUnordered } from '../../http/map-unordered.ts';

/** One request leaves room at the upstream for those of others. */
export const AT_ONCE = 4;

/**
 * The answers to many questions of one kind, in their order. Where `isMissing` says so of what one was refused with, its
 * kept absence stands there. Any other failure is the failure of all: what was answered before it is kept, so that
 * asking again goes on there.
 */
export async function getMany(
  questions: readonly Question[],
  policy: CachePolicy,
  others: CacheReader,
  isMissing: (error: unknown) => boolean,
): Promise<(CacheEntry | undefined)[]> {
  const answers = Array.from<CacheEntry | undefined>({ length: questions.length });
  const each = mapUnordered(questions, AT_ONCE, async (question, index) => {
    try {
      return { index, answer: await others.get(question, policy) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      return { index, answer: await others.find(question.key) };
    }
  });
  for await (const { index, answer } of each) answers[index] = answer;
  return answers;
}
