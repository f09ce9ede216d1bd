/**
 * A hash of three whole numbers, evenly spread over 0 ... 2^32 - 1. Everything invented is drawn from it, so that
 * the same seed gives the same catalogue on every machine. The mixing is that of MurmurHash3's finaliser.
 */
export function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul((h ^ (h >>> 15) ^ b) + 0x7f4a7c15, 0xc2b2ae35);
  h = Math.imul((h ^ (h >>> 13) ^ c) + 0x165667b1, 0x27d4eb2f);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** As `hash`, as a fraction from 0 to below 1. */
export function hashFraction(a: number, b: number, c: number): number {
  return hash(a, b, c) / 4_294_967_296;
}

/** A row of draws, the same for the same three numbers. A class, because tens of thousands are made at start. */
export class Random {
  readonly #start: number;
  #draws = 0;

  constructor(seed: number, stream: number, index: number) {
    this.#start = hash(seed, stream, index);
  }

  /** From 0 to below 1. */
  fraction(): number {
    this.#draws += 1;
    return hashFraction(this.#start, 0, this.#draws);
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of a list that is not empty. */
  pick<Item>(list: readonly Item[]): Item {
    return list[Math.floor(this.fraction() * list.length)] as Item;
  }
}
