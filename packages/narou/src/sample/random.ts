/**
 * A hash of three whole numbers, evenly distributed over 0 ... 2^32 - 1. All invented data derive from it, so that a
 * seed creates the same catalogue on every machine. The mixing is that of MurmurHash3's finaliser.
 */
export function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul((h ^ (h >>> 15) ^ b) + 0x7f4a7c15, 0xc2b2ae35);
  h = Math.imul((h ^ (h >>> 13) ^ c) + 0x165667b1, 0x27d4eb2f);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** Like `hash`, as a fraction from 0 to below 1. */
export const hashFraction = (a: number, b: number, c: number): number => hash(a, b, c) / 4_294_967_296;

/** A sequence of random values, determined by the three numbers. */
export function createRandom(seed: number, stream: number, index: number) {
  const start = hash(seed, stream, index);
  let draws = 0;
  const fraction = () => hashFraction(start, 0, ++draws);
  return {
    /** From 0 to below 1. */
    fraction,
    /** A whole number, both ends included. */
    int: (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1)),
    /** A whole number from 0 to below `end`; low ones are more likely. */
    low: (end: number) => Math.floor(end * fraction() ** 2),
    chance: (probability: number) => fraction() < probability,
    /** An element of a nonempty list. */
    pick: <Item>(list: readonly Item[]) => list[Math.floor(fraction() * list.length)] as Item,
  };
}

export type Random = ReturnType<typeof createRandom>;
