import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNcodes, ncodeFromNumber, ncodeToNumber, findNcode, parseNcode } from './ncode.ts';

test('an Ncode is read in any case and returned in upper case', () => {
  expect(parseNcode('n8856gp')).toBe('N8856GP');
  expect(parseNcode('N0001A')).toBe('N0001A');
});

test.each([
  '',
  'N885GP',
  'N88566GP',
  'N8856',
  'N8856GPX',
  ' N8856GP',
  'N8856GP\n',
  'X8856GP',
  'Ｎ8856GP',
  'N8856G1',
])('%j is not an Ncode', (text) => {
  expect(parseNcode(text)).toBeNull();
});

test.each([
  'n8403vf',
  ' N8403VF\n',
  'ｎ８４０３ｖｆ',
  'https://ncode.syosetu.com/n8403vf/',
  'https://ncode.syosetu.com/n8403vf/1/',
  'novel18.syosetu.com/n8403vf?p=2',
  '　https://ncode.syosetu.com/n8403vf#top',
])('the Ncode of %j is found', (text) => {
  expect(findNcode(text)).toBe('N8403VF');
});

test.each(['', '猫', 'n8403vf 猫', 'n8403vfx', 'https://mypage.syosetu.com/100003/'])(
  '%j has no Ncode',
  (text) => {
    expect(findNcode(text)).toBeNull();
  },
);

test('letters count before digits, one letter before two', () => {
  const inOrder = ['N0001A', 'N9999A', 'N0000B', 'N9999Z', 'N0000AA', 'N9999AZ', 'N0000BA', 'N9999ZZ'];
  expect(inOrder.toReversed().sort(compareNcodes)).toEqual(inOrder);
  expect(ncodeToNumber('N9999ZZ')).toBe(7_019_999);
});

test('place and Ncode are inverse to each other over the whole range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 7_019_999 }), (index) => {
      const ncode = ncodeFromNumber(index);
      expect(parseNcode(ncode)).toBe(ncode);
      expect(ncodeToNumber(ncode.toLowerCase())).toBe(index);
    }),
  );
});
