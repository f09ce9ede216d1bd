import { domainToASCII, domainToUnicode } from 'node:url';
import { lazy } from '../../record/lazy.ts';
import table from '../data/known-sentences.json' with { type: 'json' };
import { SERVER_NAME, nameInSentence } from './names.ts';

export const SENTENCE_STATES = ['no', 'reserved', 'throttled', 'refused', 'invalid', 'neutral'] as const;
export type SentenceState = (typeof SENTENCE_STATES)[number];

/** A row of the table of known sentences, data/known-sentences.json. */
export interface KnownSentence {
  /** `no` is a denial; `neutral` is allowed in the paragraph of one. */
  state: SentenceState;
  /** In the form of `maskLine`. A program's sentence may vary: `(a|b)` is one of several, `(|a)` is optional. */
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

/** The rows with their patterns, by first word. */
const rowsByWord = lazy(() => {
  const rows = new Map<string, { pattern: RegExp; row: KnownSentence }[]>();
  for (const row of knownSentences()) {
    const entry = { pattern: patternOfRow(row.sentence), row };
    for (const first of new Set(firstWordsOf(row.sentence)))
      rows.set(first, [...(rows.get(first) ?? []), entry]);
  }
  return rows;
});

function appliesTo({ only }: KnownSentence, { server, zone }: Source): boolean {
  if (only === null) return true;
  return (server !== null && only.includes(server)) || (zone !== null && only.includes(`.${zone}`));
}

/** A site or an organisation that a sentence refers to: `This name is reserved, see policy.nic.example`. */
const REFERENCE = /\b(?:at|by|contact|see|visit)\s.*/is;

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

  /** A folded text without the name. */
  withoutName(text: string): string {
    return this.forms.reduce((rest, form) => rest.replaceAll(form, ' '), folded(text));
  }

  /** Whether a text is about another name, and not the queried one. Without a queried name, no name is another. */
  namesAnother(text: string): boolean {
    return !this.mask(text).includes('{name}') && nameInSentence(text.replace(REFERENCE, '')) !== null;
  }

  /** The state of a masked sentence; undefined if unknown. */
  stateOf(masked: string): SentenceState | undefined {
    const rows = rowsByWord().get(masked.split(' ', 1)[0] ?? '');
    const known = rows?.find(
      ({ pattern, row }) => appliesTo(row, this.#source) && pattern.test(`${masked} `),
    );
    return known?.row.state;
  }
}

/** Letters, digits and non-ASCII characters. */
export const WORD_CHAR = /[a-z\d\x80-\uffff]/i;

/** A private-use character that replaces the name during masking. `folded` removes it from the text. */
const MARK = '\ue000';
/** Non-ASCII except the mark. */
const BEYOND_LINE = /[^\0-\x7f\ue000]/;
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * The queried name in the spellings that registries use: A-labels and Unicode, folded, longest first. A single label has
 * no forms, because nothing distinguishes it from a word.
 */
export function nameFormsOf(name: string | null): readonly string[] {
  const plain = name?.replace(/\.+$/, '').toLowerCase() ?? '';
  if (!plain.includes('.')) return [];
  // An ASCII name without `xn--` has one spelling.
  const isPlain = !BEYOND_ASCII.test(plain) && !plain.includes('xn--');
  const spelled = isPlain ? [plain] : [plain, domainToASCII(plain), domainToUnicode(plain)];
  const forms = [...new Set(spelled.map(folded))].filter((form) => form !== '');
  return forms.sort((a, b) => b.length - a.length);
}

/** Lower case, NFKC, with one small sigma. */
export function folded(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').replaceAll(MARK, ' ');
}

/**
 * Parts of a line, the first match counts: a mark (1), a URL (2), a mail address (3), a zone (4), a host (5), a date or
 * number (6), a word. Separators (blanks, quotes, brackets, full stops) are dropped.
 */
const partOf = (letter: string, flags: string): RegExp =>
  new RegExp(
    [
      `(${MARK})`,
      /((?:https?|ftp|rdaps?|whois|rwhois):\/\/[^\s"'<>]+)/.source,
      `([${letter}\\d.+_-]{1,64}@[${letter}\\d.-]{1,253})`,
      `((?<![${letter}\\d.\ue000])\\.[\\d-]*[${letter}][${letter}\\d-]*)`,
      `([${letter}\\d_][${letter}\\d_-]{0,62}(?:\\.[${letter}\\d_-]{1,63}){0,9}\\.[${letter}][${letter}\\d-]+)`,
      `((?:[\\da-f]{0,4}:){3,7}[\\da-f]{0,4}|\\d+(?:[.,:/-](?:\\d+|[a-z]{3}(?=-)))*(?:t\\d\\d(?::?\\d\\d)*(?:\\.\\d+)?z?)?(?![${letter}]))`,
      `[${letter}\\d]+`,
    ].join('|'),
    flags,
  );
const ASCII_PART = partOf('a-z', 'g');
const unicodePart = lazy(() => partOf('\\p{L}\\p{M}\\p{N}', 'gu'));
const MAY_REPEAT = new Set(['{n}', '{name}']);
/** A number with letters before it: `d79017889`. */
const HANDLE = /^[a-z]{1,4}\d{3,}$/;

/**
 * A folded line in the form of the table: `{name}` replaces the queried name, `{server}` other hosts, and `{url}`,
 * `{mail}`, `{zone}` and `{n}` their kinds (a lone 0 remains). One blank separates words. `No match for "A.EXAMPLE".`
 * and `no match for a.example` become one sentence. Without a queried name every host except servers is `{name}`.
 */
export function maskLine(line: string, forms: readonly string[]): string {
  const marked = forms.reduce(withMark, line);
  const isNameKnown = forms.length > 0;
  const part = BEYOND_LINE.test(marked) ? unicodePart() : ASCII_PART;
  part.lastIndex = 0;
  let masked = '';
  let before = '';
  for (let match = part.exec(marked); match !== null; match = part.exec(marked)) {
    const word = wordOf(match, isNameKnown);
    // A date may come in several parts, a name in two spellings: `kamome.bg (kamome.bg)`.
    if (word !== before || !MAY_REPEAT.has(word)) masked += masked === '' ? word : ` ${word}`;
    before = word;
  }
  return masked;
}

/** The replacement of a part. */
function wordOf(match: RegExpExecArray, isNameKnown: boolean): string {
  const [part, mark, url, mail, zone, host, number] = match;
  if (mark !== undefined) return '{name}';
  if (url !== undefined) return '{url}';
  if (mail !== undefined) return '{mail}';
  if (zone !== undefined) return '{zone}';
  if (host !== undefined) return isNameKnown || SERVER_NAME.test(part) ? '{server}' : '{name}';
  if (number === undefined) return HANDLE.test(part) ? '{n}' : part;
  return part === '0' ? part : '{n}';
}

/** Replaces each occurrence of a form, with trailing dots, by the mark; not inside a longer name. */
function withMark(line: string, form: string): string {
  let at = line.indexOf(form);
  if (at < 0) return line;
  let marked = '';
  let from = 0;
  for (; at >= 0; at = line.indexOf(form, at)) {
    let end = at + form.length;
    if (isPartOfName(line, at, end)) {
      at++;
      continue;
    }
    while (line.charAt(end) === '.') end++;
    marked += line.slice(from, at) + MARK;
    from = at = end;
  }
  return marked + line.slice(from);
}

/** Characters that continue a name. A dot between them does too. */
const NAME_CHAR = /[a-z\d_@-]/;

function isPartOfName(line: string, start: number, end: number): boolean {
  const previous = line.charAt(start - 1);
  if (NAME_CHAR.test(previous) || (previous === '.' && NAME_CHAR.test(line.charAt(start - 2)))) return true;
  const next = line.charAt(end);
  // `free.example- taken` ends the name, `free.example-a` does not.
  if (next === '.' || next === '-') return NAME_CHAR.test(line.charAt(end + 1));
  return NAME_CHAR.test(next);
}
