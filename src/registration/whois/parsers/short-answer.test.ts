import { describe, expect, test } from 'vitest';
import { isSameShortAnswer, readShortAnswer } from './short-answer.ts';

const of = (text: string, domain: string) => readShortAnswer(text, { domain, server: 'whois.nic.test' });

function isSame(one: string, other: string): boolean {
  const [first, second] = [of(one, 'one.test'), of(other, 'other.test')];
  return first !== null && second !== null && isSameShortAnswer(first, second);
}

describe('a short answer', () => {
  test('has its lines masked, without comments and varying parts', () => {
    const text = '% Terms of one.test\nSession: 83aa-1\nNobody has one.test, one at 10:31\n';
    expect(of(text, 'one.test')).toEqual({
      firstLine: 'Nobody has one.test, one at 10:31',
      lines: ['nobody has {name} one at {n}'],
      labelledLines: ['nobody has {name} {label} at {n}'],
    });
  });

  test.each([
    ['a fact', 'Nobody has it\nRegistrar: Kamome Ltd.\nDomain: one.test\n'],
    ['a page', '<html><body>Nobody has one.test</body></html>'],
    ['nothing but comments', '% Nobody has one.test\n'],
    ['four paragraphs', 'one\n\nthree\n\nfour\n\nfive six\n'],
  ])('does not exist with %s', (_, text) => {
    expect(of(text, 'one.test')).toBeNull();
  });
});

describe('two short answers are the same', () => {
  test('if they differ in the name, or in its label', () => {
    expect(isSame('Nobody has one.test!', 'NOBODY HAS other.test')).toBe(true);
    expect(isSame('Nobody has one', 'Nobody has other')).toBe(true);
  });

  test('and differ if a line differs, or is missing', () => {
    expect(isSame('Nobody has one.test', 'Somebody has other.test')).toBe(false);
    expect(isSame('Nobody has one.test\nToday', 'Nobody has other.test')).toBe(false);
    expect(isSame('Nobody has one.test', 'Nobody has two.test')).toBe(false);
  });
});
