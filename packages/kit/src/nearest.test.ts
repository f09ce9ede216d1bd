import { expect, it } from 'vitest';
import { editDistance, nearestWord } from './nearest.ts';

it('counts edits, a swap of neighbours as one', () => {
  expect([editDistance('hyoka', 'hyoka'), editDistance('hyoak', 'hyoka'), editDistance('', 'abc')]).toEqual([
    0, 1, 3,
  ]);
});

it('finds the intended word, and nothing if no word is close', () => {
  const commands = ['novels', 'novel', 'ranking', 'whois'];
  expect(nearestWord('novl', commands)).toBe('novel');
  expect(nearestWord('rank', commands)).toBe('ranking');
  expect(nearestWord('WHIOS', commands)).toBe('whois');
  expect(nearestWord('xyzzy', commands)).toBeUndefined();
});

it('accepts one edit per three letters, and no more', () => {
  expect([nearestWord('ranxixg', ['ranking']), nearestWord('rxnxixg', ['ranking'])]).toEqual([
    'ranking',
    undefined,
  ]);
  expect([nearestWord('ab', ['abc']), nearestWord('xb', ['ab']), nearestWord('xy', ['ab'])]).toEqual([
    'abc',
    'ab',
    undefined,
  ]);
});
