import { lazy } from '../../record/lazy.ts';
import { KNOWN_SENTENCES } from './known-sentences.ts';
import { WORD_CHAR, folded, maskLine, maskLineAndLabel, nameFormsOf } from './masked-line.ts';

export const SENTENCE_STATES = ['no', 'reserved', 'throttled', 'refused', 'invalid', 'neutral'] as const;
export type SentenceState = (typeof SENTENCE_STATES)[number];

/** A row of the table of known sentences. */
export interface KnownSentence {
  state: SentenceState;
  /** In the form of masked-line.ts, perhaps with parts that vary: see known-sentences.ts. */
  sentence: string;
  /** The servers and zones (`.example`) it applies to; null: all. */
  only: readonly string[] | null;
  /** Where and when it was collected. */
  source: string;
}

/** The origin of an answer: its server and the zone of the queried name, if known. */
export interface Source {
  server: string | null;
  zone: string | null;
}

/** Parses a table with a row a line: `state | masked sentence | servers | source`. */
export function readTable(text: string): KnownSentence[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [state = '', sentence = '', scope = '', source = ''] = line.split(' | ');
      const only = scope === 'any' ? null : scope.replace(/^only /, '').split(' ');
      return { state: state as SentenceState, sentence, only, source };
    });
}

/** A part of a row: a bracket or a word. */
const ROW_PART = /[()|]|[^\s()|]+/g;

/** The masked sentences of a row, with a blank behind each word. `capturing` captures each part that varies. */
export function patternOfRow(sentence: string, capturing = false): RegExp {
  const written = new Map(
    capturing ? [['(', '(?:('], ['|', ')|('], [')', '))']] : [['(', '(?:'], ['|', '|'], [')', ')']], // prettier-ignore
  );
  const parts = sentence.match(ROW_PART) ?? [];
  return new RegExp(
    `^(?:${parts.map((part) => written.get(part) ?? `${part.replace(/[{}]/g, '\\$&')} `).join('')})$`,
  );
}

/*
 * A line is compared with the sentences by its first and last word before it is masked: this excludes nearly all lines,
 * at a tenth of the cost.
 */

/** A word that masking may change: a number, a host, an address, or one with letters beyond ASCII. */
const ANY = '*';
const CHAR = WORD_CHAR.source;
/** A separator within a host, an address or a URL. A zone starts with a dot. */
const FIRST_WORD = new RegExp(
  `^[^a-z\\d\\x80-\\uffff]*(?<!\\.)([a-z]+)(?!${CHAR}|(?:${CHAR}|[_-])*(?:[@/]|:/|\\.${CHAR}))`,
  'i',
);
const LAST_WORD = new RegExp(
  `(?<!${CHAR})([a-z]+)(?=[^a-z\\d\\x80-\\uffff]*$)(?<!(?:[@/]|\\.(?=${CHAR}))(?:${CHAR}|[_-])*)`,
  'i',
);

/** The first word of a line in lower case, or `ANY`. */
export const firstWord = (line: string): string => FIRST_WORD.exec(line)?.[1]?.toLowerCase() ?? ANY;
/** The last word of a line in lower case, or `ANY`. It mostly is behind the last blank. */
export function lastWord(line: string): string {
  const tail = line.slice(line.lastIndexOf(' ') + 1);
  return LAST_WORD.exec(WORD_CHAR.test(tail) ? tail : line)?.[1]?.toLowerCase() ?? ANY;
}

const PLAIN_WORD = /^[a-z]+$/;
/** A word of a masked sentence, or `ANY`. */
const plainOrAny = (word: string): string => (PLAIN_WORD.test(word) ? word : ANY);
const firstWordOf = (masked: string): string => plainOrAny(masked.split(' ', 1)[0] ?? '');

/** The words that may begin a row. */
function firstWordsOf(sentence: string): string[] {
  const [group, alternatives] = /^\(([^()]*)\) ?/.exec(sentence) ?? [];
  if (group === undefined || alternatives === undefined) return [firstWordOf(sentence)];
  return alternatives
    .split('|')
    .flatMap((words) => (words === '' ? firstWordsOf(sentence.slice(group.length)) : firstWordsOf(words)));
}

/** The words that may end a row: all words of one whose parts vary. */
function lastWordsOf(sentence: string): string[] {
  const words = (sentence.match(ROW_PART) ?? []).map(plainOrAny);
  return sentence.includes('(') ? words : words.slice(-1);
}

class SentenceTable {
  /** Rows by first word. */
  readonly #rows = new Map<string, { pattern: RegExp; row: KnownSentence }[]>();
  /** Last words of the rows by first word. */
  readonly #lastWords = new Map<string, Set<string>>();
  /** Servers and zones with a `{label}` row. */
  readonly #sourcesWithLabel = new Set<string>();

  constructor(rows: readonly KnownSentence[]) {
    for (const row of rows) {
      const { sentence } = row;
      if (sentence.includes('{label}'))
        for (const source of row.only ?? []) this.#sourcesWithLabel.add(source);
      const entry = { pattern: patternOfRow(sentence), row };
      for (const first of new Set(firstWordsOf(sentence))) {
        this.#rows.set(first, [...(this.#rows.get(first) ?? []), entry]);
        const words = [...(this.#lastWords.get(first) ?? []), ...lastWordsOf(sentence)];
        this.#lastWords.set(first, new Set(words));
      }
    }
  }

  /** The state of a masked sentence from a source; undefined if unknown. */
  stateOf(masked: string, source: Source): SentenceState | undefined {
    const rows = this.#rows.get(firstWordOf(masked));
    return rows?.find(({ pattern, row }) => appliesTo(row, source) && pattern.test(`${masked} `))?.row.state;
  }

  /** The last words of the rows with a line's first word. */
  lastWordsAfter(line: string): ReadonlySet<string> | undefined {
    return this.#lastWords.get(firstWord(line));
  }

  /** Whether a source has a `{label}` row. */
  namesLabelAlone({ server, zone }: Source): boolean {
    return (
      (server !== null && this.#sourcesWithLabel.has(server)) ||
      (zone !== null && this.#sourcesWithLabel.has(`.${zone}`))
    );
  }
}

function appliesTo({ only }: KnownSentence, { server, zone }: Source): boolean {
  if (only === null) return true;
  return (server !== null && only.includes(server)) || (zone !== null && only.includes(`.${zone}`));
}

/** The table of known sentences. */
export const sentences = lazy(() => new SentenceTable(readTable(KNOWN_SENTENCES)));

/** Reads sentences about a name from one source by the table. The name is masked first. */
export class SentenceReader {
  readonly #name: ReturnType<typeof nameFormsOf>;
  readonly #source: Source;
  readonly #masksLabel: boolean;

  constructor(name: string | null, source: Source) {
    this.#name = nameFormsOf(name);
    this.#source = source;
    this.#masksLabel = sentences().namesLabelAlone(source);
  }

  /** The spellings of the name, folded; none of a single label. */
  get forms(): readonly string[] {
    return this.#name.forms;
  }

  /** A folded line in the form of the table. */
  mask(line: string): string {
    return maskLine(line, this.#name);
  }

  /** Whether a known sentence begins like a line. Few other lines do. */
  mayBegin(line: string): boolean {
    return this.#masksLabel || sentences().lastWordsAfter(line) !== undefined;
  }

  /** The state of a sentence on one line, or on two: `The domain free.example` / `is not valid!`. */
  stateOf(first: string, second = ''): SentenceState | undefined {
    const isLikely =
      sentences()
        .lastWordsAfter(first)
        ?.has(lastWord(second || first)) === true;
    if (!isLikely && !this.#masksLabel) return undefined;
    const line = folded(second === '' ? first : `${first} ${second}`);
    const state = sentences().stateOf(this.mask(line), this.#source);
    if (state !== undefined || !this.#masksLabel) return state;
    return sentences().stateOf(maskLineAndLabel(line, this.#name), this.#source);
  }
}
