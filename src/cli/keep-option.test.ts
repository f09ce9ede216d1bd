import { expect, it } from 'vitest';
import { readKeep } from './keep-option.ts';

it('--keep is one generation or, by default, two', () => {
  expect([readKeep('1'), readKeep('2'), readKeep()]).toEqual([1, 2, 2]);
});
