import type { ParsedRegistration } from '../../record/registration-record.ts';
import { monthOf, zoneOffset } from './date-words.ts';
import type { Line } from './lines.ts';
import { parseWhoisText } from './parse-whois-text.ts';
import type { WhoisHints } from './parse-whois-text.ts';
import { plainTextOf } from './plain-text.ts';
import { observeLines } from './read-records.ts';
import type { LineReading } from './read-records.ts';
import { GENERAL_LABELS, LABEL_WORDS, PUBLIC_LABELS } from './vocabulary.ts';

/** The last line of a reduced text, as a remark: parsers skip it. */
export const leftOutNote = (count: number): string =>
  `% ${count} ${count === 1 ? 'line was' : 'lines were'} left out (RAW_CONTACTS=redact).`;

/** A date or time in numbers, a day, a year, a zone in hours: nothing that could be a telephone number. */
const NUMERIC_DATE =
  /^(?:\d{4}[-/.]?\d{1,2}[-/.]?\d{1,2}\.?|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)|\d{1,2}(?:st|nd|rd|th)?|(?:19|20|25)\d\d)?[t.]?(?:\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?)?(?:z|[+-]\d\d(?::?\d\d)?)?$/;
const PACKED_DATE = /^(?:19|20)\d{12}$/;
const NAMED_DATE = /^\d{1,4}-(\p{L}{3,9})-\d{2,4}$/u;
const CJK_DATE = /^(?:\d{4}[年년])?(?:\d{1,2}[月월])?(?:\d{1,2}[日일])?$/;
const DAY_NAME = /^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}{0,6}$/u;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$|^[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}$/;
/** Values that state a field without being published as they are, and the words of a line of a zone file. */
const ANSWER_WORDS = new Set(
  'in ns signed unsigned signeddelegation yes no true false active inactive assigned'.split(' '),
);
const EDGES = /^[,;:.([{"'<]+|[,;:.)\]}"'>]+$/g;

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

/** The texts that a record publishes, in any case and with any blanks. */
function publishedTexts(parsed: ParsedRegistration): RegExp[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') texts.push(String(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(parsed);
  const patterns = texts
    .filter((text) => text.trim() !== '')
    .map((text) =>
      text
        .trim()
        .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
        .replace(/\s+/g, '\\s+'),
    );
  return patterns.map((pattern) => new RegExp(pattern, 'gi'));
}

/**
 * The words of a value that are published, words of labels, and parts of dates and of addresses of hosts. Other words
 * may name a person.
 */
function publicWords(value: string, published: readonly RegExp[], isWhole: boolean): string {
  const isCovered = new Array<boolean>(value.length).fill(false);
  for (const text of published) {
    for (const { index, 0: found } of value.matchAll(text)) isCovered.fill(true, index, index + found.length);
  }
  return value.replace(/\S+/g, (word, at: number) => {
    const plain = word.toLowerCase().replace(EDGES, '');
    const start = at + word.toLowerCase().indexOf(plain);
    if (isCovered.slice(start, start + plain.length).every(Boolean)) return word;
    const mayBeLabel = isWhole || word.endsWith(':');
    const isKnown = (mayBeLabel && LABEL_WORDS.has(plain)) || ANSWER_WORDS.has(plain);
    return isKnown || isDateWord(plain) || ADDRESS.test(plain) ? word : '';
  });
}

/** A heading of the domain's own fields, which its values follow. */
function isHeading({ label, text, value }: Line): boolean {
  if (label !== null && value !== '') return false;
  const heading = label ?? text;
  const isOfContact = GENERAL_LABELS.get(heading)?.opens === 'contact';
  if (PUBLIC_LABELS.get(heading) === true) return true;
  return (
    !isOfContact &&
    heading
      .toLowerCase()
      .split(/[\s/]+/)
      .every((word) => LABEL_WORDS.has(word))
  );
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
    if (shown === null) leaveOut(kept);
    else kept.lines.push(shown);
  });
  addSkipped(kept, plain.slice(read), decided);
  if (kept.leftOut > 0) kept.lines.push(leftOutNote(kept.leftOut));
  return `${kept.lines.join('\n').trim()}\n`;
}

/** Empty lines, which separate paragraphs, remain; remarks and rulers only if one of them decided. */
function addSkipped(kept: PublicLines, between: string, decided: string | undefined): void {
  for (const line of between.split('\n').slice(0, -1)) {
    if (line.trim() === '') addGap(kept);
    else if (line.trim() === decided) kept.lines.push(line);
    else leaveOut(kept);
  }
}

function addGap({ lines }: PublicLines): void {
  if (lines.at(-1) !== '') lines.push('');
}

function leaveOut(kept: PublicLines): void {
  kept.leftOut++;
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
  const at = line.value === '' ? 0 : whole.lastIndexOf(line.value);
  const value = publicWords(whole.slice(at), published, line.label === null || at === 0);
  return value.trim() === '' ? null : (whole.slice(0, at) + value).trimEnd();
}
