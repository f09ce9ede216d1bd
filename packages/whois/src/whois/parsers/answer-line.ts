import { evidenceOf } from '../../record/registration-record.ts';
import type { Evidence } from '../../record/registration-record.ts';
import { labelOf } from './lines.ts';
import type { Labelled } from './lines.ts';
import { folded, maskLine } from './masked-line.ts';
import type { NameForms } from './masked-line.ts';
import { isOfTerms } from './patterns.ts';
import type { GuessedState } from './patterns.ts';
import { sentences } from './sentence-table.ts';
import type { SentenceState } from './sentence-table.ts';

/** The longest known sentence on one line has 300 characters. */
export const MAX_SENTENCE_LENGTH = 600;
/** Longer paragraphs are terms of use: `The use for other purposes is not permitted`. */
const MAX_LINES = 3;
const MARKER = /^(?:[%#>;*]|\/\/)+\s*/;

/** A paragraph of an answer, shared by its lines. */
export interface Paragraph {
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
  /** Last words of the known sentences with the same first word. */
  readonly lastWords: ReadonlySet<string> | undefined;
  readonly #forms: NameForms;
  #folded: string | undefined = undefined;
  #masked: string | undefined = undefined;
  #labelled: Labelled | undefined = undefined;

  constructor(
    text: string,
    forms: NameForms,
    { paragraph, isProse, isStatus }: { paragraph: Paragraph; isProse: boolean; isStatus: boolean },
  ) {
    this.isStatus = isStatus;
    this.text = text;
    this.#forms = forms;
    this.paragraph = paragraph;
    paragraph.lines.push(this);
    this.isProse = isProse;
    this.lastWords = sentences().lastWordsAfter(text);
  }

  get folded(): string {
    return (this.#folded ??= folded(this.text.slice(0, MAX_SENTENCE_LENGTH)));
  }

  /** In the form of the table, see masked-line.ts. */
  get masked(): string {
    return (this.#masked ??= maskLine(this.folded, this.#forms));
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
    if (!this.#forms.forms.some((form) => this.folded.includes(form))) return false;
    if (!this.masked.includes('{name}') || this.masked === '{name}') return false;
    const { label, value } = this.labelled;
    return label === null || maskLine(folded(value), this.#forms) !== '{name}';
  }
}

function colonLabelOf(text: string): Labelled {
  const labelled = labelOf(text);
  return labelled.isLoose ? { label: null, value: text, isLoose: false } : labelled;
}

/** A line with its state, usable as evidence. */
export class Statement implements Evidence {
  readonly kind: 'sentence' | 'status';
  readonly answerLine: AnswerLine;
  readonly state: SentenceState | GuessedState;

  constructor(kind: 'sentence' | 'status', answerLine: AnswerLine, state: SentenceState | GuessedState) {
    this.kind = kind;
    this.answerLine = answerLine;
    this.state = state;
  }

  get line(): string {
    return evidenceOf(this.kind, this.answerLine.text).line;
  }
}
