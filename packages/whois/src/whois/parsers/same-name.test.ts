import { describe, expect, it } from 'vitest';
import { isQueriedName } from './names.ts';

describe('an answer belongs to a name', () => {
  it.each([
    ['example.test', 'example.test'],
    ['bücher.test', 'xn--bcher-kva.test'],
    ['example', 'example.test'],
    ['example.xn--kprw13d', 'example.xn--kpry57d'],
    ['example.台灣', 'example.xn--kpry57d'],
    ['example.xn--fiqs8s', 'example.xn--fiqz9s'],
    ['example.中国', 'example.xn--fiqz9s'],
  ])('if it states %s and %s was requested', (stated, name) => {
    expect(isQueriedName(stated, name)).toBe(true);
  });

  it.each([
    [null, 'example.test'],
    ['other.test', 'example.test'],
    // The zone itself, though the name begins with the same label.
    ['test', 'test.test'],
    // A name above another zone.
    ['example.co', 'example.co.uk'],
    ['exam', 'example.test'],
    ['example.xn--kprw13d', 'example.xn--fiqz9s'],
    ['xn--kprw13d.test', 'xn--kpry57d.test'],
  ])('not if it states %s and %s was requested', (stated, name) => {
    expect(isQueriedName(stated, name)).toBe(false);
  });
});
