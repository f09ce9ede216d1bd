import type { ShortAnswer } from '../../look-up/evidence.ts';
import { folded, maskedLine, nameFormsOf } from './masked-line.ts';
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
  if (own.length === 0 || new Set(own.map(({ paragraph }) => paragraph)).size > MOST_PARAGRAPHS) return null;
  const forms = nameFormsOf(hints.domain);
  return {
    lines: own.map((line) => maskedLine(folded(line.text), forms)),
    labelledLines: own.map((line) => maskedLine(folded(line.text), forms, true)),
  };
}

/** Whether two answers of one server say the same of two names: line by line, masked without the label or with it. */
export function isSameShortAnswer(one: ShortAnswer, other: ShortAnswer): boolean {
  const isSame = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((line, at) => line === b[at]);
  return isSame(one.lines, other.lines) || isSame(one.labelledLines, other.labelledLines);
}
