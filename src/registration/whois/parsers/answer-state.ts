import type { RegistrationState } from '../../registration-record.ts';
import { plainLabel } from './label-key.ts';
import type { TextRecord } from './registration-text-record.ts';
import { STATE_OF_STATUS, STATE_PHRASES } from './state-phrases.ts';

const LONGEST_SCAN = 65_536;
const LONGEST_STATEMENT = 200;
const MOST_HITS = 8;
/** Terms of use speak of limits, blocks and availability in conditions; statements do not. */
const CONDITIONAL =
  /\b(?:if|may|will|whether|unless|shall|should|agree|in case|not guarantee|prohibited from|does not imply|still available or not|are throttled|should not|must not|not indicative|using|purposes?|in order to|reserves? the right|terms)\b/;
/** Bare answers of one word or two. */
const WHOLE_ANSWERS: ReadonlyMap<string, RegistrationState> = new Map([
  ['available', 'not_registered'],
  ['free', 'not_registered'],
  ['notfound', 'not_registered'],
  ['nomatch', 'not_registered'],
  ['restricted', 'reserved'],
  ['reserved', 'reserved'],
  ['prohibited', 'reserved'],
  ['unavailable', 'reserved'],
]);

/** State that the record's own status values state; null where they state an ordinary registration or none. */
export function stateOfStatuses(record: TextRecord): RegistrationState | null {
  for (const status of record.status) {
    const state = STATE_OF_STATUS.get(plainLabel(status)) ?? stateOfLongStatus(status);
    if (state !== null) return state;
  }
  return null;
}

function stateOfLongStatus(status: string): RegistrationState | null {
  const plain = status.toLowerCase();
  if (plain.startsWith('no object found')) return 'not_registered';
  if (plain.startsWith('premium name') || plain.startsWith('reserved ')) return 'reserved';
  if (plain.startsWith('prohibited string')) return 'reserved';
  return null;
}

/** What the sentences of a text say of its state; null where none says anything. */
export function stateOfSentences(text: string): { state: RegistrationState; at: number } | null {
  const lower = scanned(text).toLowerCase();
  const whole = wholeAnswer(lower);
  for (const { state, phrase } of STATE_PHRASES) {
    if (whole !== null && state === 'not_registered') break;
    let at = lower.indexOf(phrase);
    for (let hits = 0; at >= 0 && hits < MOST_HITS; hits++) {
      if (isStatement(lower, at, phrase.length)) return { state, at };
      at = lower.indexOf(phrase, at + phrase.length);
    }
  }
  return whole;
}

/** The parts of a text that can hold the answer: its head and its tail. */
function scanned(text: string): string {
  if (text.length <= LONGEST_SCAN) return text;
  return text.slice(0, LONGEST_SCAN / 2) + '\n' + text.slice(-LONGEST_SCAN / 2);
}

function wholeAnswer(lower: string): { state: RegistrationState; at: number } | null {
  const end = lower.indexOf('\n', firstLetter(lower));
  const line = lower.slice(firstLetter(lower), end < 0 ? undefined : end);
  const state = line.length > 40 ? undefined : WHOLE_ANSWERS.get(plainLabel(line));
  return state === undefined ? null : { state, at: 0 };
}

function firstLetter(lower: string): number {
  const at = lower.search(/\S/);
  return at < 0 ? 0 : at;
}

/** Whether the words stand in a sentence about this query, not in the terms of use. */
function isStatement(lower: string, at: number, length: number): boolean {
  const start = lower.lastIndexOf('\n', at) + 1;
  let end = lower.indexOf('\n', at + length);
  if (end < 0) end = lower.length;
  if (at - start > LONGEST_STATEMENT || end - start > 2 * LONGEST_STATEMENT) return false;
  return !CONDITIONAL.test(lower.slice(start, at));
}
