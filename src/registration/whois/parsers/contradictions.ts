import { evidenceOf } from '../../record/evidence.ts';
import type { Evidence } from '../../record/evidence.ts';
import type { AnswerLine } from './answer-line.ts';
import { folded } from './masked-line.ts';
import { isTrouble } from './patterns.ts';
import { areOfRegistration } from './status-words.ts';
import { GENERAL_LABELS } from './vocabulary.ts';

const MOST_CONTRADICTIONS = 4;
/** An echo of the question, or where to read on. */
const ONLY_MARKS = /^(?:\{(?:name|url|mail|n)\} ?)+$/;
/** A line of terms of use that the next one goes on with: `you agree not to use the information made` / `available`. */
const CUT_SENTENCE = /^.{44,}[\p{L}\p{N},]$/u;
/** The lines of an answer, and what else decides which of them speak against its denials. */
export interface Surroundings {
  lines: readonly AnswerLine[];
  /** All of the answer has a say, see `LONGEST_SHORT`. */
  isShort: boolean;
  /** The denials stand in a form of the registry, which names the domain. */
  isNamed: boolean;
}

/**
 * What speaks against the denials: unknown lines in the paragraph of each of them, unknown lines about the name
 * wherever they stand, and trouble anywhere in a short answer. A "no" is believed where there is none.
 */
export function contradictionsOf(denials: readonly AnswerLine[], answer: Surroundings): readonly Evidence[] {
  const { lines, isShort } = answer;
  const unknown = denials.map((denial) => lines.filter((line) => isUnknownBeside(line, denial, answer)));
  const isCredible = unknown.some((inParagraph) => inParagraph.length === 0);
  const about = lines.filter((line) => line.sentenceState === undefined && line.isAboutName());
  const trouble = isShort ? lines.filter(tellsOfTrouble) : [];
  return evidenceOfLines([...(isCredible ? [] : unknown.flat()), ...about, ...trouble]);
}

/** The first of some lines, for a reader who wonders. */
export function evidenceOfLines(lines: readonly AnswerLine[]): readonly Evidence[] {
  const different = [...new Set(lines)].slice(0, MOST_CONTRADICTIONS);
  return different.map(({ text }) => evidenceOf('sentence', text));
}

/** Whether an unknown line tells of trouble: values of known labels but the status may hold any word. */
export function tellsOfTrouble(line: AnswerLine): boolean {
  if (line.sentenceState !== undefined) return false;
  const { label, value } = line.labelled;
  const field = GENERAL_LABELS.get(label ?? '')?.field;
  if (field === 'status') return !areOfRegistration([value]) && isTrouble(folded(value));
  return field == null && isTrouble(line.masked);
}

/** Whether a line in the paragraph of a denial says what nobody knows. */
function isUnknownBeside(line: AnswerLine, denial: AnswerLine, { lines, isNamed }: Surroundings): boolean {
  if (line.sentenceState !== undefined || line.paragraph !== denial.paragraph) return false;
  if (ONLY_MARKS.test(line.masked)) return false;
  if (isTrouble(line.masked)) return true;
  const { label, value } = line.labelled;
  const isRightAbove = lines[lines.indexOf(line) + 1] === denial;
  if (label === null) return !line.isRemark() || (isRightAbove && CUT_SENTENCE.test(line.text));
  // In a form of the registry any field may stand; alone beside a sentence only known ones.
  if (value !== '') return !isNamed && GENERAL_LABELS.get(label) === undefined;
  return isRightAbove || GENERAL_LABELS.get(label) === undefined;
}
