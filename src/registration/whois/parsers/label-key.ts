/**
 * A label reduced to its letters and digits: `Domain Name`, `domain_name`, `DOMAIN-NAME....` are one label.
 * Numbers only, and one object filled again and again, so that reading a label allocates nothing.
 */
export class LabelKey {
  /** Hash over the whole label, and how many characters went into it. */
  full = 0;
  fullLength = 0;
  /** The same up to the first digit or parenthesis: `Name Server 1`, `Registered Date (UTC)`. */
  stem = 0;
  stemLength = 0;
  /** Offset where the stem ended; -1 when the label has neither digit nor parenthesis. */
  stemEnd = -1;

  /** Takes the label between two offsets of `text`. */
  read(text: string, start: number, end: number): void {
    let hash = SEED;
    let length = 0;
    this.stemEnd = -1;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      const small = code | 32;
      if (small < 97 || small > 122) {
        const folded = fold(code);
        const endsStem = (folded >= 48 && folded <= 57) || code === 40;
        if (endsStem && this.stemEnd < 0 && length > 0) {
          this.stemEnd = at;
          this.stem = hash;
          this.stemLength = length;
        }
        if (folded === 0) continue;
        hash = (Math.imul(hash, 31) + folded) | 0;
      } else {
        hash = (Math.imul(hash, 31) + small) | 0;
      }
      length++;
    }
    this.full = hash;
    this.fullLength = length;
  }
}

const SEED = 17;

/**
 * ASCII letters as small ones, digits as themselves, and everything beyond ASCII but blanks, with capitals of
 * Latin-1 and of Cyrillic as small letters; 0 for what does not count.
 */
function fold(code: number): number {
  const small = code | 32;
  if (small >= 97 && small <= 122) return small;
  if (code <= 0xa0) return code >= 48 && code <= 57 ? code : 0;
  if (code === 0x3000 || code === 0xfeff) return 0;
  return (code >= 0xc0 && code <= 0xde) || (code >= 0x410 && code <= 0x42f) ? code + 32 : code;
}

/** One label of a vocabulary with what it means. */
interface Entry<Meaning> {
  length: number;
  meaning: Meaning;
}

const FILTER_MASK = 0x1fff;
const OPENINGS = 32 ** 3;

/** Three ASCII letters as a number; -1 where something else stands among them. */
function openingAt(text: string, at: number): number {
  const first = (text.charCodeAt(at) | 32) - 97;
  const second = (text.charCodeAt(at + 1) | 32) - 97;
  const third = (text.charCodeAt(at + 2) | 32) - 97;
  const isLetters = first >= 0 && first < 26 && second >= 0 && second < 26 && third >= 0 && third < 26;
  return isLetters ? (first * 32 + second) * 32 + third : -1;
}

/** Most words that a label running into its value may have. */
const MOST_WORDS = 5;

/** A label in the letters that count: what `LabelKey` hashes. */
export function plainLabel(label: string): string {
  let plain = '';
  for (let at = 0; at < label.length; at++) {
    const folded = fold(label.charCodeAt(at));
    if (folded > 0) plain += String.fromCharCode(folded);
  }
  return plain;
}

/** Labels by key, built once; of two spellings of one label the first counts. */
export class LabelTable<Meaning> {
  readonly #entries = new Map<number, Entry<Meaning>>();
  /** Marks the keys that are taken, by their last bits: most labels are unknown, and told so at once. */
  readonly #filter = new Uint8Array(FILTER_MASK + 1);

  readonly #openings = new Uint8Array(OPENINGS);

  constructor(words: Iterable<readonly [label: string, meaning: Meaning]>) {
    const key = new LabelKey();
    const taken = new Map<number, string>();
    for (const [label, meaning] of words) {
      const plain = plainLabel(label);
      key.read(label, 0, label.length);
      const other = taken.get(key.full);
      if (other === plain) continue;
      if (other !== undefined) throw new Error(`Labels "${other}" and "${plain}" share a key.`);
      taken.set(key.full, plain);
      this.#entries.set(key.full, { length: key.fullLength, meaning });
      this.#filter[key.full & FILTER_MASK] = 1;
      const opening = openingAt(plain, 0);
      if (opening >= 0) this.#openings[opening] = 1;
    }
  }

  /** Whether some label opens with the three letters at an offset: most lines of a text need no further look. */
  mayOpen(text: string, at: number): boolean {
    const opening = openingAt(text, at);
    return opening < 0 || this.#openings[opening] === 1;
  }

  /** Meaning of the whole label. */
  full(key: LabelKey): Meaning | undefined {
    if (this.#filter[key.full & FILTER_MASK] === 0) return undefined;
    const entry = this.#entries.get(key.full);
    return entry?.length === key.fullLength ? entry.meaning : undefined;
  }

  /**
   * Meaning of the longest label that stands at `start` before a blank, with the offset behind it; for labels
   * that run into their value without a colon.
   */
  prefix(text: string, start: number, end: number): { meaning: Meaning; end: number } | undefined {
    let hash = SEED;
    let length = 0;
    let found: { meaning: Meaning; end: number } | undefined;
    for (let at = start, words = 0; at < end && words < MOST_WORDS; at++) {
      const code = text.charCodeAt(at);
      if (code === 32 || code === 9) {
        const entry = this.#filter[hash & FILTER_MASK] === 0 ? undefined : this.#entries.get(hash);
        if (entry?.length === length) found = { meaning: entry.meaning, end: at };
        words++;
        continue;
      }
      const folded = fold(code);
      if (folded === 0) continue;
      hash = (Math.imul(hash, 31) + folded) | 0;
      length++;
    }
    return found;
  }

  /** Meaning of the label cut at its first digit or parenthesis. */
  stem(key: LabelKey): Meaning | undefined {
    if (key.stemEnd < 0 || this.#filter[key.stem & FILTER_MASK] === 0) return undefined;
    const entry = this.#entries.get(key.stem);
    return entry?.length === key.stemLength ? entry.meaning : undefined;
  }
}
