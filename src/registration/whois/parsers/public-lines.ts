import type { ParsedRegistration } from '../../record/registration-record.ts';
import { monthOf, zoneOffset } from './stated-date.ts';
import type { Line } from './lines.ts';
import { parseWhoisText } from './parse-whois-text.ts';
import type { WhoisHints } from './parse-whois-text.ts';
import { plainTextOf } from './plain-text.ts';
import { observeLines } from './read-records.ts';
import type { LineReading } from './read-records.ts';
import { GENERAL_LABELS, LABEL_WORDS } from './vocabulary.ts';

/** The last line of a reduced text, as a remark: parsers skip it. */
const leftOutNote = (count: number): string =>
  `% ${count} ${count === 1 ? 'line was' : 'lines were'} left out (RAW_CONTACTS=redact).`;

/** A date, a time, or both, in numbers. */
const NUMERIC_DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\.?|(?:19|20)\d{6}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d))?[t.]?(?:\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?)?(?:z|[+-]\d\d(?::?\d\d)?)?$/;
const PACKED_DATE = /^(?:19|20)\d{12}$/;
const NAMED_DATE = /^\d{1,4}-(\p{L}{3,9})-\d{2,4}$/u;
const CJK_DATE = /^(?:\d{4}[년年])?(?:\d{1,2}[월月])?(?:\d{1,2}[일日])?$/;
const DAY_NAME = /^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}{0,6}$/u;
/** The day and the year beside the name of a month. Further numbers may be a telephone number. */
const BARE_NUMBER = /^(?:\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d)$/;
const MAX_BARE_NUMBERS = 2;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$|^[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}$/;
/** Values that state a field without being published as they are, the words of a line of a zone file, forms of dates. */
const ANSWER_WORDS = new Set(
  'in ns signed unsigned signeddelegation yes no true false active inactive assigned dd/mm/yyyy yyyy-mm-dd'.split(
    ' ',
  ),
);
const EDGES = /^[,;:.([{"'<]+|[,;:.)\]}"'>]+$/g;
const NO_WORD = /^[^\p{L}\p{N}@]+$/u;

function isDateWord(word: string): boolean {
  const named = NAMED_DATE.exec(word)?.[1] ?? word;
  return (
    NUMERIC_DATE.test(word) ||
    PACKED_DATE.test(word) ||
    CJK_DATE.test(word) ||
    DAY_NAME.test(word) ||
    monthOf(named.replace(/\.$/, '')) > 0 ||
    zoneOffset(word) !== null
  );
}

/** The texts that a record publishes, as whole words, in any case and with any blanks. */
function publishedTexts({ dnssec, ...parsed }: ParsedRegistration): RegExp[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(parsed);
  for (const { keyTag, algorithm, digestType, digest } of dnssec?.ds ?? []) {
    texts.push(`${keyTag} ${algorithm} ${digestType} ${digest}`);
  }
  const patterns = texts
    .filter((text) => text.trim() !== '')
    .map((text) =>
      text
        .trim()
        .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
        .replace(/\s+/g, '\\s+'),
    );
  return patterns.map((pattern) => new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'));
}

/** Whether a text consists of a date, a time and a zone, and nothing else. */
export function isDate(text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return (
    words.every((word) => isDateWord(word) || BARE_NUMBER.test(word)) &&
    bareNumbersIn(words) <= MAX_BARE_NUMBERS
  );
}

/** Numbers that are no date by themselves; none may remain without the name of a month. */
function bareNumbersIn(words: readonly string[]): number {
  const bare = words.filter((word) => BARE_NUMBER.test(word)).length;
  return words.some((word) => monthOf(word.replace(/[.,]$/, '')) > 0) ? bare : bare * (MAX_BARE_NUMBERS + 1);
}

/** The words of a text that are published, words of labels, and parts of dates and of addresses of hosts. */
function publicWords(
  text: string,
  published: readonly RegExp[],
  mayBeLabel: (word: string) => boolean,
): string {
  const isCovered = new Array<boolean>(text.length).fill(false);
  for (const each of published) {
    for (const { index, 0: found } of text.matchAll(each)) isCovered.fill(true, index, index + found.length);
  }
  const hasBareDate = bareNumbersIn(text.toLowerCase().split(/[\s,]+/)) <= MAX_BARE_NUMBERS;
  return text.replace(/\S+/g, (word, at: number) => {
    const plain = word.toLowerCase().replace(EDGES, '');
    const start = at + word.toLowerCase().indexOf(plain);
    if (NO_WORD.test(word) || isCovered.slice(start, start + plain.length).every(Boolean)) return word;
    const isKnown = ANSWER_WORDS.has(plain) || (mayBeLabel(word) && isLabelWord(plain));
    const isOfDate = isDateWord(plain) || (hasBareDate && BARE_NUMBER.test(plain));
    return isKnown || isOfDate || ADDRESS.test(plain) ? word : '';
  });
}

/** Also `owner/registrant`, and the number of a label: `Name Server 1`. */
const isLabelWord = (word: string): boolean =>
  word.split(/[/._-]+/).every((part) => part === '' || LABEL_WORDS.has(part) || /^\d{1,2}$/.test(part)) ||
  LABEL_WORDS.has(word);

/** A heading of the domain's own fields, which its values follow. */
function isHeading({ label, text, value }: Line): boolean {
  if (label !== null && value !== '') return false;
  const heading = label ?? text;
  const words = heading.toLowerCase().split(/[\s/]+/);
  return GENERAL_LABELS.get(heading)?.opens !== 'contact' && words.every((word) => LABEL_WORDS.has(word));
}

interface PublicLines {
  lines: string[];
  leftOut: number;
}

/**
 * Reduces a WHOIS text to its public lines: those that stated a published field, without the words that stated nothing,
 * headings of the domain's fields, and the sentence that decided. Nothing else is looked at, so nothing else can remain.
 * The last line counts the others.
 */
export function publicLines(text: string, hints: WhoisHints, decided: string | undefined): string {
  const plain = plainTextOf(text);
  const { parsed } = parseWhoisText(text, hints);
  const published = publishedTexts(parsed);
  const kept: PublicLines = { lines: [], leftOut: 0 };
  let read = 0;
  observeLines(plain, hints.domain ?? null, (line, reading) => {
    addSkipped(kept, plain.slice(read, line.start), decided);
    read = line.end + 1;
    const whole = plain.slice(line.start, line.end);
    const shown = whole.trim() === decided ? whole : publicPart(line, reading, whole, published);
    if (shown === null) kept.leftOut++;
    else kept.lines.push(shown);
  });
  addSkipped(kept, plain.slice(read), decided);
  if (kept.leftOut > 0) kept.lines.push(leftOutNote(kept.leftOut));
  return `${kept.lines.join('\n').trim()}\n`;
}

/** Empty lines, which separate paragraphs, remain; remarks and rulers only if one of them decided. */
function addSkipped(kept: PublicLines, between: string, decided: string | undefined): void {
  for (const line of between.split('\n').slice(0, -1)) {
    if (line.trim() === decided) kept.lines.push(line);
    else if (line.trim() !== '') kept.leftOut++;
    else if (kept.lines.at(-1) !== '') kept.lines.push('');
  }
}

/** The line without the words that stated nothing; null if it stated no published field. */
function publicPart(
  line: Line,
  { isFact }: LineReading,
  whole: string,
  published: readonly RegExp[],
): string | null {
  if (isHeading(line)) return whole;
  if (!isFact) return null;
  const at = line.value === '' || line.label === null ? 0 : whole.lastIndexOf(line.value);
  // A label of the table has no other words.
  const isExact = line.label !== null && GENERAL_LABELS.getExact(line.label) !== undefined;
  const label = isExact ? whole.slice(0, at) : publicWords(whole.slice(0, at), published, () => true);
  const value = publicWords(whole.slice(at), published, (word) => at === 0 || word.endsWith(':'));
  return value.trim() === '' ? null : (label + value).trimEnd();
}
