import { expect, it } from 'vitest';
import {
  ADULT_SEARCH_PARAMETERS,
  NOVEL_SEARCH_PARAMETERS,
  TEXT_TARGETS,
  toNovelQuery,
} from '@mokuroku/narou/queries';
import { ncodeToNumber } from '@mokuroku/narou';
import { UNKNOWN_KEY } from '@mokuroku/narou/scan';
import { PLANNED_CONDITIONS, planOf } from './plan.ts';

const NOW = Date.UTC(2026, 10, 22);
const DAY_SECONDS = 86_400;

it('picked-up novels have an episode of the last 60 days, to the second', () => {
  const [lastup] = planOf({ ispickup: 1 }, NOW).ranges;
  expect(lastup).toMatchObject({ column: 'general_lastup', min: NOW / 1000 - 60 * DAY_SECONDS });
});

it('an unknown value is outside every range, also one without an upper end', () => {
  const [length] = planOf({ length: { min: 5 } }, NOW).ranges;
  expect(length).toEqual({ column: 'length', min: 5, max: UNKNOWN_KEY - 1 });
});

it('no author id selects the novels whose author is unknown', () => {
  expect(planOf({ userid: [5, UNKNOWN_KEY] }, NOW).keys).toEqual([{ column: 'userid', values: [5] }]);
});

it('a malformed Ncode, as a ranking may have, selects no novel', () => {
  const { keys } = planOf({ ncode: ['N0001A', 'X0002A', 'n3a'] }, NOW);
  expect(keys).toEqual([{ column: 'ncode', values: [ncodeToNumber('N0001A')] }]);
});

/** Conditions that change others, or the records, and filter nothing alone. */
const MODIFIERS: readonly string[] = [...TEXT_TARGETS, 'opt'];

it.each([...PLANNED_CONDITIONS].filter((name) => !MODIFIERS.includes(name)))(
  'the condition %s filters',
  (name) => {
    const { schema, example } = { ...NOVEL_SEARCH_PARAMETERS, ...ADULT_SEARCH_PARAMETERS }[name];
    const query = toNovelQuery('novelapi', { [name]: schema.parse(String(example)) });
    const { words, wordFilters, keys, values, ranges } = planOf(query, NOW);
    expect([words, wordFilters, keys, values, ranges].flat()).not.toEqual([]);
  },
);
