import { describe, expect, it } from 'vitest';
import { remember } from './remember.ts';

function reading(most: number) {
  const read: string[] = [];
  const meaningOf = remember(most, (text) => {
    read.push(text);
    return text === 'nothing' ? undefined : text.length;
  });
  return { read, meaningOf };
}

describe('what a text means', () => {
  it('is worked out once, also where it means nothing', () => {
    const { read, meaningOf } = reading(10);
    for (const text of ['abc', 'nothing', 'abc', 'nothing']) meaningOf(text);
    expect(read).toEqual(['abc', 'nothing']);
    expect([meaningOf('abc'), meaningOf('nothing')]).toEqual([3, undefined]);
  });

  it('is remembered of so many texts, then all are begun anew', () => {
    const { read, meaningOf } = reading(2);
    for (const text of ['a', 'b', 'a', 'b', 'c', 'c', 'a']) meaningOf(text);
    expect(read).toEqual(['a', 'b', 'c', 'a']);
  });

  it('of more than 500 characters is not remembered', () => {
    const { read, meaningOf } = reading(10);
    for (const length of [500, 500, 501, 501]) expect(meaningOf('x'.repeat(length))).toBe(length);
    expect(read.map((text) => text.length)).toEqual([500, 501, 501]);
  });
});
