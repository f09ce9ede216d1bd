import { evidenceOf } from '../../record/registration-record.ts';
import type { Evidence } from '../../record/registration-record.ts';
import { withoutMarker } from './lines.ts';
import type { Line, TextLines } from './lines.ts';
import { TROUBLE_LABEL, isOfTerms, isTrouble } from './patterns.ts';
import { WORD_CHAR, folded } from './sentence-table.ts';
import type { SentenceReader, SentenceState } from './sentence-table.ts';
import { areOfRegistration } from './status-words.ts';

/** The largest known answer has 14 kB. */
export const MAX_SCAN_LENGTH = 32_768;
/** The longest known sentence on one line has 300 characters. */
const MAX_SENTENCE_LENGTH = 600;
/** A longer line is an unwrapped paragraph. */
const MAX_WRAPPED_LENGTH = 200;
/** Longer paragraphs are terms of use: `The use for other purposes is not permitted`. */
const MAX_LINES = 3;

/** Of the lines of a paragraph that state no field, those without a label. */
interface Paragraph {
  unlabelled: number;
}

/** Longer sentences are terms of use: `The use for other purposes is not permitted`. */
const MAX_SENTENCE_ALONE = 120;
/** The end of a sentence that begins above, and another sentence. */
const SENTENCE_END = /^\P{L}*\p{Ll}.*\. \S/u;

/** A line of an answer, neither empty nor a ruler. */
export class AnswerLine {
  /** As received, trimmed. */
  readonly text: string;
  readonly paragraph: Paragraph;
  readonly isRemark: boolean;
  /** It states a status of the record. */
  readonly isStatus: boolean;
  /** Part of terms of use, see `markTerms`. */
  isProse: boolean;
  /** State of the known sentence that the line is, alone or joined with a neighbouring line. */
  sentenceState: SentenceState | undefined = undefined;
  readonly folded: string;
  /** In the form of the table, see `maskLine`. */
  readonly masked: string;
  /** Label and value, without the marker of a remark. A gap ends no label here: sentences have gaps, too. */
  readonly labelled: Pick<Line, 'label' | 'value'>;
  readonly #reader: SentenceReader;

  constructor(
    { whole, claim, isTerms, label, value, isLoose }: Line,
    paragraph: Paragraph,
    reader: SentenceReader,
  ) {
    this.text = whole;
    this.#reader = reader;
    this.paragraph = paragraph;
    this.isStatus = claim === 'status';
    this.isProse = isTerms || whole.length > MAX_WRAPPED_LENGTH;
    const sentence = whole.slice(0, MAX_SENTENCE_LENGTH);
    this.folded = folded(sentence);
    this.masked = reader.mask(sentence);
    this.isRemark = withoutMarker(whole) !== whole;
    this.labelled = isLoose ? { label: null, value: whole } : { label, value };
    if (this.labelled.label === null) paragraph.unlabelled++;
  }

  /** Whether it is part of terms of use, also by its own words. */
  isTerms(): boolean {
    return this.isProse || (isOfTerms(this.folded) && isOfTerms(this.masked));
  }

  /** Whether its paragraph is too short for terms of use: it has few lines without a label. */
  isInShortParagraph(): boolean {
    return this.paragraph.unlabelled <= MAX_LINES;
  }

  /** Whether it is a complete sentence outside terms of use. */
  standsAlone(): boolean {
    if (this.isProse || this.text.length > MAX_SENTENCE_ALONE) return false;
    return this.isInShortParagraph() && !SENTENCE_END.test(this.text);
  }

  /** Whether it states something about the name: `Query: free.example` only repeats it. */
  isAboutName(): boolean {
    if (!this.#reader.forms.some((form) => this.folded.includes(form))) return false;
    if (!this.masked.includes('{name}') || this.masked === '{name}') return false;
    const { label, value } = this.labelled;
    return label === null || this.#reader.mask(value) !== '{name}';
  }

  /** Whether it repeats the query for another name: `% WHOIS other.example`. */
  isOfAnotherQuery(): boolean {
    return QUERY.test(withoutMarker(this.text)) && this.#reader.namesAnother(this.text);
  }
}

/** A word for the query, and one of it. */
const QUERY = /^(?:domain(?: name)?|query|object|request|search|whois|look ?up)\s{0,8}:?\s{1,40}\S{3,256}$/i;

/**
 * The lines of an answer that state no field, with their states in the table of known sentences. In a record, lines with
 * an unknown label state fields, too.
 */
export function readAnswerLines(
  text: TextLines,
  reader: SentenceReader,
  isRecord = false,
): readonly AnswerLine[] {
  while (text.next() !== undefined);
  const paragraphs: Paragraph[] = [];
  const lines = text.all
    .filter(({ start }) => start < MAX_SCAN_LENGTH)
    .filter(({ claim }) => claim !== 'field' && !(isRecord && claim === 'unknown'))
    .map((line) => new AnswerLine(line, (paragraphs[line.paragraph] ??= { unlabelled: 0 }), reader));
  let before: AnswerLine | undefined;
  for (const line of lines) {
    line.sentenceState ??= stateOf(line, reader);
    if (
      before !== undefined &&
      before.sentenceState === undefined &&
      line.sentenceState === undefined &&
      before.paragraph === line.paragraph
    ) {
      before.sentenceState = line.sentenceState = reader.stateOf(
        reader.mask(`${before.folded} ${line.folded}`),
      );
    }
    before = line.isProse ? undefined : line;
  }
  markTerms(lines);
  return lines;
}

function stateOf({ text, masked, isProse }: AnswerLine, reader: SentenceReader): SentenceState | undefined {
  if (text.length > MAX_SENTENCE_LENGTH) return undefined;
  return reader.stateOf(masked) ?? (isProse ? undefined : stateOfParts(text, reader));
}

/** Separators between two sentences of one line. */
const BETWEEN_SENTENCES = /[:.] | - |\|/;

/** A line of several known sentences with one state; `neutral` sentences do not count. */
function stateOfParts(text: string, reader: SentenceReader): SentenceState | undefined {
  const states = new Set<SentenceState>();
  const parts = text.split(BETWEEN_SENTENCES).filter((part) => WORD_CHAR.test(part));
  if (parts.length < 2) return undefined;
  for (const part of parts) {
    const state = reader.stateOf(reader.mask(part));
    if (state === undefined) return undefined;
    states.add(state);
  }
  if (states.size > 1) states.delete('neutral');
  const [state] = states;
  return states.size === 1 ? state : undefined;
}

/** A line that ends within a sentence. */
const CUT = /[\p{L},]$/u;
const SMALL_LETTER = /^\P{L}*\p{Ll}/u;

/** Marks the sentences of terms of use on several lines as prose: one of their lines has a condition. */
function markTerms(lines: readonly AnswerLine[]): void {
  for (let start = 0, end; start < lines.length; start = end) {
    end = start + 1;
    while (continues(lines[end], lines[end - 1])) end++;
    if (end === start + 1) continue;
    const sentence = lines.slice(start, end);
    const above = lines[start - 1];
    const isGlued = above?.sentenceState !== undefined && above.paragraph === sentence[0]?.paragraph;
    if (sentence.some((line) => line.isTerms()) && !(isGlued && isDoubtful(sentence)))
      for (const line of sentence) line.isProse = true;
  }
}

/** Right below a known sentence, only a whole one is known to be no trouble, which small letters continue. */
const isDoubtful = (sentence: readonly AnswerLine[]): boolean =>
  sentence.some(({ masked, text }, at) => isTrouble(masked) || (at > 0 && !SMALL_LETTER.test(text))) ||
  sentence.at(-1)?.text.endsWith('.') !== true;

/** Whether a line continues the sentence of the one above. */
function continues(line: AnswerLine | undefined, above: AnswerLine | undefined): boolean {
  if (line === undefined || above === undefined || above.sentenceState !== undefined) return false;
  const isNear = above.paragraph === line.paragraph || SMALL_LETTER.test(line.text);
  return isNear && CUT.test(above.text) && isFree(line);
}

/** Whether a line is neither labelled nor a known sentence. A colon at its end introduces a list. */
function isFree({ sentenceState, labelled: { label, value } }: AnswerLine): boolean {
  return sentenceState === undefined && (label === null || (value === '' && label.includes(' ')));
}

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
  const about = lines.filter(
    (line) => line.sentenceState === undefined && (line.isAboutName() || line.isOfAnotherQuery()),
  );
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
  if (label !== null && value !== '' && TROUBLE_LABEL.test(label)) return true;
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
