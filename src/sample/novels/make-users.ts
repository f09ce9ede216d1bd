import { Random, hash } from './random.ts';
import { FIRST_PARTS, ODD_NAMES, SECOND_PARTS } from './words/pen-names.ts';

/** What is settled about a user at registration. */
export interface Account {
  readonly index: number;
  readonly userid: number;
  readonly name: string;
  readonly yomikata: string;
  readonly name1st: string;
  /** Whether the user ever writes. One in five only reads. */
  readonly writes: boolean;
}

const ACCOUNT_STREAM = 31;
const DAYS_PER_ACCOUNT = 7;
// The first thirty were there before the first novel.
const EARLY_ACCOUNTS = 30;
const PROLIFIC_ACCOUNTS = 12;
const PROLIFIC_SHARE = 0.15;
const ODD_EVERY = 13;

// Dakuten and handakuten fold to the plain kana; the two lists run side by side.
const VOICED = 'がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゔ';
const PLAIN = 'かきくけこさしすせそたちつてとはひふへほはひふへほう';

/**
 * The first character of a furigana as a plain hiragana: katakana becomes hiragana, ば and ぱ become は; empty
 * where it is not from ぁ to ん. Source: the manual of userapi on name1st, as of August 2025.
 */
export function firstKana(yomikata: string): string {
  const code = yomikata.codePointAt(0) ?? 0;
  const kana = String.fromCodePoint(code >= 0x30a1 && code <= 0x30f6 ? code - 0x60 : code);
  const voiced = VOICED.indexOf(kana);
  const plain = voiced < 0 ? kana : PLAIN.charAt(voiced);
  return plain >= 'ぁ' && plain <= 'ん' ? plain : '';
}

const makeName = (seed: number, index: number): readonly [string, string] => {
  const odd = index % ODD_EVERY === 0 ? ODD_NAMES[index / ODD_EVERY] : undefined;
  if (odd !== undefined) return odd;
  const random = new Random(seed, ACCOUNT_STREAM, index);
  const [first, firstReading] = random.pick(FIRST_PARTS);
  const [second, secondReading] = random.pick(SECOND_PARTS);
  const gap = random.pick(['', '', '　', '・']);
  const name = random.chance(0.15) ? first : first + gap + second;
  const reading = name === first ? firstReading : firstReading + gap + secondReading;
  return [name, random.chance(0.12) ? '' : reading];
};

/** The account with an index, the same whenever it is asked for. User ids rise with the index. */
export function makeAccount(seed: number, index: number): Account {
  const [name, yomikata] = makeName(seed, index);
  const userid = 100_003 + index * 701 + (hash(seed, ACCOUNT_STREAM, index) % 700);
  return { index, userid, name, yomikata, name1st: firstKana(yomikata), writes: index % 5 !== 4 };
}

/** How many users have registered when so many days have passed since the first novel. */
export function countAccounts(daysSinceStart: number): number {
  return Math.max(0, EARLY_ACCOUNTS + Math.floor(daysSinceStart / DAYS_PER_ACCOUNT));
}

/** The index of the account that writes a novel: one of those registered then; a few accounts write a lot. */
export function chooseAuthor(seed: number, novelIndex: number, registered: number): number {
  const random = new Random(seed, ACCOUNT_STREAM + 1, novelIndex);
  const among = random.chance(PROLIFIC_SHARE) ? PROLIFIC_ACCOUNTS : registered;
  const index = random.int(0, Math.max(0, among - 1));
  return index % 5 === 4 ? index - 1 : index;
}

/** A pen name for adult entries, which belong to no account. */
export function makePenName(seed: number, index: number): string {
  return makeName(seed ^ 0x18, index * ODD_EVERY + 1)[0];
}
