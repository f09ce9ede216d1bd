import { expect, it } from 'vitest';
import { UNKNOWN_KEY } from './columns.ts';
import { planOf } from './plan.ts';

const NOW = Date.UTC(2026, 10, 22);
const DAY_SECONDS = 86_400;

it('picked-up novels have an episode of the last 60 days, to the second', () => {
  const [lastup] = planOf({ ispickup: 1 }, NOW).ranges;
  expect(lastup).toMatchObject({ column: 'lastup', min: NOW / 1000 - 60 * DAY_SECONDS });
});

it('an unknown value is outside every range, also one without an upper end', () => {
  const [length] = planOf({ length: { min: 5 } }, NOW).ranges;
  expect(length).toEqual({ column: 'length', min: 5, max: UNKNOWN_KEY - 1 });
});
