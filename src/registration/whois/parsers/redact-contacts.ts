import { labelWords } from './label-table.ts';
import { MAX_LINES } from './lines.ts';
import type { Line } from './lines.ts';
import { parseWhoisText } from './parse-whois-text.ts';
import type { WhoisHints } from './parse-whois-text.ts';
import { plainTextOf } from './plain-text.ts';
import { observeLines } from './read-records.ts';
import type { LineReading } from './read-records.ts';
import { DETAILS_IN_SECTION, GENERAL_LABELS, NOTICE_LABELS, PUBLIC_LABELS } from './vocabulary.ts';
import type { DetailName, SectionName } from './vocabulary.ts';

/** Replaces omitted lines, and addresses within a sentence. */
export const OMISSION = '[contact removed]';

/** E-mail addresses and telephone numbers. */
const ADDRESS = /(?<![^\s@])[^\s@]+@[^\s@.]+\.[^\s@]*[^\s@.,;:)>"']|\+\d{1,3}[ .(-]*\d[\d .()-]{4,}/;
const ADDRESSES = new RegExp(ADDRESS, 'g');
/** Details of registrars and zones, not of holders. */
const PUBLIC_DETAILS: ReadonlySet<DetailName> = new Set(['ianaId', 'url', 'signed', 'ds', 'reseller']);
/** Headings of notices. The parser skips their sections, as it skips contacts. */
const TEXT_HEADINGS = new Set(labelWords('disclaimer|whois'));

/** Fewer words may be a name, or a line of an address. */
const MIN_SENTENCE_WORDS = 8;
/** Share of words with a small first letter. Most names and addresses have fewer. */
const MIN_SMALL_SHARE = 1 / 3;
const SMALL_LETTER = /^\p{Ll}/u;
const DIGIT = /\d/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** A capitalised word that ends a sentence. */
const LAST_WORD = /^\p{Lu}\p{Ll}+\.$/u;
const PAGE = /^https?:\/\/\S+$/;
/** A longer line with a number is no postal address. */
const MAX_ADDRESS_WORDS = 15;
/** Chinese and Japanese sentences have no blanks between words. */
const IDEOGRAPHIC_STOP = '。';
/** Labels are shorter: after this many words, the colon belongs to a sentence. */
const MIN_CLAUSE_WORDS = 5;

const splitAtBlanks = (text: string): string[] => text.split(/\s+/);

function hasSmallWords(words: readonly string[]): boolean {
  return words.filter((word) => SMALL_LETTER.test(word)).length >= words.length * MIN_SMALL_SHARE;
}

/** Whether the colon of a line ends the label of a notice, or is one of a sentence. */
const isOfText = (label: string, value: string): boolean =>
  NOTICE_LABELS.get(label) === true ||
  (splitAtBlanks(label).length >= MIN_CLAUSE_WORDS && (value === '' || SMALL_LETTER.test(value)));

/** Whether a line is a sentence, not a name or an address. */
function isSentence({ text, label, value }: Line): boolean {
  if (label !== null && !isOfText(label, value)) return false;
  if (text.includes(IDEOGRAPHIC_STOP)) return true;
  const words = splitAtBlanks(text.replace(ADDRESSES, ''));
  const mayBeAddress = words.length <= MAX_ADDRESS_WORDS && words.some((word) => DIGIT.test(word));
  const afterColon = text.slice(text.lastIndexOf(': ') + 1).trim();
  // `Name of the holder (as on the documents of the company): ...` has a label longer than any other.
  const mayBeLabelled = !PAGE.test(afterColon) && !hasSmallWords(splitAtBlanks(afterColon));
  return words.length >= MIN_SENTENCE_WORDS && !mayBeAddress && !mayBeLabelled && hasSmallWords(words);
}

/** Whether a line may continue the sentence above: `15/1999 of 13 December and its regulations`, `to: (1) send mail`. */
function mayContinue({ text, label, value, isAfterGap }: Line): boolean {
  if (isAfterGap) return false;
  if (label !== null && value !== '') return SMALL_LETTER.test(text) && hasSmallWords(splitAtBlanks(value));
  return (
    SMALL_LETTER.test(text) || LAST_WORD.test(text) || PAGE.test(text) || hasSmallWords(splitAtBlanks(text))
  );
}

/** The detail that a label states, outside of contacts. */
function detailOf({ label }: Line, section: SectionName): DetailName | undefined {
  if (label === null) return undefined;
  const general = GENERAL_LABELS.get(label)?.detail;
  return general ?? (section === 'registrar' ? DETAILS_IN_SECTION.registrar?.get(label) : undefined);
}

/** Whether a line states something public: a field of the domain, its name alone, a host, the registrar. */
function isPublicLine(line: Line, { section, isFact }: LineReading, domain: string | undefined): boolean {
  const detail = detailOf(line, section);
  if (isFact || (detail !== undefined && PUBLIC_DETAILS.has(detail))) return true;
  if (section === 'registrar' || section === 'host') return true;
  if (!LETTER_OR_DIGIT.test(line.text)) return true;
  return line.text.toLowerCase() === domain || PUBLIC_LABELS.get(line.label ?? '') === true;
}

function isAbuseContact(line: Line, { section }: LineReading): boolean {
  const detail = detailOf(line, section);
  return detail === 'abuseEmail' || detail === 'abusePhone';
}

/** Finds the sentences of a text: denials, terms of use, notices and remarks. */
class SentenceLines {
  readonly #denial: string | undefined;
  #isAfterSentence = false;
  #isBelowHeading = false;

  constructor(denial: string | undefined) {
    this.#denial = denial;
  }

  isNext(line: Line, whole: string, { section }: LineReading): boolean {
    if (section !== 'contact') this.#isBelowHeading = false;
    else if (TEXT_HEADINGS.has((line.label ?? line.text).toLowerCase())) this.#isBelowHeading = true;
    const isProse = isSentence(line) || (this.#isAfterSentence && mayContinue(line));
    const isDenial = whole.trim() === this.#denial;
    this.#isAfterSentence = this.#isBelowHeading || isDenial || (section !== 'contact' && isProse);
    return this.#isAfterSentence;
  }
}

/** A sentence or remark without its addresses. */
export const maskAddresses = (text: string): string => text.replace(ADDRESSES, OMISSION);

/** The line that states why there is no record. */
function denialIn(text: string, hints: WhoisHints): string | undefined {
  const { state, evidence } = parseWhoisText(text, hints);
  return state === 'registered' ? undefined : evidence?.line;
}

/**
 * Returns only lines of a WHOIS text that are certainly public: fields of the domain, headings, name servers, the
 * registrar, contacts for abuse reports, sentences and remarks. All others are removed, whatever their labels. In
 * sentences and remarks, only e-mail addresses and telephone numbers are removed.
 */
export function redactContacts(text: string, hints: WhoisHints): string {
  const plain = plainTextOf(text);
  const domain = hints.domain?.toLowerCase();
  const sentences = new SentenceLines(denialIn(text, hints));
  const parts: string[] = [];
  let [at, count] = [0, 0];
  let isAfterOmission = false;

  observeLines(plain, hints.domain ?? null, (line, reading) => {
    count++;
    const between = plain.slice(at, line.start);
    const whole = plain.slice(line.start, line.end);
    const isOfSentence = sentences.isNext(line, whole, reading);
    const isOfAbuse = isAbuseContact(line, reading);
    const isPublic = !ADDRESS.test(line.text) && isPublicLine(line, reading, domain);
    if (isOfSentence || isOfAbuse || isPublic) {
      parts.push(maskAddresses(between), isOfAbuse ? whole : maskAddresses(whole));
      at = line.end;
      isAfterOmission = false;
      return;
    }
    if (!isAfterOmission || between.trim() !== '') parts.push(maskAddresses(between), OMISSION, '\n');
    at = Math.min(line.end + 1, plain.length);
    isAfterOmission = true;
  });
  // Lines beyond the maximum were not checked: they are omitted.
  if (count < MAX_LINES) parts.push(maskAddresses(plain.slice(at)));
  return parts.join('');
}
