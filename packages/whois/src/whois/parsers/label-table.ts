/**
 * The comparable form of a label: letters and digits without accents. `Domain Name` equals `domain_name....`, and
 * `Última actualización` equals `ULTIMA ACTUALIZACION`.
 */
export function plainLabel(label: string): string {
  return label.toLowerCase().normalize('NFD').replace(NO_LETTER, '');
}

/** ASCII except letters and digits; beyond ASCII blanks, the byte order mark and combining accents. */
const NO_LETTER = /[\0-/:-`{-\u00a0\u3000\ufeff\u0300-\u036f]+/g;
const STEM_END = /[\d(]/;
const MAX_LANGUAGES = 4;

/** The words of a list such as `one|two`, which may span lines. */
export function labelWords(list: string): string[] {
  return list.split('|').map((word) => word.trim());
}

/** Each word of several lists, with the name of its list. */
export function wordsOfLists<Name extends string>(lists: Partial<Record<Name, string>>): [string, Name][] {
  const named = Object.entries(lists) as [Name, string][];
  return named.flatMap(([name, list]) => labelWords(list).map((word): [string, Name] => [word, name]));
}

/**
 * Labels with their meanings; of two spellings of one label the first counts. The table has the written form too: most
 * labels match it, and computing the plain form is slower than a look-up.
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
   * The meaning of a label, else of its part before the first digit or bracket (`Name Server 1`, `Created (UTC)`), else of
   * one of its languages (`Nome de domínio / Domain Name`).
   */
  get(label: string): Meaning | undefined {
    const whole = this.getExact(label);
    if (whole !== undefined) return whole;
    const end = label.search(STEM_END);
    const stem = end > 0 ? label.slice(0, end) : label;
    for (const part of new Set([stem, ...stem.split('/', MAX_LANGUAGES)])) {
      const meaning = part === label ? undefined : this.getExact(part);
      if (meaning !== undefined) return meaning;
    }
    return undefined;
  }

  getExact(label: string): Meaning | undefined {
    const lower = label.toLowerCase();
    return this.#meanings.get(lower) ?? this.#meanings.get(plainLabel(lower));
  }
}
