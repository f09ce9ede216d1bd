import { KNOWN_SENTENCES } from './known-sentences.ts';
import { endsOfSentence, firstWord } from './line-ends.ts';

export const SENTENCE_STATES = ['no', 'reserved', 'throttled', 'refused', 'invalid', 'beside'] as const;
export type SentenceState = (typeof SENTENCE_STATES)[number];

/** A row of the table of known sentences. */
export interface KnownSentence {
  state: SentenceState;
  /** In the form of masked-line.ts. */
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

/** The spellings of a name and its first label, by their marks. */
type MarkedNames = Readonly<Record<'{name}' | '{label}', readonly string[]>>;

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

/** A sentence that follows a name without a blank: `{label}not found`. */
const GLUED = /^(\{name\}|\{label\})([^ {].*)$/;

class SentenceTable {
  readonly #rows = new Map<string, KnownSentence[]>();
  /** Last words of the rows by first word. */
  readonly #ends = new Map<string, Set<string>>();
  /** Servers and zones with a `{label}` row. */
  readonly #sourcesWithLabel = new Set<string>();
  readonly #glued: { mark: keyof MarkedNames; rest: string; row: KnownSentence }[] = [];

  constructor(rows: readonly KnownSentence[]) {
    for (const row of rows) {
      const { sentence } = row;
      if (sentence.includes('{label}'))
        for (const source of row.only ?? []) this.#sourcesWithLabel.add(source);
      const [, mark, rest] = GLUED.exec(sentence) ?? [];
      if (rest !== undefined) {
        this.#glued.push({ mark: mark as keyof MarkedNames, rest, row });
        continue;
      }
      this.#rows.set(sentence, [...(this.#rows.get(sentence) ?? []), row]);
      const { first, last } = endsOfSentence(sentence);
      this.#ends.set(first, (this.#ends.get(first) ?? new Set()).add(last));
    }
  }

  /** The state of a masked sentence from a source; undefined if unknown. */
  stateOf(masked: string, source: Source): SentenceState | undefined {
    return this.#rows.get(masked)?.find((row) => appliesTo(row, source))?.state;
  }

  /** The state of a folded line without a blank between name and sentence: `samplenot found`. */
  stateOfGlued(line: string, names: MarkedNames, source: Source): SentenceState | undefined {
    return this.#glued.find(
      ({ mark, rest, row }) =>
        line.endsWith(rest) && names[mark].includes(line.slice(0, -rest.length)) && appliesTo(row, source),
    )?.row.state;
  }

  /** Last words of the rows with a line's first word. Few other lines match both. */
  lastWordsAfter(line: string): ReadonlySet<string> | undefined {
    return this.#ends.get(firstWord(line));
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

export const SENTENCES = new SentenceTable(readTable(KNOWN_SENTENCES));
