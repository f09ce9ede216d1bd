import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { plainNovel } from '../../narou/test/plain-novel.ts';
import { chanceOf, randomNovel, seededRandom } from '../../narou/test/random-questions.ts';

const PLACES = 80;

const novelsOf = (seed: number, places: readonly number[]): CatalogueNovel[] => {
  const chance = chanceOf(seededRandom(seed));
  return places.map((index) => randomNovel(chance, index));
};

/** Its length is the number of the state: generations of killed builds have numbers, but no state. */
const COUNTER = 'N9999ZZ';

export const stateOf = (novels: Iterable<CatalogueNovel>): number =>
  [...novels].find(({ ncode }) => ncode === COUNTER)?.length ?? 1;

/** The novels in state 1. */
export const FIRST_NOVELS: readonly CatalogueNovel[] = novelsOf(
  1,
  Array.from({ length: PLACES }, (_, index) => index),
);

/** Changes from the state before. */
export function changesOf(number: number): CatalogueNovel[] {
  const { below } = chanceOf(seededRandom(number * 1000));
  const places = new Set(Array.from({ length: 12 }, () => below(PLACES * 1.2)));
  return [...novelsOf(number, [...places]), plainNovel({ ncode: COUNTER, length: number })];
}

/** The novels in a state. */
export function novelsIn(state: number): CatalogueNovel[] {
  const novels = new Map(FIRST_NOVELS.map((novel) => [novel.ncode, novel]));
  for (let number = 2; number <= state; number++)
    for (const novel of changesOf(number)) novels.set(novel.ncode, novel);
  return [...novels.values()];
}
