import { expect, it } from 'vitest';
import { editDistance, nearestWord } from './nearest.ts';

it('counts edits, a swap of neighbours as one', () => {
  expect([editDistance('hyoka', 'hyoka'), editDistance('hyoak', 'hyoka'), editDistance('', 'abc')]).toEqual([
    0, 1, 3,
  ]);
});

it('finds the intended word, and nothing if no word is close', () => {
  const known = ['novels', 'novel', 'ranking', 'whois'];
  expect(nearestWord('novl', known)).toBe('novel');
  expect(nearestWord('rank', known)).toBe('ranking');
  expect(nearestWord('WHIOS', known)).toBe('whois');
  expect(nearestWord('xyzzy', known)).toBeUndefined();
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
