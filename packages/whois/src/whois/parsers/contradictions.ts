import { evidenceOf } from '../../record/registration-record.ts';
import type { Evidence } from '../../record/registration-record.ts';
import type { AnswerLine } from './answer-lines.ts';
import { folded } from './masked-line.ts';
import { isTrouble, isTroubleLabel } from './patterns.ts';
import { areOfRegistration } from './status-words.ts';

/** An echo of the query, or a link. */
const ONLY_MARKS = /^(?:\{(?:name|url|mail|n)\} ?)+$/;
/** A line of terms of use that continues on the next: `you agree not to use the information made` / `available`. */
const CUT_SENTENCE = /^.{44,}[\p{L}\p{N},]$/u;

/**
 * Lines that contradict the denials: unknown lines in every denial's paragraph, unknown lines about the name anywhere,
 * and trouble outside the terms of use. Without any, a denial is credible. `isNamed`: the denials are part of a form that
 * states the domain.
 */
export function contradictionsOf(
  denials: readonly AnswerLine[],
  lines: readonly AnswerLine[],
  isNamed: boolean,
): readonly Evidence[] {
  const all = new Set(denials);
  const paragraphs = new Set(denials.map(({ paragraph }) => paragraph));
  const beside: AnswerLine[] = [];
  /** The paragraphs and the denials that such a line contradicts. */
  const doubted = new Set<unknown>();
  for (const [at, line] of lines.entries()) {
    if (!paragraphs.has(line.paragraph) || !isUnknown(line)) continue;
    const below = lines[at + 1];
    if (isContradiction(line, isNamed)) doubted.add(line.paragraph);
    else if (below && all.has(below) && below.paragraph === line.paragraph && isCutRemark(line))
      doubted.add(below);
    else continue;
    beside.push(line);
  }
  const isCredible = denials.some((denial) => !doubted.has(denial) && !doubted.has(denial.paragraph));
  const about = lines.filter((line) => line.sentenceState === undefined && line.isAboutName());
  return evidenceOfLines([...(isCredible ? [] : beside), ...about, ...lines.filter(reportsTrouble)]);
}

/** The different lines, as evidence. */
export const evidenceOfLines = (lines: readonly AnswerLine[]): readonly Evidence[] =>
  [...new Set(lines)].map(({ text }) => evidenceOf('sentence', text));

/** Whether an unknown line outside terms of use reports trouble. */
export function reportsTrouble(line: AnswerLine): boolean {
  if (line.sentenceState !== undefined || line.isProse) return false;
  const { label, value } = line.labelled;
  if (line.isStatus) return !areOfRegistration([value]) && isTrouble(folded(value));
  if (label !== null && value !== '' && isTroubleLabel(label)) return true;
  return line.isInShortParagraph() && isTrouble(line.masked) && !line.isTerms();
}

const isUnknown = ({ sentenceState, isProse, masked }: AnswerLine): boolean =>
  sentenceState === undefined && !isProse && !ONLY_MARKS.test(masked);

/** Whether an unknown line in the paragraph of a denial may contradict it. */
function isContradiction(line: AnswerLine, isNamed: boolean): boolean {
  if (reportsTrouble(line) || (isTrouble(line.masked) && !line.isTerms())) return true;
  const { label, value } = line.labelled;
  if (label === null) return !line.isRemark;
  // A form may have any field.
  return value === '' || (!isNamed && !line.isStatus);
}

/** Whether a sentence begins in a remark that the line below may end. */
const isCutRemark = ({ labelled, text, isRemark }: AnswerLine): boolean =>
  labelled.label === null && isRemark && CUT_SENTENCE.test(text);
