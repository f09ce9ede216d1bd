import { describe, expect, it } from 'vitest';
import { memoize } from './memoize.ts';

function reading(most: number) {
  const read: string[] = [];
  const meaningOf = memoize(most, (text) => {
    read.push(text);
    return `${text.length}`;
  });
  return { read, meaningOf };
}

describe('a remembered result', () => {
  it('is remembered for a bounded number of texts; when full, all are cleared', () => {
    const { read, meaningOf } = reading(2);
    for (const text of ['a', 'b', 'a', 'b', 'c', 'c', 'a']) meaningOf(text);
    expect(read).toEqual(['a', 'b', 'c', 'a']);
  });

  it('is not remembered for texts above 500 characters', () => {
    const { read, meaningOf } = reading(10);
    for (const length of [500, 500, 501, 501]) expect(meaningOf('x'.repeat(length))).toBe(`${length}`);
    expect(read.map((text) => text.length)).toEqual([500, 501, 501]);
  });
});
