import { expect, it } from 'vitest';
import { cut } from './foreign-text.tsx';

it('a text is truncated between characters, never within an emoji', () => {
  expect(cut('a🐈b', 1)).toBe('a');
  expect(cut('a🐈b', 2)).toBe('a');
  expect(cut('a🐈b', 3)).toBe('a🐈');
  expect(cut('abc', 5)).toBe('abc');
});
