/** A line of a WHOIS text that is neither empty nor a remark nor drawn. */
export interface Line {
  /** Where it begins and ends in its text. */
  start: number;
  end: number;
  /** Trimmed, without bullet and enumerator. */
  text: string;
  /** Number of blanks before it. */
  indent: number;
  /** An empty line or a remark stands between this line and the one before. */
  afterGap: boolean;
  /** A drawn line (`-----`) stands between them. */
  afterRule: boolean;
  /** How many registry's clocks have passed (`>>> Last update of WHOIS database: ... <<<`): terms of use follow. */
  clocks: number;
  label: string | null;
  /** What stands behind the label. */
  value: string;
  /** The label was told from the value by a wide gap or leader dots only, not by a colon. */
  isLoose: boolean;
}

/** Ten times the longest answer known, so that a flood of lines costs no more than a page of them. */
export const MOST_LINES = 4000;
/** Two languages and a remark: `Data de expiração / Expiration Date (dd/mm/yyyy)`. */
const LONGEST_LABEL = 72;
/** How far into a line a label may end that only a wide gap parts from its value. */
const LONGEST_LOOSE_LABEL = 40;

const BLANK = 0x20;
const BEYOND_ASCII = 0x80;
const REMARK = /^(?:[%#>;]|\/\/)/;
/** Lists and boxes are drawn with asterisks and hyphens; `1a.`, `2)` and `12. ` enumerate. */
const BULLET = /^(?:\*+\s*|-\s+)?(?:\d{1,2}[a-z]?[.)]\s+)?/i;
/** `-----`, `=====` under a heading: no content and no gap. */
const RULE = /^([-=_+])(?:\1|\s)+$/;
/** `[Domain Name]`, at the line's start or behind an enumerator (`a. `, `b `). */
const BRACKETS = /^(?:[^[](?:\.[^[]| ))?\[([^\]]{0,56})\]/;
/** A tab, two blanks or leader dots, where a label without a colon may end. */
const GAP = /\t| {2}|\.\.|#\./;
const BEFORE_VALUE = /^(?:[\s:：]|\.(?=\.)|(?<=\.)\.)+/;
const BEFORE_LOOSE_VALUE = /^[\s:：.#]+/;

/** Reads the lines of a text one by one, as long as `take` asks for more. */
export function readLines(text: string, take: (line: Line) => boolean): void {
  let afterGap = true;
  let afterRule = false;
  let clocks = 0;
  let count = 0;
  for (let start = 0; start <= text.length && count < MOST_LINES;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    // Blanks are passed over by hand: two strings a line fewer.
    let from = start;
    while (from < end && text.charCodeAt(from) <= BLANK) from++;
    let to = end;
    while (to > from && text.charCodeAt(to - 1) <= BLANK) to--;
    const part = text.slice(from, to);
    const isAscii = text.charCodeAt(from) < BEYOND_ASCII && text.charCodeAt(to - 1) < BEYOND_ASCII;
    const trimmed = isAscii ? part : part.trim();
    const indent = from - start + (isAscii ? 0 : part.indexOf(trimmed));
    const content = startsWithLetter(trimmed) ? trimmed : contentOf(trimmed);
    if (content === null) {
      afterRule = true;
    } else if (content === '') {
      if (trimmed.startsWith('>>>')) clocks++;
      afterGap = true;
    } else {
      const { label, value, isLoose } = labelOf(content);
      count++;
      const line = { start, end, text: content, indent, afterGap, afterRule, clocks, label, value, isLoose };
      if (!take(line)) return;
      afterGap = false;
      afterRule = false;
    }
    start = end + 1;
  }
}

/** A line that starts with no letter, without its bullet; empty where it is a remark, null where it is drawn. */
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

/** What a line is made of. */
export type Labelled = Pick<Line, 'label' | 'value' | 'isLoose'>;

/** A line as a label and what stands behind it. */
export function labelOf(line: string): Labelled {
  const bracket = line.slice(0, 4).includes('[') ? BRACKETS.exec(line) : null;
  if (bracket !== null) return labelled(bracket[1] ?? '', line.slice(bracket[0].length), false);
  const colon = firstColon(line);
  if (colon >= 0 && colon <= LONGEST_LABEL) {
    if (isTimeOrUrl(line, colon)) return { label: null, value: line, isLoose: false };
    return labelled(line.slice(0, colon), line.slice(colon + 1), false);
  }
  const gap = line.slice(0, LONGEST_LOOSE_LABEL + 2).search(GAP);
  // A full stop or comma before a wide gap ends a sentence, not a label.
  if (gap <= 0 || gap > LONGEST_LOOSE_LABEL || '.,'.includes(line.charAt(gap - 1))) {
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

function firstColon(line: string): number {
  const colon = line.indexOf(':');
  const wide = line.indexOf('：');
  return colon < 0 || (wide >= 0 && wide < colon) ? wide : colon;
}

/** `10:30` and `http://` hold colons that end no label. */
function isTimeOrUrl(line: string, colon: number): boolean {
  if (line.startsWith('//', colon + 1)) return true;
  return isDigit(line.charAt(colon + 1)) && isDigit(line.charAt(colon - 1));
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

/** `Domain  name    example.md`: a loose label that holds a wide gap itself, with what it would part into. */
export function widened({ label, value, isLoose }: Line): { label: string; value: string } | null {
  if (!isLoose || label === null) return null;
  const gap = value.indexOf('  ');
  if (gap < 0 || label.length + gap > LONGEST_LOOSE_LABEL) return null;
  return {
    label: `${label} ${value.slice(0, gap)}`,
    value: value.slice(gap).replace(BEFORE_LOOSE_VALUE, ''),
  };
}

/** Its pattern looks again from every gap: a longer value is not parted. */
const LONGEST_PARTED = 400;
const SECOND_LABEL = /^(.*?)(?:\t+| {3,})([^:\t]{2,40}):[ \t]+(\S.*)$/;

/** `Domain name: sample.fj<TAB>Status: Active`: what a value is, and the label and value behind it. */
export function partedValue(value: string): { value: string; label: string; rest: string } | null {
  if (
    value.length > LONGEST_PARTED ||
    !value.includes(':') ||
    !(value.includes('\t') || value.includes('   '))
  )
    return null;
  const [, first = '', label = '', rest] = SECOND_LABEL.exec(value) ?? [];
  return rest === undefined ? null : { value: first, label, rest };
}
