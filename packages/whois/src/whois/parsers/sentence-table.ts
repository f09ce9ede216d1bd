import { lazy } from '../../record/lazy.ts';
import table from '../data/known-sentences.json' with { type: 'json' };
import { WORD_CHAR, folded, maskLine, nameFormsOf } from './masked-line.ts';

export const SENTENCE_STATES = ['no', 'reserved', 'throttled', 'refused', 'invalid', 'neutral'] as const;
export type SentenceState = (typeof SENTENCE_STATES)[number];

/** A row of the table of known sentences, data/known-sentences.json. */
export interface KnownSentence {
  /** `no` is a denial; `neutral` is allowed in the paragraph of one. */
  state: SentenceState;
  /** In the form of masked-line.ts. A program's sentence may vary: `(a|b)` is one of several, `(|a)` is optional. */
  sentence: string;
  /** The servers and zones (`.example`) it applies to, if it means something else at others; null: all. */
  only: readonly string[] | null;
  /** Where it was collected, with year and month. */
  source: string;
}

/** The origin of an answer: its server and the zone of the queried name, if known. */
export interface Source {
  server: string | null;
  zone: string | null;
}

/** The rows of the table. `<domain>` in one stands for the part of that name. */
export function knownSentences(): KnownSentence[] {
  const parts: Readonly<Record<string, string>> = table.parts;
  return table.rows.map(({ state, sentence, only = null, source }) => ({
    state: state as SentenceState,
    sentence: sentence.replace(/<(\w+)>/g, (_, part: string) => parts[part] ?? ''),
    only,
    source,
  }));
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

  constructor(rows: readonly KnownSentence[]) {
    for (const row of rows) {
      const { sentence } = row;
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
}

function appliesTo({ only }: KnownSentence, { server, zone }: Source): boolean {
  if (only === null) return true;
  return (server !== null && only.includes(server)) || (zone !== null && only.includes(`.${zone}`));
}

/** The table of known sentences. */
export const sentences = lazy(() => new SentenceTable(knownSentences()));

/** Reads sentences about a name from one source by the table. The name is masked first. */
export class SentenceReader {
  /** The spellings of the name, folded; none of a single label. */
  readonly forms: readonly string[];
  readonly #source: Source;

  constructor(name: string | null, source: Source) {
    this.forms = nameFormsOf(name);
    this.#source = source;
  }

  /** A folded line in the form of the table. */
  mask(line: string): string {
    return maskLine(line, this.forms);
  }

  /** Whether a known sentence begins like a line. Few other lines do. */
  mayBegin(line: string): boolean {
    return sentences().lastWordsAfter(line) !== undefined;
  }

  /** The state of a sentence on one line, or on two: `The domain free.example` / `is not valid!`. */
  stateOf(first: string, second = ''): SentenceState | undefined {
    const lastWords = sentences().lastWordsAfter(first);
    if (lastWords?.has(lastWord(second || first)) !== true) return undefined;
    const line = folded(second === '' ? first : `${first} ${second}`);
    return sentences().stateOf(this.mask(line), this.#source);
  }
}
