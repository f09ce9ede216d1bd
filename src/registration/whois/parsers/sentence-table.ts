import { KNOWN_SENTENCES } from './known-sentences.ts';
import { endsOfSentence, firstWord } from './line-ends.ts';

export type SentenceState = 'no' | 'reserved' | 'throttled' | 'refused' | 'invalid' | 'beside';

/** A row of the table of known sentences. */
export interface KnownSentence {
  state: SentenceState;
  /** As masked-line.ts makes it. */
  sentence: string;
  /** Servers and zones (`.example`) whose sentence it is alone; null where it is everybody's. */
  only: readonly string[] | null;
  /** Where it was read, and when. */
  source: string;
}

/** Whose answer it is: the host that gave it, and the zone of the name asked for, where they are known. */
export interface Source {
  server: string | null;
  zone: string | null;
}

/** The names in a line, by the marks that stand for them. */
export type MarkedNames = Readonly<Record<'{name}' | '{label}', readonly string[]>>;

/** The rows of a table, one a line: `state | masked sentence | servers | source`. */
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

/** A sentence glued to a name: `{label}not found`. */
const GLUED = /^(\{name\}|\{label\})([^ {].*)$/;

class SentenceTable {
  readonly #rows = new Map<string, KnownSentence[]>();
  /** The last words of all rows by their first words. */
  readonly #ends = new Map<string, Set<string>>();
  /** Servers and zones with a row that has a mark for the label alone. */
  readonly #withLabel = new Set<string>();
  readonly #glued: { mark: keyof MarkedNames; rest: string; row: KnownSentence }[] = [];

  constructor(rows: readonly KnownSentence[]) {
    for (const row of rows) {
      const { sentence } = row;
      if (sentence.includes('{label}')) for (const source of row.only ?? []) this.#withLabel.add(source);
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

  /** What is said by a masked sentence of that server; undefined where it is not known. */
  stateOf(masked: string, source: Source): SentenceState | undefined {
    return this.#rows.get(masked)?.find((row) => isOf(row, source))?.state;
  }

  /** What is said by a folded line that is a name or a label with a sentence glued to it: `samplenot found`. */
  stateOfGlued(line: string, names: MarkedNames, source: Source): SentenceState | undefined {
    return this.#glued.find(({ mark, rest, row }) => {
      return line.endsWith(rest) && names[mark].includes(line.slice(0, -rest.length)) && isOf(row, source);
    })?.row.state;
  }

  /** The last words of the rows that begin as a line does: nearly no line begins as one and ends as one. */
  lastWordsAfter(line: string): ReadonlySet<string> | undefined {
    return this.#ends.get(firstWord(line));
  }

  /** Whether a server has a row with a mark for the label alone. */
  namesLabelAlone({ server, zone }: Source): boolean {
    return (
      (server !== null && this.#withLabel.has(server)) || (zone !== null && this.#withLabel.has(`.${zone}`))
    );
  }
}

function isOf({ only }: KnownSentence, { server, zone }: Source): boolean {
  if (only === null) return true;
  return (server !== null && only.includes(server)) || (zone !== null && only.includes(`.${zone}`));
}

export const SENTENCES = new SentenceTable(readTable(KNOWN_SENTENCES));
