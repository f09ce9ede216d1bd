import type { CatalogueNovel, CatalogueUser } from '../scan/catalogue-novel.ts';
import { dayOfDate } from '../novels/japan-date.ts';
import { ODD_NAMES } from './odd-ones.ts';
import { createRandom, hash } from './random.ts';
import { NAME_BEGINNINGS, NAME_ENDINGS } from './texts.ts';

/** Birthday of the first novel. */
export const START_DAY = dayOfDate('2007-01-01') ?? 0;
const STREAM = 31;

/**
 * The first character of a furigana as a plain hiragana: katakana becomes hiragana, ば and ぱ become は; '' if it is not
 * from ぁ to ん. Source: the manual of userapi on name1st, as of August 2025.
 */
export function firstKana(yomikata: string): string {
  const code = yomikata.codePointAt(0) ?? 0;
  const kana = String.fromCodePoint(code >= 0x30a1 && code <= 0x30f6 ? code - 0x60 : code);
  // In NFD the voicing mark follows the plain kana.
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
  return [first + gap + second, random.chance(0.12) ? '' : firstReading + gap + secondReading];
}

export const useridAt = (index: number): number => 100_003 + 701 * index;

/** The number of accounts: thirty before the first novel, and one more each week. */
export const countAccounts = (day: number): number => 30 + Math.max(0, Math.floor((day - START_DAY) / 7));

type Owned = Pick<CatalogueNovel, 'userid' | 'length' | 'global_point'>;

/** Every user registered by a day, sorted by user id, with the totals of their novels. */
export function usersAt(seed: number, day: number, novels: readonly Owned[]): CatalogueUser[] {
  const byUser = new Map<number | undefined, Owned[]>();
  for (const novel of novels) {
    const own = byUser.get(novel.userid);
    if (own === undefined) byUser.set(novel.userid, [novel]);
    else own.push(novel);
  }
  return Array.from({ length: countAccounts(day) }, (_, index) => {
    const [name, yomikata] = nameAt(seed, index);
    const own = byUser.get(useridAt(index)) ?? [];
    const sum = (field: 'length' | 'global_point') =>
      own.reduce((total, novel) => total + (novel[field] ?? 0), 0);
    return {
      userid: useridAt(index),
      name,
      yomikata,
      name1st: firstKana(yomikata),
      novel_cnt: own.length,
      review_cnt: hash(seed, STREAM + 1, index) % 30,
      novel_length: sum('length'),
      sum_global_point: sum('global_point'),
    };
  });
}
