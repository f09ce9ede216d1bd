import { describe, expect, it } from 'vitest';
import { readField, readText } from './field-values.ts';

describe('HTML entities', () => {
  it.each([
    ['&amp;&lt;&gt;&quot;&#39;&#039;&apos;', `&<>"'''`],
    ['&#x3042;&#12356;&#x20BB7;', 'あい𠮷'],
    ['&amp;lt;', '&lt;'],
    ['&amp;amp;amp;', '&amp;amp;'],
    ['&AMP;', '&'],
  ])('%s is decoded exactly once', (escaped, text) => {
    expect(readText(escaped)).toBe(text);
  });

  it.each(['&', '&;', '&amp', '&hearts;', '&#0;', '&#xd800;', '&#x110000;', '&#;', 'AT&T', '& lt;'])(
    '%s is not an entity of the upstream and remains',
    (text) => {
      expect(readText(text)).toBe(text);
    },
  );
});

it.each([
  ['a lone surrogate', 'あ\ud83d!', 'あ!'],
  ['a whole character', '😀', '😀'],
  ['controls', 'a\u0000b\u001bc\u000bd', 'abcd'],
  ['controls that XML allows', 'a\u0085b', 'a\u0085b'],
  ['a control behind an entity', 'a&#1;b', 'ab'],
  ['tab and line ends', 'a\tb\r\nc', 'a\tb\r\nc'],
  ['a non-character', 'a\uffff', 'a'],
])('a text is readable by strict parsers: %s', (_, sent, text) => {
  expect(readText(sent)).toBe(text);
});

it('a date of zeros states no time', () => {
  const noted: string[] = [];
  const problems = { note: (kind: string, name: string) => noted.push(`${kind} ${name}`) } as never;
  expect(readField('0000-00-00 00:00:00', 'datetime', 'general_lastup', problems)).toBeUndefined();
  expect(readField('2026-11-27 00:00:00', 'datetime', 'general_lastup', problems)).toBe(
    '2026-11-27 00:00:00',
  );
  expect(noted).toEqual(['mistyped_field general_lastup']);
});

it('a number with a fraction is no whole number', () => {
  const noted: string[] = [];
  const problems = { note: (kind: string, name: string) => noted.push(`${kind} ${name}`) } as never;
  const values = [1_000.5, '1000', 1_000].map((value) => readField(value, 'integer', 'userid', problems));
  expect(values).toEqual([undefined, 1_000, 1_000]);
  expect(noted).toEqual(['mistyped_field userid', 'mistyped_field userid']);
});
