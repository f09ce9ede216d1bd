/** A bit for each id. Signed words, because V8 keeps those in registers without a check for large numbers. */
export type Bits = Int32Array<ArrayBuffer>;

export const createBits = (size: number): Bits => new Int32Array((size + 31) >>> 5);

export const hasBit = (bits: Bits, id: number): boolean =>
  (((bits[id >>> 5] as number) >>> (id & 31)) & 1) === 1;

export function setBit(bits: Bits, id: number): void {
  bits[id >>> 5] = (bits[id >>> 5] as number) | (1 << (id & 31));
}

export function clearBit(bits: Bits, id: number): void {
  bits[id >>> 5] = (bits[id >>> 5] as number) & ~(1 << (id & 31));
}

/** All ids from 0 up to a size. */
export function fullBits(size: number): Bits {
  const bits = createBits(size).fill(-1);
  if (size % 32 !== 0) bits[bits.length - 1] = (1 << (size % 32)) - 1;
  return bits;
}

export function intersectBits(bits: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] as number) & (others[word] as number);
}

export function subtractBits(bits: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] as number) & ~(others[word] as number);
}

export function addBits(bits: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] as number) | (others[word] as number);
}

export function flipBits(bits: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] as number) ^ (others[word] as number);
}

/** Set bits of one word, by adding neighbours: pairs, fours, eights, all. */
function countOfWord(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += countOfWord(bits[word] as number);
  return count;
}

/** Number of common bits of two bitmaps. */
export function countCommonBits(bits: Bits, others: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    count += countOfWord((bits[word] as number) & (others[word] as number));
  }
  return count;
}

/** Writes the numbers of set bits, from the `skip`th on, as many as fit; returns how many. */
export function listBits(bits: Bits, skip: number, out: Uint32Array): number {
  let seen = 0;
  let count = 0;
  for (let word = 0; word < bits.length && count < out.length; word++) {
    let rest = bits[word] as number;
    if (rest === 0) continue;
    const inWord = seen < skip ? countOfWord(rest) : 0;
    if (seen + inWord <= skip && inWord > 0) {
      seen += inWord;
      continue;
    }
    for (; rest !== 0 && count < out.length; rest &= rest - 1) {
      if (seen++ >= skip) out[count++] = word * 32 + 31 - Math.clz32(rest & -rest);
    }
  }
  return count;
}
