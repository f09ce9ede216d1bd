import { evidenceOf } from '../../record/registration-record.ts';
import type { Evidence } from '../../record/registration-record.ts';
import type { AnswerLine } from './answer-lines.ts';
import { folded } from './masked-line.ts';
import { isTrouble, isTroubleLabel, mayBeTrouble } from './patterns.ts';
import { areOfRegistration } from './status-words.ts';

/** An echo of the query, or a link. */
const ONLY_MARKS = /^(?:\{(?:name|url|mail|n)\} ?)+$/;
/** A line of terms of use that continues on the next: `you agree not to use the information made` / `available`. */
const CUT_SENTENCE = /^.{44,}[\p{L}\p{N},]$/u;

/** The lines of an answer, and the properties that decide which of them contradict a denial. */
interface Surroundings {
  lines: readonly AnswerLine[];
  /** The denials are part of a form that states the domain. */
  isNamed: boolean;
}

/**
 * Lines that contradict the denials: unknown lines in every denial's paragraph, unknown lines about the name anywhere,
 * and trouble outside the terms of use. Without any, a denial is credible.
 */
export function contradictionsOf(denials: readonly AnswerLine[], answer: Surroundings): readonly Evidence[] {
  const { lines } = answer;
  const unknown = denials.map((denial) => lines.filter((line) => isUnknownBeside(line, denial, answer)));
  const isCredible = unknown.some((inParagraph) => inParagraph.length === 0);
  const about = lines.filter((line) => line.sentenceState === undefined && line.isAboutName());
  return evidenceOfLines([...(isCredible ? [] : unknown.flat()), ...about, ...lines.filter(reportsTrouble)]);
}

/** The different lines, as evidence. */
export const evidenceOfLines = (lines: readonly AnswerLine[]): readonly Evidence[] =>
  [...new Set(lines)].map(({ text }) => evidenceOf('sentence', text));

/** Whether an unknown line outside terms of use reports trouble. */
export function reportsTrouble(line: AnswerLine): boolean {
  if (line.sentenceState !== undefined || line.isProse || !mayBeTrouble(line.folded)) return false;
  const { label, value } = line.labelled;
  if (line.isStatus) return !areOfRegistration([value]) && isTrouble(folded(value));
  if (label !== null && value !== '' && isTroubleLabel(label)) return true;
  return line.isInShortParagraph() && isTrouble(line.masked) && !line.isTerms();
}

/** Whether a line in the paragraph of a denial may contradict it. */
function isUnknownBeside(line: AnswerLine, denial: AnswerLine, { lines, isNamed }: Surroundings): boolean {
  if (line.sentenceState !== undefined || line.paragraph !== denial.paragraph || line.isProse) return false;
  if (ONLY_MARKS.test(line.masked)) return false;
  const { label, value } = line.labelled;
  if (reportsTrouble(line) || (isTrouble(line.masked) && !line.isTerms())) return true;
  const isRightAbove = lines[lines.indexOf(line) + 1] === denial;
  if (label === null) return !line.isRemark() || (isRightAbove && CUT_SENTENCE.test(line.text));
  // A form may have any field.
  return value === '' || (!isNamed && !line.isStatus);
}
