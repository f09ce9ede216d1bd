import type { ShortAnswer } from '../../record/evidence.ts';
import { readAnswer } from './parse-whois-text.ts';
import type { WhoisHints } from './parse-whois-text.ts';

const MOST_PARAGRAPHS = 3;
const COMMENT = /^(?:[%#>;]|\/\/)/;
/** A session's own words and the server's own letter differ from answer to answer. */
const OF_ONE_ANSWER = /^(?:session|request|query|transaction|server|node|host|time|date)\b[^:]{0,20}:/i;

/**
 * An answer as witnesses compare it: its lines masked, where it is short (three paragraphs that are no comments) and
 * without any fact of a registration; null else. Terms of use do not count.
 */
export function readShortAnswer(text: string, hints: WhoisHints & { domain: string }): ShortAnswer | null {
  const { answer } = readAnswer(text, hints);
  if (answer.hasFacts() || answer.isForeign()) return null;
  const own = answer.ownLines().filter((line) => !COMMENT.test(line.text) && !OF_ONE_ANSWER.test(line.text));
  const [first] = own;
  if (first === undefined || new Set(own.map(({ paragraph }) => paragraph)).size > MOST_PARAGRAPHS)
    return null;
  return {
    firstLine: first.text,
    lines: own.map((line) => line.masked),
    labelledLines: own.map((line) => line.maskedWithLabel()),
  };
}

/** Whether two answers of one server say the same of two names: line by line, masked without the label or with it. */
export function isSameShortAnswer(one: ShortAnswer, other: ShortAnswer): boolean {
  const isSame = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((line, at) => line === b[at]);
  return isSame(one.lines, other.lines) || isSame(one.labelledLines, other.labelledLines);
}
