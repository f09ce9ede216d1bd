import { describe, expect, it } from 'vitest';
import { bisect } from './bisect.ts';

describe('bisect', () => {
  it.each([
    [[], 5, 0],
    [[1, 3, 3, 9], 0, 0],
    [[1, 3, 3, 9], 3, 1],
    [[1, 3, 3, 9], 4, 3],
    [[1, 3, 3, 9], 10, 4],
  ])('finds in %j the first number that is not below %d: place %d', (numbers, sought, index) => {
    expect(bisect(numbers.length, (at) => (numbers[at] ?? 0) < sought)).toBe(index);
  });
});
