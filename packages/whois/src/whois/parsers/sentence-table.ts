import { lazy } from '../../record/lazy.ts';
import { KNOWN_SENTENCES } from './known-sentences.ts';
import { firstWord, firstWordOf, lastWordOf } from './line-ends.ts';

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
  if (!sentence.includes('(')) return [lastWordOf(sentence)];
  return (sentence.match(ROW_PART) ?? []).map((part) => lastWordOf(part));
}

class SentenceTable {
  readonly #rows = new Map<string, KnownSentence[]>();
  /** Rows with parts that vary, by first word. */
  readonly #patterns = new Map<string, { pattern: RegExp; row: KnownSentence }[]>();
  /** Last words of the rows by first word. */
  readonly #ends = new Map<string, Set<string>>();
  /** Servers and zones with a `{label}` row. */
  readonly #sourcesWithLabel = new Set<string>();

  constructor(rows: readonly KnownSentence[]) {
    for (const row of rows) {
      const { sentence } = row;
      if (sentence.includes('{label}'))
        for (const source of row.only ?? []) this.#sourcesWithLabel.add(source);
      const pattern = sentence.includes('(') ? patternOfRow(sentence) : null;
      if (pattern === null) this.#rows.set(sentence, [...(this.#rows.get(sentence) ?? []), row]);
      for (const first of new Set(firstWordsOf(sentence))) {
        if (pattern !== null)
          this.#patterns.set(first, [...(this.#patterns.get(first) ?? []), { pattern, row }]);
        const ends = this.#ends.get(first) ?? new Set();
        for (const last of lastWordsOf(sentence)) ends.add(last);
        this.#ends.set(first, ends);
      }
    }
  }

  /** The state of a masked sentence from a source; undefined if unknown. */
  stateOf(masked: string, source: Source): SentenceState | undefined {
    const literal = this.#rows.get(masked)?.find((row) => appliesTo(row, source));
    if (literal !== undefined) return literal.state;
    const rows = this.#patterns.get(firstWordOf(masked));
    return rows?.find(({ pattern, row }) => appliesTo(row, source) && pattern.test(`${masked} `))?.row.state;
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

/** The table of known sentences. */
export const sentences = lazy(() => new SentenceTable(readTable(KNOWN_SENTENCES)));
