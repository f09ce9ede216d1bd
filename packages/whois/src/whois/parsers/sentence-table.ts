import { lazy } from '../../record/lazy.ts';
import table from '../data/known-sentences.json' with { type: 'json' };
import { folded, maskLine, nameFormsOf } from './masked-line.ts';

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

/** The words that may begin a row. */
function firstWordsOf(sentence: string): string[] {
  const [group = '', alternatives] = /^\(([^()]*)\) ?/.exec(sentence) ?? [];
  if (alternatives === undefined) return sentence.split(' ', 1);
  const rest = sentence.slice(group.length);
  return alternatives.split('|').flatMap((words) => firstWordsOf(words === '' ? rest : words));
}

class SentenceTable {
  /** Rows by first word. */
  readonly #rows = new Map<string, { pattern: RegExp; row: KnownSentence }[]>();

  constructor(rows: readonly KnownSentence[]) {
    for (const row of rows) {
      const { sentence } = row;
      const entry = { pattern: patternOfRow(sentence), row };
      for (const first of new Set(firstWordsOf(sentence)))
        this.#rows.set(first, [...(this.#rows.get(first) ?? []), entry]);
    }
  }

  /** The state of a masked sentence from a source; undefined if unknown. */
  stateOf(masked: string, source: Source): SentenceState | undefined {
    const rows = this.#rows.get(masked.split(' ', 1)[0] ?? '');
    return rows?.find(({ pattern, row }) => appliesTo(row, source) && pattern.test(`${masked} `))?.row.state;
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

  /** A text in the form of the table. */
  mask(text: string): string {
    return maskLine(folded(text), this.forms);
  }

  /** The state of a masked sentence. */
  stateOf(masked: string): SentenceState | undefined {
    return sentences().stateOf(masked, this.#source);
  }
}
