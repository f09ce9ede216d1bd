import { AnswerLine, MAX_SENTENCE_LENGTH } from './answer-line.ts';
import type { Paragraph } from './answer-line.ts';
import { lastWord } from './line-ends.ts';
import { isTermsHeading } from './lines.ts';
import { folded, maskLine, maskLineAndLabel } from './masked-line.ts';
import type { NameForms } from './masked-line.ts';
import { sentences } from './sentence-table.ts';
import type { SentenceState, Source } from './sentence-table.ts';

/** The largest known answer has 14 kB. */
export const MAX_SCAN_LENGTH = 32_768;
/** A longer line is an unwrapped paragraph. */
const MAX_WRAPPED_LENGTH = 200;
/** Letters, digits and non-ASCII characters. A line that starts without any is a ruler between paragraphs. */
const WORD_CHAR = /[a-z\d\x80-\uffff]/i;

/** Separators between two sentences of one line. */
const BETWEEN_SENTENCES = /[:.] | - |\|/;
const SEVERAL = /[:.] \S| - |\|/;

interface Context {
  forms: NameForms;
  source: Source;
  /** Offsets of the lines that state a record. */
  claimed?: ReadonlySet<number>;
  /** Offsets of the lines that state a status. */
  statuses?: ReadonlySet<number>;
}

/** The lines of an answer that state no field, with their states in the table of known sentences. */
export class AnswerLines {
  readonly all: readonly AnswerLine[];
  readonly #forms: NameForms;
  readonly #source: Source;
  readonly #statesLabelAlone: boolean;

  constructor(text: string, context: Context) {
    this.#forms = context.forms;
    this.#source = context.source;
    this.#statesLabelAlone = sentences().namesLabelAlone(context.source);
    this.all = answerLines(text.slice(0, MAX_SCAN_LENGTH), context);
    let before: AnswerLine | undefined;
    for (const line of this.all) {
      line.sentenceState ??= this.#stateOf(line);
      if (
        line.sentenceState === undefined &&
        before?.sentenceState === undefined &&
        before?.paragraph === line.paragraph
      ) {
        this.#readPair(before, line);
      }
      before = line.isProse ? undefined : line;
    }
    markTerms(this.all);
  }

  /** One sentence on two lines: `The domain free.example` / `is not valid!`. */
  #readPair(before: AnswerLine, line: AnswerLine): void {
    if (before.lastWords?.has(lastWord(line.text)) !== true) return;
    const state = this.#lookUp(folded(`${before.text} ${line.text}`));
    if (state !== undefined) before.sentenceState = line.sentenceState = state;
  }

  #stateOf(line: AnswerLine): SentenceState | undefined {
    const { text, isProse, lastWords } = line;
    if (text.length > MAX_SENTENCE_LENGTH) return undefined;
    if (this.#statesLabelAlone || lastWords?.has(lastWord(text)) === true) {
      const state = this.#stateOfMasked(line.masked, line.folded);
      if (state !== undefined) return state;
    }
    return lastWords !== undefined && !isProse && SEVERAL.test(text) ? this.#lookUpParts(text) : undefined;
  }

  #lookUp(line: string): SentenceState | undefined {
    return this.#stateOfMasked(maskLine(line, this.#forms), line);
  }

  #stateOfMasked(masked: string, line: string): SentenceState | undefined {
    const state = sentences().stateOf(masked, this.#source);
    if (state !== undefined || !this.#statesLabelAlone) return state;
    return sentences().stateOf(maskLineAndLabel(line, this.#forms), this.#source);
  }

  /** A line of several known sentences with one state; `neutral` sentences do not count. */
  #lookUpParts(text: string): SentenceState | undefined {
    const parts = text.split(BETWEEN_SENTENCES).filter((part) => WORD_CHAR.test(part));
    const mayBeKnown = (part: string) => sentences().lastWordsAfter(part)?.has(lastWord(part)) === true;
    if (parts.length < 2 || !parts.every(mayBeKnown)) return undefined;
    const states = new Set(parts.map((part) => this.#lookUp(folded(part))));
    if (states.size > 1) states.delete('neutral');
    const [state] = states;
    return states.size === 1 ? state : undefined;
  }
}

/**
 * Paragraphs end at empty lines, rulers, the time of the database (`>>> Last update of WHOIS database: ... <<<`) and a change
 * of marker.
 */
function answerLines(text: string, { forms, claimed, statuses }: Context): AnswerLine[] {
  const lines: AnswerLine[] = [];
  let start = 0;
  let paragraph: Paragraph = { lines: [] };
  let marker = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const ownMarker = markerOf(line);
    const isBetween = line === '' || isDrawn(line);
    if (isBetween || ownMarker !== marker || line.length < 2) paragraph = { lines: [] };
    marker = ownMarker;
    if (!isBetween && claimed?.has(start) !== true) {
      const isStatus = statuses?.has(start) === true;
      const isProse = line.length > MAX_WRAPPED_LENGTH;
      lines.push(new AnswerLine(line, forms, { paragraph, isProse, isStatus }));
    }
    start += raw.length + 1;
  }
  return lines;
}

/** Whether a line starts with 12 characters that are no letters or digits. */
function isDrawn(line: string): boolean {
  const code = line.charCodeAt(0) | 32;
  if (code >= 97 && code <= 122) return false;
  return !WORD_CHAR.test(line.slice(0, 12));
}

/** The marker of a banner line. An answer right below it is a separate paragraph. */
function markerOf(line: string): string {
  if (line.startsWith('>>>')) return '>>>';
  const first = line.charAt(0);
  return first === '%' || first === '#' || first === '>' || (first === '[' && line.endsWith(']'))
    ? first
    : '';
}

/** A line that ends within a sentence. */
const CUT = /[\p{L},]$/u;
const SMALL_LETTER = /^\P{L}*\p{Ll}/u;

/**
 * Marks the lines of terms of use as prose, by the lines themselves: those under a heading or label, and those that
 * continue, or begin, a sentence with a condition.
 */
function markTerms(lines: readonly AnswerLine[]): void {
  let above: AnswerLine | undefined;
  let isBelowHeading = false;
  for (const line of lines) {
    const isSameParagraph = above?.paragraph === line.paragraph;
    isBelowHeading = isTermsHeading(line.text) || (isBelowHeading && isSameParagraph && isFree(line));
    if (isBelowHeading) line.isProse = true;
    else if (above !== undefined && CUT.test(above.text) && line.sentenceState === undefined) {
      if (above.isTerms() && isFree(line) && (isSameParagraph || SMALL_LETTER.test(line.text)))
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
