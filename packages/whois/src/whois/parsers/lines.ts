/** A content line of a WHOIS text: neither empty nor a remark nor a ruler. */
export interface Line {
  /** Offset in the text. */
  start: number;
  /** Trimmed, without bullet and number. */
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
  /** The text after the label; the whole line without one. */
  value: string;
  /** A wide gap or leader dots separate label and value, not a colon. */
  isLoose: boolean;
}

/** What a line turned out to be: `content` has no label, `unknown` one without a meaning. */
export type Reading = 'name' | 'status' | 'field' | 'unknown' | 'content' | 'sentence';

/** More than a text of MAX_SCAN_LENGTH has: in a longer one, further lines are ignored. */
export const MAX_LINES = 20_000;
/** Two languages and a remark: `Data de expiração / Expiration Date (dd/mm/yyyy)`. */
const MAX_LABEL_LENGTH = 72;
/** Maximum length of a label before a wide gap. */
const MAX_LOOSE_LABEL_LENGTH = 40;

const REMARK = /^(?:[%#>;]|\/\/)/;
/** Bullets are asterisks and hyphens; `1a.`, `2)` and `12. ` are numbers. */
const BULLET = /^(?:\*+\s*|-\s+)?(?:\d{1,2}[a-z]?[.)]\s+)?/i;
/** `-----` or `=====` under a heading: neither content nor an empty line. */
const RULE = /^([-=_+])(?:\1|\s)+$/;
/** `[Domain Name]` at the start or after a number (`a. `, `b `). */
const BRACKETS = /^(?:[^[](?:\.[^[]| ))?\[([^\]]{0,56})\]/;
/** A tab, two blanks or leader dots: the end of a label without a colon. */
const GAP = /\t| {2}|\.\.|#\./;
const BEFORE_VALUE = /^(?:[\s:：]|\.(?=\.)|(?<=\.)\.|(?:\. ){3,}\.?)+/;
const BEFORE_LOOSE_VALUE = /^[\s:：.#]+/;

/** Reads the lines of a text until `onLine` returns false. */
export function readLines(text: string, onLine: (line: Line) => boolean): void {
  let isAfterGap = true;
  let isAfterRule = false;
  let timeLines = 0;
  let count = 0;
  for (let start = 0; start <= text.length && count < MAX_LINES;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const whole = text.slice(start, end);
    const trimmed = whole.trim();
    const indent = whole.indexOf(trimmed);
    const content = startsWithLetter(trimmed) ? trimmed : contentOf(trimmed);
    if (content === null) {
      isAfterRule = true;
    } else if (content === '') {
      if (trimmed.startsWith('>>>')) timeLines++;
      isAfterGap = true;
    } else {
      count++;
      const { label, value, isLoose } = labelOf(content);
      // One literal: spreading objects here took most of the time of the whole parse.
      const line = { start, text: content, indent, isAfterGap, isAfterRule, timeLines, label, value, isLoose }; // prettier-ignore
      if (!onLine(line)) return;
      isAfterGap = false;
      isAfterRule = false;
    }
    start = end + 1;
  }
}

/** The content of a line that does not start with a letter: without its bullet, '' for a remark, null for a ruler. */
function contentOf(line: string): string | null {
  if (line === '' || REMARK.test(line)) return '';
  if (line.startsWith('[')) return line;
  const content = line.replace(BULLET, '');
  if (RULE.test(content)) return null;
  return REMARK.test(content) ? '' : content;
}

function startsWithLetter(line: string): boolean {
  const code = line.charCodeAt(0) | 32;
  return code >= 97 && code <= 122;
}

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

const TERMS_HEADING =
  /^\W{0,8}(?:terms|conditions of use|disclaimer|copyright|legal notice)(?: (?:and|of|use|service|conditions|usage)){0,4}\s*(?:[:：]|$)/i;

/** Whether a line is the heading of terms of use, or has it as its label. */
export function isTermsHeading(line: string): boolean {
  return TERMS_HEADING.test(line);
}
