import type { RegistrationState } from '../../look-up/registration-record.ts';
import {
  REDUCED_ANSWERS,
  STATE_PHRASES,
  TELLING_LINES,
  UNSPACED_PHRASES,
  WHOLE_ANSWERS,
  type StatePhrase,
} from './state-phrases.ts';

const LONGEST_WHOLE = 40;
const LONGEST_SCAN = 32_768;
const LONGEST_LINE = 260;
/** A paragraph of more long lines than this is prose: terms of use, not the answer. */
const MOST_LONG_LINES = 3;
const LONG_LINE = 45;
/** Characters by which phrases are looked up: no phrase is shorter. */
const KEY_LENGTH = 5;
const FILTER_MASK = 0xfff;
/** Terms of use speak of limits, blocks and availability in conditions; statements do not. */
const CONDITIONAL =
  /\b(?:if|may|will|whether|unless|shall|should|agree|in case|not guarantee|does not imply|not indicative|must not|in order to|reserves? the right|terms|accepts? (?:only|no))\b/;

/** What an answer says of its name, and where in the scanned text (lower case) it says so. */
export interface Statement {
  state: RegistrationState;
  /** The sentence's line and what follows it, as far as a number or a name may stand there. */
  words: string;
}

/** What the sentences of an answer without a record state; null where none says anything. */
export function readStatement(text: string): Statement | null {
  const scanned = text.length <= LONGEST_SCAN ? text : headAndTail(text);
  const lower = scanned.toLowerCase();
  let found = findStatement(lower, 0);
  if (found?.state === 'throttled' && REDUCED_ANSWERS.some((phrase) => lower.includes(phrase))) {
    found = findStatement(lower, FIRST_AFTER_THROTTLED);
  }
  found ??= findForeignPhrase(lower) ?? findTellingLine(scanned);
  const whole = wholeAnswer(lower);
  if (found === null || (whole !== null && found.state === 'not_registered')) return whole;
  return { state: found.state, words: wordsAround(lower, found.at) };
}

/** A phrase of a statement and where it stands. */
interface Hit {
  phrase: StatePhrase;
  at: number;
}

/**
 * The statement that decides first. Paragraph by paragraph: those with many long lines are terms of use, in
 * which limits, blocks and availability are talked about, and are passed over unread; so is an endless line,
 * unless the answer opens with it. Phrases before `order` are left out.
 */
function findStatement(lower: string, order: number): { state: RegistrationState; at: number } | null {
  let best: Hit | null = null;
  let longLines = 0;
  let paragraph = 0;
  let isFirst = true;
  for (let start = 0; start <= lower.length;) {
    const end = lineEnd(lower, start);
    const kind = lineKind(lower, start, end);
    if (kind === 'long') longLines++;
    const isPart = kind === 'long' || kind === 'short';
    if (!isPart || end === lower.length) {
      // Of prose only the opening is read: `Not available for registration.` may stand above an explanation.
      const readEnd = longLines > MOST_LONG_LINES ? afterOpening(lower, paragraph) : isPart ? end : start;
      best = findPhrase(lower, paragraph, readEnd, order, best);
      if (kind === 'endless' && isFirst) best = findPhrase(lower, start, start + LONGEST_LINE, order, best);
      longLines = 0;
      paragraph = end + 1;
    }
    isFirst &&= kind === 'gap';
    start = end + 1;
  }
  return best === null ? null : { state: best.phrase.state, at: best.at };
}

/** Behind the first word of a paragraph, as far as a phrase is looked up by. */
function afterOpening(lower: string, paragraph: number): number {
  let at = paragraph;
  while (at < lower.length && !isWordChar(lower.charCodeAt(at))) at++;
  return at + KEY_LENGTH;
}

/** The best phrase of a paragraph, every word looked up once by a few letters; `best` where none is better. */
function findPhrase(lower: string, from: number, end: number, order: number, best: Hit | null): Hit | null {
  let found = best;
  const last = end - KEY_LENGTH;
  for (let at = from; at <= last; at++) {
    if (!isWordChar(lower.charCodeAt(at))) continue;
    const key = phraseKey(lower, at);
    if (PHRASE_FILTER[key & FILTER_MASK] === 1) {
      for (const phrase of PHRASES_BY_KEY.get(key) ?? NO_PHRASES) {
        if (found !== null && phrase.order >= found.phrase.order) break;
        if (phrase.order < order || !lower.startsWith(phrase.phrase, at)) continue;
        if (isStatement(lower, at)) found = { phrase, at };
      }
    }
    while (at < last && isWordChar(lower.charCodeAt(at))) at++;
  }
  return found;
}

/** Lines of a shape of their own. */
function findTellingLine(text: string): { state: RegistrationState; at: number } | null {
  for (const { state, pattern } of TELLING_LINES) {
    const at = text.search(pattern);
    if (at >= 0) return { state, at };
  }
  return null;
}

/** Phrases of scripts without blanks between words. */
function findForeignPhrase(lower: string): { state: RegistrationState; at: number } | null {
  for (const { state, phrase } of UNSPACED_PHRASES) {
    const at = lower.indexOf(phrase);
    if (at >= 0) return { state, at };
  }
  return null;
}

/** The first characters of a phrase as one number. */
function phraseKey(lower: string, at: number): number {
  let key = 0;
  for (let offset = 0; offset < KEY_LENGTH; offset++)
    key = (Math.imul(key, 31) + lower.charCodeAt(at + offset)) | 0;
  return key;
}

function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 0x7f;
}

const FIRST_AFTER_THROTTLED = STATE_PHRASES.findLastIndex(({ state }) => state === 'throttled') + 1;
const NO_PHRASES: readonly StatePhrase[] = [];
const PHRASES_BY_KEY = new Map<number, StatePhrase[]>();
/** Marks the keys that some phrase has, by their last bits: most words are told apart without a look-up. */
const PHRASE_FILTER = new Uint8Array(FILTER_MASK + 1);
for (const phrase of STATE_PHRASES) {
  const key = phraseKey(phrase.phrase, 0);
  PHRASES_BY_KEY.set(key, [...(PHRASES_BY_KEY.get(key) ?? []), phrase]);
  PHRASE_FILTER[key & FILTER_MASK] = 1;
}

/** The parts of an overlong text that can hold the answer. */
function headAndTail(text: string): string {
  return `${text.slice(0, LONGEST_SCAN / 2)}\n${text.slice(-LONGEST_SCAN / 2)}`;
}

/** A first line of one word or two that is the whole answer. */
function wholeAnswer(lower: string): Statement | null {
  let start = 0;
  while (start < lower.length && !isWordChar(lower.charCodeAt(start))) start++;
  const end = lineEnd(lower, start);
  if (end - start > LONGEST_WHOLE) return null;
  const state = WHOLE_ANSWERS.exactly(lower.slice(start, end));
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

/** Whether the words stand in a sentence about this query, not in a condition. */
function isStatement(lower: string, at: number): boolean {
  return !CONDITIONAL.test(lower.slice(lower.lastIndexOf('\n', at) + 1, at));
}

/** Blank and drawn lines part paragraphs, and so does the registry's clock (`>>> Last update ...`). */
function lineKind(lower: string, start: number, end: number): 'gap' | 'short' | 'long' | 'endless' {
  let at = start;
  while (at < end && at < start + 12 && !isWordChar(lower.charCodeAt(at))) at++;
  if (at === end || at === start + 12 || isClock(lower, start)) return 'gap';
  if (end - start > LONGEST_LINE) return 'endless';
  return end - start >= LONG_LINE ? 'long' : 'short';
}

/** `>>> Last update of WHOIS database: ... <<<`. */
function isClock(lower: string, start: number): boolean {
  return (
    lower.startsWith('>>>', start) &&
    (lower.startsWith('last', start + 4) || lower.startsWith('whois', start + 5))
  );
}
