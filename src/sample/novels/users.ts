import type { CatalogueNovel, CatalogueUser } from '../../catalogue/index/catalogue-novel.ts';
import { ODD_NAMES } from './odd-ones.ts';
import { createRandom, hash } from './random.ts';
import type { Random } from './random.ts';
import { NAME_BEGINNINGS, NAME_ENDINGS } from './word-lists.ts';

const STREAM = 31;
const DAYS_PER_ACCOUNT = 7;
/** There before the first novel. */
const EARLY_ACCOUNTS = 30;
/** The first accounts write a good part of all novels. */
const PROLIFIC = { accounts: 12, share: 0.15 };
/** One account in five only reads. */
const writes = (index: number): boolean => index % 5 !== 4;

/**
 * The first character of a furigana as a plain hiragana: katakana becomes hiragana, ば and ぱ become は; empty
 * where it is not from ぁ to ん. Source: the manual of userapi on name1st, as of August 2025.
 */
export function firstKana(yomikata: string): string {
  const code = yomikata.codePointAt(0) ?? 0;
  const kana = String.fromCodePoint(code >= 0x30a1 && code <= 0x30f6 ? code - 0x60 : code);
  // Taken apart, the marks of voiced kana stand behind the plain one.
  const plain = kana.normalize('NFD').charAt(0);
  return plain >= 'ぁ' && plain <= 'ん' ? plain : '';
}

/** Name and furigana of an account. */
export function nameAt(seed: number, index: number): readonly [string, string] {
  const odd = ODD_NAMES.get(index);
  if (odd) return odd;
  const random = createRandom(seed, STREAM, index);
  const [first, firstReading] = random.pick(NAME_BEGINNINGS);
  const [second, secondReading] = random.pick(NAME_ENDINGS);
  const gap = random.pick(['', '', '　', '・']);
  const isShort = random.chance(0.15);
  const reading = isShort ? firstReading : firstReading + gap + secondReading;
  return [isShort ? first : first + gap + second, random.chance(0.12) ? '' : reading];
}

export const useridAt = (index: number): number => 100_003 + 701 * index;

const countAccounts = (daysSinceStart: number): number =>
  EARLY_ACCOUNTS + Math.max(0, Math.floor(daysSinceStart / DAYS_PER_ACCOUNT));

/** The index of the account that writes a novel: one of those registered by then. */
export function chooseAuthor(random: Random, daysSinceStart: number): number {
  const among = random.chance(PROLIFIC.share) ? PROLIFIC.accounts : countAccounts(daysSinceStart);
  const index = random.int(0, among - 1);
  return writes(index) ? index : index - 1;
}

/** Everyone registered after so many days, in the order of user ids, with the sums of their novels. */
export function usersAt(
  seed: number,
  daysSinceStart: number,
  novels: readonly CatalogueNovel[],
): CatalogueUser[] {
  const byUser = new Map<number, CatalogueNovel[]>();
  for (const novel of novels) byUser.set(novel.userid, [...(byUser.get(novel.userid) ?? []), novel]);
  return Array.from({ length: countAccounts(daysSinceStart) }, (_, index) => {
    const [name, yomikata] = nameAt(seed, index);
    const own = byUser.get(useridAt(index)) ?? [];
    const sum = (field: 'length' | 'global_point') => own.reduce((total, novel) => total + novel[field], 0);
    const reviews = hash(seed, STREAM + 1, index);
    return {
      userid: useridAt(index),
      name,
      yomikata,
      name1st: firstKana(yomikata),
      novel_cnt: own.length,
      review_cnt: reviews % 3 === 0 ? (reviews >>> 8) % 30 : 0,
      novel_length: sum('length'),
      sum_global_point: sum('global_point'),
    };
  });
}
