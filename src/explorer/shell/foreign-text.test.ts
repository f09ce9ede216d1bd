import { expect, it } from 'vitest';
import { cut } from './foreign-text.tsx';

it('a text is cut between characters: half an emoji would be shown as a fault of ours', () => {
  expect(cut('a🐈b', 1)).toBe('a');
  expect(cut('a🐈b', 2)).toBe('a');
  expect(cut('a🐈b', 3)).toBe('a🐈');
  expect(cut('abc', 5)).toBe('abc');
});
