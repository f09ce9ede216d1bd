import type { RegistrationState } from '../../registration-record.ts';
import { hostEndsAt } from './host-names.ts';
import { plainLabel } from './label-key.ts';
import type { TextRecord } from './registration-text-record.ts';
import { REDUCED_ANSWERS, STATE_OF_STATUS, STATE_PHRASES, WHOLE_ANSWERS } from './state-phrases.ts';

const LONGEST_SCAN = 65_536;
const LONGEST_LINE = 300;
/** A paragraph of more long lines than this is prose: terms of use, not the answer. */
const MOST_LONG_LINES = 3;
const LONG_LINE = 45;
const MOST_HITS = 8;
/** Terms of use speak of limits, blocks and availability in conditions; statements do not. */
const CONDITIONAL =
  /\b(?:if|may|will|whether|unless|shall|should|agree|in case|not guarantee|does not imply|not indicative|must not|in order to|reserves? the right|terms|accepts? (?:only|no))\b/;

/** What an answer says of its name, and where in the scanned text (lower case) it says so. */
export interface Statement {
  state: RegistrationState;
  /** The sentence's line and what follows it, as far as a number or a name may stand there. */
  words: string;
}

/** State that the record's own status values state; null where they state an ordinary registration or none. */
export function stateOfStatuses(record: TextRecord): RegistrationState | null {
  for (const status of record.status) {
    const plain = plainLabel(status);
    const state = STATE_OF_STATUS.get(plain) ?? STATE_OF_STATUS.get(plain.slice(0, 13));
    if (state !== undefined) return state;
  }
  return null;
}

/** What the sentences of an answer without a record state; null where none says anything. */
export function readStatement(text: string): Statement | null {
  const scanned = text.length <= LONGEST_SCAN ? text : headAndTail(text);
  const lower = scanned.toLowerCase();
  const whole = wholeAnswer(lower);
  const isReduced = REDUCED_ANSWERS.some((phrase) => lower.includes(phrase));
  for (const { state, phrase } of STATE_PHRASES) {
    if (whole !== null && state === 'not_registered') return whole;
    if (isReduced && state === 'throttled') continue;
    let at = lower.indexOf(phrase);
    for (let hits = 0; at >= 0 && hits < MOST_HITS; hits++) {
      if (isStatement(lower, at, phrase.length)) return { state, words: wordsAround(lower, at) };
      at = lower.indexOf(phrase, at + phrase.length);
    }
  }
  return whole;
}

/** The parts of an overlong text that can hold the answer. */
function headAndTail(text: string): string {
  return `${text.slice(0, LONGEST_SCAN / 2)}\n${text.slice(-LONGEST_SCAN / 2)}`;
}

function wholeAnswer(lower: string): Statement | null {
  const start = lower.search(/[^\s%#*]/);
  if (start < 0) return null;
  const end = lineEnd(lower, start);
  const state = end - start > 40 ? undefined : WHOLE_ANSWERS.get(plainLabel(lower.slice(start, end)));
  return state === undefined ? null : { state, words: wordsAround(lower, start) };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function wordsAround(lower: string, at: number): string {
  const start = lower.lastIndexOf('\n', at) + 1;
  return lower.slice(Math.max(start, at - LONGEST_LINE), at + LONGEST_LINE);
}

/** Whether the words stand in a sentence about this query, not in the terms of use. */
function isStatement(lower: string, at: number, length: number): boolean {
  const start = lower.lastIndexOf('\n', at) + 1;
  const end = lineEnd(lower, at + length);
  if (at - start > LONGEST_LINE || end - start > 2 * LONGEST_LINE) return false;
  if (CONDITIONAL.test(lower.slice(start, at))) return false;
  return longLinesAround(lower, start, end) <= MOST_LONG_LINES;
}

/** Long lines in the paragraph that holds the line between two offsets, up to the few that decide. */
function longLinesAround(lower: string, start: number, end: number): number {
  let count = end - start >= LONG_LINE ? 1 : 0;
  for (let below = end; count <= MOST_LONG_LINES && below < lower.length;) {
    const next = lineEnd(lower, below + 1);
    const kind = lineKind(lower, below + 1, next);
    if (kind === 'gap') break;
    if (kind === 'long') count++;
    below = next;
  }
  for (let above = start - 1; count <= MOST_LONG_LINES && above > 0;) {
    const previous = lower.lastIndexOf('\n', above - 1);
    const kind = lineKind(lower, previous + 1, above);
    if (kind === 'gap') break;
    if (kind === 'long') count++;
    above = previous;
  }
  return count;
}

/** Blank and drawn lines part paragraphs; a line with a label is no prose. */
function lineKind(lower: string, start: number, end: number): 'gap' | 'short' | 'long' {
  let letters = false;
  for (let at = start; at < end && at < start + 12; at++) {
    const code = lower.charCodeAt(at);
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 0x7f) letters = true;
  }
  if (!letters || lower.startsWith('>>>', start)) return 'gap';
  return end - start >= LONG_LINE ? 'long' : 'short';
}

/** The name in a sentence such as `No match for "example.test".`; null where there is none. */
export function nameInStatement(words: string): string | null {
  const line = words.slice(0, lineEnd(words, 0));
  for (const match of line.matchAll(/[^\s"'<>()[\],:]+/g)) {
    const word = match[0].replace(/[.!]+$/, '');
    if (!word.includes('.') || word.includes('/') || word.includes('@') || /^(?:www|whois)\./.test(word))
      continue;
    if (hostEndsAt(word, 0, word.length) === word.length) return word;
  }
  return null;
}

/** Seconds that a throttling answer asks to wait; null where it names none. */
export function waitInStatement(words: string): number | null {
  const match = /(\d{1,6})(\.\d{1,6})?[\s-]*(second|sec|minute|min|hour)/.exec(words);
  if (match === null) return null;
  const unit = match[3]?.startsWith('h') === true ? 3600 : match[3]?.startsWith('m') === true ? 60 : 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}
