import { WORD_CHAR } from './sentence-table.ts';

/** A line of a WHOIS text, neither empty nor a ruler. Two readers share it: of records, then of sentences. */
export interface Line {
  /** Offset in the text. */
  start: number;
  /** As received, trimmed. */
  whole: string;
  /** Without bullet and number; empty for a remark, which states no field. */
  text: string;
  /** Number of leading blanks. */
  indent: number;
  /** An empty line or a remark precedes it. */
  isAfterGap: boolean;
  /** A ruler (`-----`) precedes it. */
  isAfterRule: boolean;
  /** Number of preceding lines with the time of the database (`>>> Last update ... <<<`). Terms of use follow one. */
  timeLines: number;
  label: string | null;
  /** The text after the label; the whole text without one. */
  value: string;
  /** A wide gap or leader dots separate label and value, not a colon. */
  isLoose: boolean;
  /** Number of its paragraph: an empty line, a ruler, the time of the database or another marker begins one. */
  paragraph: number;
  /** It is below a heading of terms of use, or is one. */
  isTerms: boolean;
  /** What it states of a record: no sentence is read in a field. Undefined until it is read. */
  claim: Claim | undefined;
}

/**
 * `field`: of the domain, of contacts, hosts and registrars, a heading, or a line that continues them. `unknown`: the label
 * is unknown, so it is a field of a record if there is one, else of anything. `status`: an adopted status, which may be a
 * sentence, too.
 */
export type Claim = 'field' | 'unknown' | 'status';

/** What a line turned out to be: `content` has no label, `unknown` one without a meaning. */
export type Reading = 'name' | 'status' | 'field' | 'unknown' | 'content' | 'sentence';

/** More than a text of MAX_SCAN_LENGTH has: in a longer one, further lines are ignored. */
export const MAX_LINES = 20_000;
/** Two languages and a remark: `Data de expiração / Expiration Date (dd/mm/yyyy)`. */
const MAX_LABEL_LENGTH = 72;
/** A longer line is a label whose colon is far away, or a sentence. */
export const MAX_HEADING_LENGTH = 40;
/** Maximum length of a label before a wide gap. */
const MAX_LOOSE_LABEL_LENGTH = 40;

const REMARK = /^(?:[%#>;]|\/\/)/;
/** Bullets are asterisks and hyphens; `1a.`, `2)` and `12. ` are numbers. */
const BULLET = /^(?:\*+\s*|-\s+)?(?:\d{1,2}[a-z]?[.)]\s+)?/i;
/** `[Domain Name]` at the start or after a number (`a. `, `b `). */
const BRACKETS = /^(?:[^[](?:\.[^[]| ))?\[([^\]]{0,56})\]/;
/** A tab, two blanks or leader dots: the end of a label without a colon. */
const GAP = /\t| {2}|\.\.|#\./;
const BEFORE_VALUE = /^(?:[\s:：]|\.(?=\.)|(?<=\.)\.|(?:\. ){3,}\.?)+/;
const BEFORE_LOOSE_VALUE = /^[\s:：.#]+/;

/** The lines of a text, in one pass: each is split once, and has its paragraph. */
export class TextLines {
  /** Those read so far. */
  readonly all: Line[] = [];
  readonly #text: string;
  #start = 0;
  #count = 0;
  #isAfterGap = true;
  #isAfterRule = false;
  #timeLines = 0;
  #paragraph = 0;
  #marker = '';
  #isInTerms = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads on to the next line that may state a field; undefined if there is none. */
  next(): Line | undefined {
    while (this.#start <= this.#text.length && this.#count < MAX_LINES) {
      const line = this.#read();
      if (line !== undefined && line.text !== '') {
        this.#count++;
        this.#isAfterGap = this.#isAfterRule = false;
        return line;
      }
    }
    return undefined;
  }

  #read(): Line | undefined {
    const start = this.#start;
    const newline = this.#text.indexOf('\n', start);
    const end = newline < 0 ? this.#text.length : newline;
    this.#start = end + 1;
    const raw = this.#text.slice(start, end);
    const whole = raw.trim();
    const text = startsWithLetter(whole) ? whole : contentOf(whole);
    if (text === null) this.#isAfterRule = true;
    if (text === '') this.#isAfterGap = true;
    const isBetween = text === null || whole === '' || (text === '' && isDrawn(whole));
    const marker = text === whole && !whole.startsWith('[') ? '' : markerOf(whole);
    const isFirst = isBetween || marker !== this.#marker || whole.length < 2;
    if (isFirst) this.#paragraph++;
    this.#marker = marker;
    if (isBetween) {
      if (text === '') this.#isInTerms = false;
      return undefined;
    }
    const labelled = labelOf(text || withoutMarker(whole));
    const { label, value, isLoose } = labelled;
    this.#isInTerms = TERMS_HEADING.test(whole) || (this.#isInTerms && !isFirst && !endsTerms(labelled));
    // One literal: spreading objects here took most of the time of the whole parse.
    const line = { start, whole, text, indent: raw.indexOf(whole), isAfterGap: this.#isAfterGap, isAfterRule: this.#isAfterRule, timeLines: this.#timeLines, label, value, isLoose, paragraph: this.#paragraph, isTerms: this.#isInTerms, claim: undefined }; // prettier-ignore
    if (marker === '>>>') this.#timeLines++;
    this.all.push(line);
    return line;
  }
}

/** The content of a line that does not start with a letter: without its bullet, '' for a remark, null for a ruler. */
function contentOf(line: string): string | null {
  if (line === '' || REMARK.test(line)) return '';
  if (isDrawn(line)) return null;
  const content = line.replace(BULLET, '');
  return REMARK.test(content) ? '' : content;
}

function startsWithLetter(line: string): boolean {
  const code = line.charCodeAt(0) | 32;
  return code >= 97 && code <= 122;
}

/** Whether a line starts with 12 characters that are no letters or digits: a ruler. */
function isDrawn(line: string): boolean {
  return !WORD_CHAR.test(line.slice(0, 12));
}

/** The marker of a banner line. An answer right below it is a separate paragraph. */
function markerOf(line: string): string {
  if (line.startsWith('>>>')) return '>>>';
  const first = line.charAt(0);
  return first === '%' || first === '#' || first === '>' || (first === '[' && line.endsWith(']'))
    ? first
    : '';
}

const MARKER = /^(?:[%#>;*]|\/\/)+\s*/;

/** A line without the marker of a remark. */
export const withoutMarker = (line: string): string => line.replace(MARKER, '');

/** A label ends terms of use. A colon at the end of several words introduces a list. */
const endsTerms = ({ label, value, isLoose }: Labelled): boolean =>
  label !== null && !isLoose && (value !== '' || !label.includes(' '));

export type Labelled = Pick<Line, 'label' | 'value' | 'isLoose'>;

/** Splits a line into label and value. */
export function labelOf(line: string): Labelled {
  const bracket = line.slice(0, 4).includes('[') ? BRACKETS.exec(line) : null;
  if (bracket !== null) return labelled(bracket[1] ?? '', line.slice(bracket[0].length), false);
  const colon = line.search(/[:：]/);
  if (colon >= 0 && colon <= MAX_LABEL_LENGTH) {
    if (isTimeOrUrl(line, colon)) return { label: null, value: line, isLoose: false };
    return labelled(line.slice(0, colon), line.slice(colon + 1), false);
  }
  const gap = line.slice(0, MAX_LOOSE_LABEL_LENGTH + 2).search(GAP);
  // A full stop or comma before a wide gap ends a sentence, not a label.
  if (gap <= 0 || gap > MAX_LOOSE_LABEL_LENGTH || '.,'.includes(line.charAt(gap - 1))) {
    return { label: null, value: line, isLoose: false };
  }
  return labelled(line.slice(0, gap), line.slice(gap), true);
}

function labelled(label: string, rest: string, isLoose: boolean): Labelled {
  const value = rest.trimStart();
  const isPlain = value === '' || startsWithLetter(value) || !':：.#'.includes(value.charAt(0));
  return {
    label,
    value: isPlain ? value : rest.replace(isLoose ? BEFORE_LOOSE_VALUE : BEFORE_VALUE, ''),
    isLoose,
  };
}

/** The colons of `10:30` and `http://` do not end a label. */
function isTimeOrUrl(line: string, colon: number): boolean {
  return line.startsWith('//', colon + 1) || /^\d.\d$/.test(line.slice(colon - 1, colon + 2));
}

/** Splits a loose label with a wide gap inside at the second gap: `Domain  name    example.md`. */
export function splitWideLabel({ label, value, isLoose }: Line): { label: string; value: string } | null {
  if (!isLoose || label === null) return null;
  const gap = value.indexOf('  ');
  if (gap < 0 || label.length + gap > MAX_LOOSE_LABEL_LENGTH) return null;
  return {
    label: `${label} ${value.slice(0, gap)}`,
    value: value.slice(gap).replace(BEFORE_LOOSE_VALUE, ''),
  };
}

/** Longer values are not split, because the pattern tries every gap. */
const MAX_SPLIT_LENGTH = 400;
/** In a value with short gaps: in long ones the pattern would try each part of a gap at each of its blanks. */
const SECOND_LABEL = /^(.*?)(?:\t| {3})([^:\t]{2,40}):[ \t]+(\S.*)$/;
const LONG_GAP = / {4,}|\t{2,}/g;
const shortGap = (gap: string) => (gap.startsWith('\t') ? '\t' : '   ');

/** Splits a value that a second labelled value follows: `Domain name: sample.fj<TAB>Status: Active`. */
export function splitValue(value: string): { value: string; label: string; rest: string } | null {
  if (
    value.length > MAX_SPLIT_LENGTH ||
    !value.includes(':') ||
    !(value.includes('\t') || value.includes('   '))
  )
    return null;
  const [, first = '', label = '', rest] = SECOND_LABEL.exec(value.replace(LONG_GAP, shortGap)) ?? [];
  return rest === undefined ? null : { value: first, label, rest };
}

/** A line that is the heading of terms of use, or has it as its label. */
const TERMS_HEADING =
  /^\W{0,8}(?:terms|conditions of use|disclaimer|copyright|legal notice)(?: (?:and|of|use|service|conditions|usage)){0,4}\s*(?:[:：]|$)/i;
