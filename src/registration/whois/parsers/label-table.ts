/**
 * What labels are compared by: their letters and digits without accents. `Domain Name`, `domain_name....` are one label,
 * and so are `Última actualización` and `ULTIMA ACTUALIZACION`.
 */
export function plainLabel(label: string): string {
  return label.toLowerCase().normalize('NFD').replace(NO_LETTER, '');
}

/** Within ASCII all but letters and digits; beyond it blanks, the byte order mark, and accents parted from their letters. */
const NO_LETTER = /[\0-/:-`{-\u00a0\u3000\ufeff\u0300-\u036f]+/g;
const STEM_END = /[\d(]/;
const MOST_LANGUAGES = 4;

/** The words of a list as it is written here: `one|two`, over several lines. */
export function labelWords(list: string): string[] {
  return list.split('|').map((word) => word.trim());
}

/** Each word of several lists, with the name of its list. */
export function wordsOfLists<Name extends string>(lists: Partial<Record<Name, string>>): [string, Name][] {
  const named = Object.entries(lists) as [Name, string][];
  return named.flatMap(([name, list]) => labelWords(list).map((word): [string, Name] => [word, name]));
}

/**
 * Labels with what they mean, built once; of two spellings of one label the first counts. They are kept as they are
 * written too, because most labels are written so, and a plain form takes longer to make than to look up.
 */
export class LabelTable<Meaning> {
  readonly #meanings = new Map<string, Meaning>();

  constructor(labels: Iterable<readonly [label: string, meaning: Meaning]>) {
    for (const [label, stated] of labels) {
      const plain = plainLabel(label);
      const meaning = this.#meanings.get(plain) ?? stated;
      this.#meanings.set(plain, meaning);
      this.#meanings.set(label.toLowerCase(), meaning);
    }
  }

  /**
   * Meaning of a label, else of what stands before its first digit or bracket (`Name Server 1`, `Created (UTC)`),
   * else of one of its languages (`Nome de domínio / Domain Name`).
   */
  get(label: string): Meaning | undefined {
    const whole = this.exactly(label);
    if (whole !== undefined) return whole;
    const end = label.search(STEM_END);
    const stem = end > 0 ? label.slice(0, end) : label;
    const known = end > 0 ? this.exactly(stem) : undefined;
    return known ?? this.#oneOf(stem);
  }

  exactly(label: string): Meaning | undefined {
    const lower = label.toLowerCase();
    return this.#meanings.get(lower) ?? this.#meanings.get(plainLabel(lower));
  }

  /** Whether a text is one of the labels, given as `plainLabel` has it. */
  knows(plain: string): boolean {
    return this.#meanings.has(plain);
  }

  #oneOf(label: string): Meaning | undefined {
    if (!label.includes('/')) return undefined;
    const meanings = label.split('/', MOST_LANGUAGES).map((part) => this.exactly(part));
    return meanings.find((meaning) => meaning !== undefined);
  }
}
