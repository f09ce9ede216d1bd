import { expect, it } from 'vitest';
import { readWholeNumber } from './command.ts';

it('a whole number has digits only and lies within its bounds, which are named otherwise', () => {
  expect(['1', '2'].map((given) => readWholeNumber('--keep', given, 1, 2))).toEqual([1, 2]);
  for (const given of ['0', '3', '', 'one', '1.0', '-1', '1e0']) {
    expect(() => readWholeNumber('--keep', given, 1, 2)).toThrow(
      `--keep ${given}: use a whole number from 1 to 2.`,
    );
  }
});
