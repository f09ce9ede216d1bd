import { describe, expect, test } from 'vitest';
import { isPlain, printable, withAsciiDigits } from './plain-text.ts';

describe('what a terminal would obey is removed', () => {
  test.each([
    ['a colour', 'a\x1b[31mb\x1b[0mc', 'abc'],
    ['an eight-bit colour', 'a\x9b1;31mb', 'ab'],
    ['a sequence with an intermediate', 'a\x1b[ qb\x1b[?25hc', 'abc'],
    ['a title', 'a\x1b]0;title\x07b', 'ab'],
    ['a title with its other end', 'a\x1b]0;title\x1b\\b', 'ab'],
    ['a title cut off by the line', 'a\x1b]0;title\nb', 'a\nb'],
    ['a device string', 'a\x1bPq\x07b\x1bXc\x07d\x1b^e\x07f\x1b_g\x07h', 'abdfh'],
    ['a character set', 'a\x1b(Bb\x1b%c', 'ab'],
    ['a reset', 'a\x1bcb', 'ab'],
    ['a lone escape', 'a\x1b', 'a'],
    ['control characters', 'a\0b\x08c\vd\fe\x0ef\x1fg\x7fh\x80i\x9f', 'abcdefghi'],
    ['a reversal of the text', 'a\u202eb\u2066c\u200fd\u200be\u2060f\ufeffg', 'abcdefg'],
  ])('%s', (_, text, plain) => {
    expect(printable(text)).toBe(plain);
    expect(isPlain(text)).toBe(false);
  });

  test.each(['a\tb\r\nc', 'été', '[31m', 'かもめ　', '“q” – …', 'a\xa0b'])('%j remains', (text) => {
    expect(printable(text)).toBe(text);
  });
});

test('a text of Latin, Greek and Cyrillic letters needs no further look', () => {
  for (const text of ['', 'a ~\t\r\n', 'été\xa0', 'ΟΔΟΣ домен']) expect(isPlain(text)).toBe(true);
});

test('digits of every script become ASCII digits', () => {
  for (const zero of '٠۰०০੦૦୦௦౦೦൦๐໐០０') {
    const digits = Array.from({ length: 10 }, (_, at) => String.fromCharCode(zero.charCodeAt(0) + at)).join(
      '',
    );
    expect(withAsciiDigits(`a${digits}z`)).toBe('a0123456789z');
    expect(isPlain(digits)).toBe(false);
  }
  for (const text of ['a 12', '日本', 'ก๏๚', '：／']) expect(withAsciiDigits(text)).toBe(text);
});
