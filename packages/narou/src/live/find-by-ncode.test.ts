import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/random-questions.ts';
import { amongWitnesses, findByNcode } from './find-by-ncode.ts';

const named = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`);

it.each([
  [3, 4, 'W0 A0 W1 A1 W2 A2 W3'],
  [1, 4, 'W0 W1 W2 A0 W3'],
  [5, 2, 'W0 A0 A1 A2 A3 A4 W1'],
  [2, 1, 'A0 A1 W0'],
])('of %d novels with %d witnesses a cut list lacks a witness', (asked, witnesses, list) => {
  expect(amongWitnesses(named('A', asked), named('W', witnesses)).join(' ')).toBe(list);
});

describe('among novels that were listed a moment ago', () => {
  const LISTED = named('L', 300);
  const ASKED = named('A', 60);
  const GONE = ['A0', 'A30', 'A59'];
  const random = seededRandom(54);
  const chooseWitnesses = (count: number) =>
    LISTED.slice(0, count).map((_, at) => LISTED[Math.floor((at * 300) / count)] as string);

  /** The states of the requested novels at an upstream that returns this much of a list. */
  async function statesOf(returned: (list: readonly string[]) => readonly string[]) {
    const fetch = (list: readonly string[]) =>
      Promise.resolve(new Map(returned(list).map((ncode) => [ncode, { ncode }])));
    const found = await findByNcode(ASKED, fetch, { chooseWitnesses, batch: 50 });
    return new Map(ASKED.map((ncode, at) => [ncode, found[at]?.state]));
  }
  const without = (list: readonly string[]) => list.filter((ncode) => !GONE.includes(ncode));

  it.each<[string, (list: readonly string[]) => readonly string[]]>([
    ['reads all', without],
    ['reads 20 codes at most', (list) => without(list.slice(0, 20))],
    ['reads the last 20 codes only', (list) => without(list.slice(-20))],
    ['returns 20 rows at most', (list) => without(list).slice(0, 20)],
  ])('an upstream that %s denies what is gone, and nothing else', async (_, returned) => {
    const states = await statesOf(returned);
    for (const [ncode, state] of states) expect(state).toBe(GONE.includes(ncode) ? 'denied' : 'found');
  });

  it.each<[string, (list: readonly string[]) => readonly string[]]>([
    ['finds none', () => []],
    ['reads 10 codes at most', (list) => list.slice(0, 10)],
    ['loses one row in ten', (list) => list.filter(() => random() > 0.1)],
    ['loses the same witness', (list) => list.filter((ncode) => ncode !== 'L0' && ncode !== 'A5')],
  ])('an upstream that %s denies nothing', async (_, returned) => {
    expect([...(await statesOf(returned)).values()]).not.toContain('denied');
  });

  it('an upstream that reads 20 codes at most denies all if all are gone', async () => {
    const states = await statesOf((list) => list.slice(0, 20).filter((ncode) => !ASKED.includes(ncode)));
    expect(new Set(states.values())).toEqual(new Set(['denied']));
  });

  it('an upstream that proves nothing is not requested for ever', async () => {
    let requests = 0;
    await statesOf((list) => {
      requests++;
      return requests % 7 === 0 ? without(list) : [];
    });
    expect(requests).toBeLessThanOrEqual(2 * ASKED.length);
  });
});

it.each([[undefined], [() => []]])(
  'without a witness, a response without any novel denies none of several',
  async (chooseWitnesses) => {
    const found = await findByNcode(named('A', 9), () => Promise.resolve(new Map()), {
      ...(chooseWitnesses && { chooseWitnesses }),
    });
    expect(found.map(({ state }) => state)).toEqual(named('A', 9).map(() => 'unknown'));
  },
);
