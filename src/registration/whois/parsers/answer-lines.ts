import type { NameForms } from './masked-line.ts';
import { folded, maskedLine, mentionsName } from './masked-line.ts';
import { SENTENCES } from './sentence-table.ts';
import type { SentenceState, Source } from './sentence-table.ts';

const LONGEST_SCAN = 32_768;
/** The longest known sentence that one line holds has 300 characters. */
const LONGEST_SENTENCE = 600;
/** A paragraph of more long lines than this is prose: terms of use, not the answer. */
const MOST_LONG_LINES = 3;
const LONG_LINE = 45;
/** No line is longer but that of a paragraph that nobody wrapped. */
const LONGEST_WRAPPED = 200;
/** Letters, digits, and everything beyond ASCII: a line without them at its start is drawn, and parts paragraphs. */
const WORD_CHAR = /[a-z\d\x80-\uffff]/i;

/** `>>> Last update of WHOIS database: ... <<<`: terms of use follow. */
const CLOCK = /^>{3,} ?(?:last|whois|.whois)/i;

/** A line of an answer that is neither empty nor drawn. */
export interface AnswerLine {
  /** As it came, without blanks around it. */
  text: string;
  paragraph: number;
  /** It stands in terms of use, in which limits and reservations are talked about. */
  isProse: boolean;
  /** What the table of known sentences says of it, perhaps together with the line before or behind it. */
  known: SentenceState | undefined;
}

/** What may stand between two sentences of one line. */
const BETWEEN_SENTENCES = /[:.] | - |\|/;
const SEVERAL = /[:.] \S| - |\|/;
const SECOND_LANGUAGE = / \/ [^:]{1,40}:/;

/** The lines of an answer with what is known of them. Lines are masked when somebody asks, which most never are. */
export class AnswerLines {
  readonly all: readonly AnswerLine[];
  readonly #forms: NameForms;
  readonly #source: Source;
  readonly #withLabel: boolean;
  readonly #masked = new Map<AnswerLine, string>();

  constructor(text: string, forms: NameForms, source: Source) {
    this.#forms = forms;
    this.#source = source;
    this.#withLabel = SENTENCES.namesLabelAlone(source);
    this.all = linesOf(text.length <= LONGEST_SCAN ? text : headAndTail(text));
    let before: AnswerLine | undefined;
    for (const line of this.all) {
      line.known ??= this.#stateOf(line);
      if (line.known === undefined && before?.known === undefined && before?.paragraph === line.paragraph) {
        this.#readPair(before, line);
      }
      before = line.isProse ? undefined : line;
    }
  }

  /** A line as the table has it. */
  masked(line: AnswerLine): string {
    let masked = this.#masked.get(line);
    if (masked === undefined) {
      masked = maskedLine(folded(line.text.slice(0, LONGEST_SENTENCE)), this.#forms);
      this.#masked.set(line, masked);
    }
    return masked;
  }

  /** Whether the name asked for stands in a line. */
  mentionsName(line: AnswerLine): boolean {
    return mentionsName(folded(line.text), this.#forms);
  }

  /** The lines of one paragraph. */
  paragraphOf({ paragraph }: AnswerLine): AnswerLine[] {
    return this.all.filter((line) => line.paragraph === paragraph);
  }

  /** `The domain free.example` / `is not valid!`: two lines that are one sentence. */
  #readPair(before: AnswerLine, line: AnswerLine): void {
    if (!SENTENCES.hasEnds(before.text, line.text)) return;
    const state = this.#lookUp(folded(`${before.text} ${line.text}`));
    if (state !== undefined) before.known = line.known = state;
  }

  #stateOf({ text, isProse }: AnswerLine): SentenceState | undefined {
    if (text.length > LONGEST_SENTENCE) return undefined;
    if (this.#withLabel || SENTENCES.hasEnds(text, text)) {
      const state = this.#lookUp(folded(text));
      if (state !== undefined) return state;
    }
    return !isProse && SEVERAL.test(text) ? this.#lookUpParts(text) : undefined;
  }

  #lookUp(line: string): SentenceState | undefined {
    const masked = maskedLine(line, this.#forms);
    // `Domain / Domena: ...`: a label in two languages.
    const state =
      SENTENCES.stateOf(masked, this.#source) ??
      (SECOND_LANGUAGE.test(line) ? this.#lookUp(line.replace(SECOND_LANGUAGE, ':')) : undefined);
    if (state !== undefined || !this.#withLabel) return state;
    const names = { '{name}': this.#forms.forms, '{label}': this.#forms.labels };
    return (
      SENTENCES.stateOf(maskedLine(line, this.#forms, true), this.#source) ??
      SENTENCES.stateOfGlued(line, names, this.#source)
    );
  }

  /** A line of several known sentences of one state; those that say nothing stand beside any. */
  #lookUpParts(text: string): SentenceState | undefined {
    const parts = text.split(BETWEEN_SENTENCES).filter((part) => WORD_CHAR.test(part));
    if (parts.length < 2 || !parts.every((part) => SENTENCES.hasEnds(part, part))) return undefined;
    const states = new Set(parts.map((part) => this.#lookUp(folded(part))));
    if (states.size > 1) states.delete('beside');
    const [state] = states;
    return states.size === 1 ? state : undefined;
  }
}

/** The parts of an overlong text that can hold the answer. */
function headAndTail(text: string): string {
  return `${text.slice(0, LONGEST_SCAN / 2)}\n${text.slice(-LONGEST_SCAN / 2)}`;
}

/**
 * Paragraphs end at empty and drawn lines, at the registry's clock (`>>> Last update of WHOIS database: ... <<<`) and
 * where the marker changes.
 */
function linesOf(text: string): AnswerLine[] {
  const lines: AnswerLine[] = [];
  let paragraph = 0;
  let marker = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const ownMarker = markerOf(line);
    if (ownMarker !== marker || line.length < 2) paragraph++;
    marker = ownMarker;
    if (line === '' || isDrawn(line)) paragraph++;
    else lines.push({ text: line, paragraph, isProse: line.length > LONGEST_WRAPPED, known: undefined });
  }
  partProse(lines);
  return lines;
}

/** Makes a paragraph of its own of each run of long lines, with the end of its last sentence, and of each endless line. */
function partProse(lines: AnswerLine[]): void {
  let paragraph = (lines.at(-1)?.paragraph ?? 0) + 1;
  for (let start = 0; start < lines.length;) {
    const end = endOfProse(lines, start);
    if (end === start) {
      start++;
      continue;
    }
    const { paragraph: own } = lines[start] as AnswerLine;
    for (const line of lines.slice(start, end)) Object.assign(line, { paragraph, isProse: true });
    for (let at = end; lines[at]?.paragraph === own; at++)
      (lines[at] as AnswerLine).paragraph = paragraph + 1;
    paragraph += 2;
    start = end;
  }
}

function endOfProse(lines: readonly AnswerLine[], start: number): number {
  const first = lines[start];
  if (first === undefined) return start;
  if (first.isProse) return start + 1;
  let end = start;
  while (isLongOf(lines[end], first.paragraph)) end++;
  if (end - start <= MOST_LONG_LINES) return start;
  const isOver = /[.!\]*]$/.test(lines[end - 1]?.text ?? '');
  return !isOver && lines[end]?.paragraph === first.paragraph ? end + 1 : end;
}

function isLongOf(line: AnswerLine | undefined, paragraph: number): boolean {
  return line?.paragraph === paragraph && line.text.length >= LONG_LINE;
}

/** Whether a line has nothing to read at its start, or only the time. */
function isDrawn(line: string): boolean {
  const code = line.charCodeAt(0) | 32;
  if (code >= 97 && code <= 122) return false;
  return !WORD_CHAR.test(line.slice(0, 12)) || CLOCK.test(line);
}

/** What a line of a banner is marked by: an answer right below is a paragraph of its own. */
function markerOf(line: string): string {
  const first = line.charAt(0);
  return first === '%' || first === '#' || first === '>' || (first === '[' && line.endsWith(']'))
    ? first
    : '';
}
