import { isTermsHeading, labelOf } from './lines.ts';
import type { Labelled } from './lines.ts';
import { folded } from './masked-line.ts';
import { isLegal, isOfTerms, isTrouble } from './patterns.ts';
import type { Claim } from './read-records.ts';
import { WORD_CHAR } from './sentence-table.ts';
import type { SentenceReader, SentenceState } from './sentence-table.ts';

/** The largest known answer has 14 kB. */
export const MAX_SCAN_LENGTH = 32_768;
/** The longest known sentence on one line has 300 characters. */
const MAX_SENTENCE_LENGTH = 600;
/** A longer line is an unwrapped paragraph. */
const MAX_WRAPPED_LENGTH = 200;
/** Longer paragraphs are terms of use: `The use for other purposes is not permitted`. */
const MAX_LINES = 3;
const MARKER = /^(?:[%#>;*]|\/\/)+\s*/;

/** A paragraph of an answer, shared by its lines. */
interface Paragraph {
  readonly lines: AnswerLine[];
}

/** A line of an answer, neither empty nor a ruler. Its other forms are computed on first use. */
export class AnswerLine {
  /** As received, trimmed. */
  readonly text: string;
  readonly paragraph: Paragraph;
  /** It states a status of the record. */
  readonly isStatus: boolean;
  /** Part of terms of use, see `markTerms`. */
  isProse: boolean;
  /** State of the known sentence that the line is, alone or joined with a neighbouring line. */
  sentenceState: SentenceState | undefined = undefined;
  /** A known sentence has its first word. */
  readonly mayBegin: boolean;
  readonly #reader: SentenceReader;
  #folded: string | undefined = undefined;
  #masked: string | undefined = undefined;
  #labelled: Labelled | undefined = undefined;

  constructor(text: string, reader: SentenceReader, paragraph: Paragraph, isStatus: boolean) {
    this.text = text;
    this.#reader = reader;
    this.paragraph = paragraph;
    paragraph.lines.push(this);
    this.isStatus = isStatus;
    this.isProse = text.length > MAX_WRAPPED_LENGTH;
    this.mayBegin = reader.mayBegin(text);
  }

  get folded(): string {
    return (this.#folded ??= folded(this.text.slice(0, MAX_SENTENCE_LENGTH)));
  }

  /** In the form of the table, see masked-line.ts. */
  get masked(): string {
    return (this.#masked ??= this.#reader.mask(this.folded));
  }

  /** Whether it is part of terms of use, also by its own words. */
  isTerms(): boolean {
    return this.isProse || (isOfTerms(this.folded) && isOfTerms(this.masked));
  }

  /** Whether its paragraph is too short for terms of use: it has few lines without a label. */
  isInShortParagraph(): boolean {
    const { lines } = this.paragraph;
    return (
      lines.length <= MAX_LINES || lines.filter(({ labelled }) => labelled.label === null).length <= MAX_LINES
    );
  }

  /** Label and value, without the marker of a remark. A gap ends no label here: sentences have gaps, too. */
  get labelled(): Labelled {
    return (this.#labelled ??= colonLabelOf(this.text.replace(MARKER, '')));
  }

  isRemark(): boolean {
    return MARKER.test(this.text);
  }

  /** Whether it states something about the name: `Query: free.example` only repeats it. */
  isAboutName(): boolean {
    if (!this.#reader.forms.some((form) => this.folded.includes(form))) return false;
    if (!this.masked.includes('{name}') || this.masked === '{name}') return false;
    const { label, value } = this.labelled;
    return label === null || this.#reader.mask(folded(value)) !== '{name}';
  }
}

function colonLabelOf(text: string): Labelled {
  const labelled = labelOf(text);
  return labelled.isLoose ? { label: null, value: text, isLoose: false } : labelled;
}

/**
 * The lines of an answer that state no field, with their states in the table of known sentences. In a record, lines with
 * an unknown label state fields, too.
 */
export function readAnswerLines(
  text: string,
  reader: SentenceReader,
  claims: readonly Claim[] = [],
  isRecord = false,
): readonly AnswerLine[] {
  const lines = unclaimedLines(text.slice(0, MAX_SCAN_LENGTH), reader, claims, isRecord);
  let before: AnswerLine | undefined;
  for (const line of lines) {
    if (line.mayBegin) line.sentenceState ??= stateOf(line, reader);
    if (
      before?.mayBegin === true &&
      before.sentenceState === undefined &&
      line.sentenceState === undefined &&
      before.paragraph === line.paragraph
    ) {
      before.sentenceState = line.sentenceState = reader.stateOf(before.text, line.text);
    }
    before = line.isProse ? undefined : line;
  }
  markTerms(lines);
  return lines;
}

function stateOf({ text, isProse }: AnswerLine, reader: SentenceReader): SentenceState | undefined {
  if (text.length > MAX_SENTENCE_LENGTH) return undefined;
  return reader.stateOf(text) ?? (isProse ? undefined : stateOfParts(text, reader));
}

/** Separators between two sentences of one line. */
const BETWEEN_SENTENCES = /[:.] | - |\|/;

/** A line of several known sentences with one state; `neutral` sentences do not count. */
function stateOfParts(text: string, reader: SentenceReader): SentenceState | undefined {
  const states = new Set<SentenceState>();
  const parts = text.split(BETWEEN_SENTENCES).filter((part) => WORD_CHAR.test(part));
  if (parts.length < 2) return undefined;
  for (const part of parts) {
    const state = reader.stateOf(part);
    if (state === undefined) return undefined;
    states.add(state);
  }
  if (states.size > 1) states.delete('neutral');
  const [state] = states;
  return states.size === 1 ? state : undefined;
}

/**
 * Paragraphs end at empty lines, rulers, the time of the database (`>>> Last update of WHOIS database: ... <<<`) and a change
 * of marker.
 */
function unclaimedLines(
  text: string,
  reader: SentenceReader,
  claims: readonly Claim[],
  isRecord: boolean,
): AnswerLine[] {
  const lines: AnswerLine[] = [];
  let start = 0;
  let next = 0;
  let paragraph: Paragraph = { lines: [] };
  let marker = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const ownMarker = markerOf(line);
    const isBetween = line === '' || isDrawn(line);
    if (isBetween || ownMarker !== marker || line.length < 2) paragraph = { lines: [] };
    marker = ownMarker;
    const kind = claims[next]?.start === start ? claims[next++]?.kind : undefined;
    if (!isBetween && kind !== 'field' && !(isRecord && kind === 'unknown'))
      lines.push(new AnswerLine(line, reader, paragraph, kind === 'status'));
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
  let isBelowSentence = false;
  /** Right below a known sentence, the first line of one about liability that small letters continue. */
  let first: AnswerLine | undefined;
  for (const line of lines) {
    const isSameParagraph = above?.paragraph === line.paragraph;
    isBelowHeading = isTermsHeading(line.text) || (isBelowHeading && isSameParagraph && isFree(line));
    const isCut = above !== undefined && CUT.test(above.text) && line.sentenceState === undefined;
    if (isBelowHeading) line.isProse = true;
    else if (isCut && above?.isTerms() && isFree(line) && (isSameParagraph || SMALL_LETTER.test(line.text)))
      line.isProse = true;
    else if (isCut && above && isSameParagraph && line.isTerms() && above.sentenceState === undefined)
      above.isProse = true;
    if (!isCut || !line.isProse || !isSameParagraph || !SMALL_LETTER.test(line.text)) first = undefined;
    else if (isBelowSentence && isLegal(above?.folded ?? '')) first = above;
    if (first !== undefined && isTrouble(line.masked)) first = undefined;
    // Only a whole sentence is known to be no trouble.
    if (first !== undefined && line.text.endsWith('.')) first.isProse = true;
    isBelowSentence = isSameParagraph && above?.sentenceState !== undefined;
    above = line;
  }
}

/** Whether a line is neither labelled nor a known sentence. A colon at its end introduces a list. */
function isFree({ sentenceState, labelled: { label, value } }: AnswerLine): boolean {
  return sentenceState === undefined && (label === null || (value === '' && label.includes(' ')));
}
