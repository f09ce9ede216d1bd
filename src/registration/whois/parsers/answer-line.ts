import { labelOf } from './lines.ts';
import type { Labelled } from './lines.ts';
import { folded, maskedLine } from './masked-line.ts';
import type { NameForms } from './masked-line.ts';
import { SENTENCES } from './sentence-table.ts';
import type { SentenceState } from './sentence-table.ts';

/** The longest known sentence that one line holds has 300 characters. */
export const LONGEST_SENTENCE = 600;
const MARKER = /^(?:[%#>;*]|\/\/)+\s*/;

/** A line of an answer that is neither empty nor drawn. Each of its forms is made once, when it is first used. */
export class AnswerLine {
  /** As it came, without blanks around it. */
  readonly text: string;
  paragraph: number;
  /** It stands in terms of use, in which limits and reservations are talked about. */
  isProse: boolean;
  /** What the table of known sentences says of it, perhaps together with the line before or behind it. */
  sentenceState: SentenceState | undefined = undefined;
  /** Last words of the known sentences that begin as it does. */
  readonly lastWords: ReadonlySet<string> | undefined;
  readonly #forms: NameForms;
  #folded: string | undefined = undefined;
  #masked: string | undefined = undefined;
  #labelled: Labelled | undefined = undefined;

  constructor(
    text: string,
    forms: NameForms,
    { paragraph, isProse }: { paragraph: number; isProse: boolean },
  ) {
    this.text = text;
    this.#forms = forms;
    this.paragraph = paragraph;
    this.isProse = isProse;
    this.lastWords = SENTENCES.lastWordsAfter(text);
  }

  get folded(): string {
    return (this.#folded ??= folded(this.text.slice(0, LONGEST_SENTENCE)));
  }

  /** As the table has it. */
  get masked(): string {
    return (this.#masked ??= maskedLine(this.folded, this.#forms));
  }

  /** With the name's first label as a mark too. */
  maskedWithLabel(): string {
    return maskedLine(this.folded, this.#forms, true);
  }

  /** Label and value, without the marker of a remark. */
  get labelled(): Labelled {
    return (this.#labelled ??= labelOf(this.text.replace(MARKER, '')));
  }

  isRemark(): boolean {
    return MARKER.test(this.text);
  }

  /** Whether it speaks of the name, and does not only repeat it: `Query: free.example`. */
  isAboutName(): boolean {
    if (!this.#forms.forms.some((form) => this.folded.includes(form))) return false;
    if (!this.masked.includes('{name}') || this.masked === '{name}') return false;
    const { label, value } = this.labelled;
    return label === null || maskedLine(folded(value), this.#forms) !== '{name}';
  }
}
