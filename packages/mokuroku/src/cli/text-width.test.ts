import { describe, expect, it } from 'vitest';
import { displayWidth, pad, terminalText, renderPairs, truncate, wrap } from './text-width.ts';

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['猫背の錬金術師', 14],
    ['ﾈｺ', 2],
    ['が', 2],
    ['か\u3099', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['👨‍👩‍👧', 2],
    ['🇯🇵', 2],
    ['❤️', 2],
    ['𠮷野家', 6],
    ['\u200b', 0],
    ['　', 2],
    ['', 0],
  ])('%s takes %i columns', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

describe('a text that is too wide', () => {
  it('is truncated between characters, marked, and never wider than requested', () => {
    expect(truncate('猫背の錬金術師', 9)).toBe('猫背の錬…');
    expect(truncate('猫背の錬金術師', 8)).toBe('猫背の…');
    expect(truncate('猫背', 4)).toBe('猫背');
    expect(truncate('👨‍👩‍👧家族', 3)).toBe('👨‍👩‍👧…');
  });

  it('wraps at blanks, and anywhere between full-width characters', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('雨の街の星図師', 6)).toEqual(['雨の街', 'の星図', '師']);
    expect(wrap('four four', 4)).toEqual(['four', 'four']);
    expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b']);
  });
});

describe('pairs', () => {
  const pairs = [
    ['Title', '　雨の街の星図師'],
    ['Reading time', 'four hours and more'],
  ] as const;

  it('have labels on the left and wrapped texts on the right', () => {
    expect(renderPairs(pairs, { columns: 36 })).toBe(
      'Title         　雨の街の星図師\nReading time  four hours and more\n',
    );
    expect(renderPairs(pairs, { columns: 40, indent: 2, maxLabelWidth: 5 })).toBe(
      '  Title  　雨の街の星図師\n  Reading time\n         four hours and more\n',
    );
  });
  it('have their texts below the labels if the terminal is too narrow', () => {
    expect(renderPairs(pairs, { columns: 20 })).toBe(
      'Title\n  　雨の街の星図師\nReading time\n  four hours and\n  more\n',
    );
  });
});

it('pads by columns, not by characters', () => {
  expect([pad('猫', 4), pad('猫', 4, 'right'), pad('長すぎる', 2)]).toEqual(['猫  ', '  猫', '長すぎる']);
});

it('removes control characters and direction overrides', () => {
  expect(terminalText('a\u001b[31mred\u009b2K\r\nb\u202ec')).toBe('a [31mred 2K  b c');
});
