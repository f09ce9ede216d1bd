import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { chanceOf, randomNovel, seededRandom } from '../../narou/test/random-questions.ts';

const PLACES = 80;

const novelsOf = (seed: number, places: readonly number[]): CatalogueNovel[] => {
  const chance = chanceOf(seededRandom(seed));
  return places.map((index) => randomNovel(chance, index));
};

/** Content of generation 1. */
export const FIRST_NOVELS: readonly CatalogueNovel[] = novelsOf(
  1,
  Array.from({ length: PLACES }, (_, index) => index),
);

/** Changes from one generation to the next. */
export function changesOf(number: number): CatalogueNovel[] {
  const { below } = chanceOf(seededRandom(number * 1000));
  const places = new Set(Array.from({ length: 12 }, () => below(PLACES * 1.2)));
  return novelsOf(number, [...places]);
}

/** Content of a generation. */
export function novelsAfter(generation: number): CatalogueNovel[] {
  const novels = new Map(FIRST_NOVELS.map((novel) => [novel.ncode, novel]));
  for (let number = 2; number <= generation; number++)
    for (const novel of changesOf(number)) novels.set(novel.ncode, novel);
  return [...novels.values()];
}
