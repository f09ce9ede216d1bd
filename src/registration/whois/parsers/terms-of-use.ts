import type { AnswerLine } from './answer-line.ts';

const HEADING =
  /^\W{0,8}(?:terms|conditions of use|disclaimer|copyright|legal notice)(?: (?:and|of|use|service|conditions|usage)){0,4}\s*(?:[:：]|$)/i;
/** A line that ends within a sentence. */
const CUT = /[\p{L},]$/u;
const SMALL_LETTER = /^\P{L}*\p{Ll}/u;

/** Whether a line is the heading of terms of use, or has it as its label. */
export function isTermsHeading(line: string): boolean {
  return HEADING.test(line);
}

/**
 * Marks the lines of terms of use as prose, by the lines themselves: those under a heading or label, and those that
 * continue, or begin, a sentence with a condition.
 */
export function markTerms(lines: readonly AnswerLine[]): void {
  let above: AnswerLine | undefined;
  let isBelowHeading = false;
  for (const line of lines) {
    const isSameParagraph = above?.paragraph === line.paragraph;
    isBelowHeading = isTermsHeading(line.text) || (isBelowHeading && isSameParagraph && isFree(line));
    if (isBelowHeading) line.isProse = true;
    else if (above !== undefined && CUT.test(above.text) && line.sentenceState === undefined) {
      if (above.isTerms() && (isSameParagraph ? isFree(line) : SMALL_LETTER.test(line.text)))
        line.isProse = true;
      else if (isSameParagraph && line.isTerms() && above.sentenceState === undefined) above.isProse = true;
    }
    above = line;
  }
}

/** Whether a line is neither labelled nor a known sentence. */
function isFree({ sentenceState, labelled }: AnswerLine): boolean {
  return sentenceState === undefined && labelled.label === null;
}
