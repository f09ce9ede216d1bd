import type { ShortAnswer } from '../../record/registration-record.ts';
import { readAnswer } from './parse-whois-text.ts';
import type { WhoisHints } from './parse-whois-text.ts';

const MAX_PARAGRAPHS = 3;
const COMMENT = /^(?:[%#>;]|\/\/)/;
/** Lines that differ between answers, such as a session or the server's name. */
const OF_ONE_ANSWER = /^(?:session|request|query|transaction|server|node|host|time|date)\b[^:]{0,20}:/i;

/**
 * The comparable form of a short answer: its masked lines, without comments and terms of use. null if it has facts of a
 * registration or more than three paragraphs.
 */
export function readShortAnswer(text: string, hints: WhoisHints & { domain: string }): ShortAnswer | null {
  const { answer } = readAnswer(text, hints);
  if (answer.hasFacts() || answer.isOtherProtocol() || !answer.isScannedWhole()) return null;
  const own = answer.ownLines().filter((line) => !COMMENT.test(line.text) && !OF_ONE_ANSWER.test(line.text));
  const [first] = own;
  if (first === undefined || new Set(own.map(({ paragraph }) => paragraph)).size > MAX_PARAGRAPHS)
    return null;
  return {
    firstLine: first.text,
    lines: own.map((line) => line.masked),
    labelledLines: own.map((line) => line.maskedWithLabel()),
  };
}

/** Whether two answers of one server about two names are equal, masked without or with the label. */
export function isSameShortAnswer(one: ShortAnswer, other: ShortAnswer): boolean {
  const isSame = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((line, at) => line === b[at]);
  return isSame(one.lines, other.lines) || isSame(one.labelledLines, other.labelledLines);
}
