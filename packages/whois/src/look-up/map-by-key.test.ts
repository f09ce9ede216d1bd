import { expect, it } from 'vitest';
import { mapByKey } from './map-by-key.ts';

it.each([
  ['four of one lane', 8, 1, 4],
  ['32 of all lanes', 80, 20, 32],
])('at most %s run at once', async (_, count, lanes, most) => {
  const releases: (() => void)[] = [];
  const results = mapByKey(
    [...Array(count).keys()],
    (input) => `lane ${input % lanes}`,
    async (input) => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return input;
    },
  );
  const first = results.next();
  expect(releases).toHaveLength(most);
  releases[0]?.();
  expect(await first).toMatchObject({ done: false });
  const second = results.next();
  releases[1]?.();
  expect(await second).toMatchObject({ done: false });
  expect(releases).toHaveLength(most + 1);
  await results.return();
});

it('yields each result once as it arrives, and ends after the last', async () => {
  for (const count of [0, 1, 5, 70]) {
    const inputs = [...Array(count).keys()];
    const yielded: number[] = [];
    // Later inputs of a lane are ready first.
    const results = mapByKey(
      inputs,
      (input) => `lane ${input % 3}`,
      async (input) => {
        for (let turns = (input * 7) % 5; turns > 0; turns--) await Promise.resolve();
        return input;
      },
    );
    for await (const output of results) yielded.push(output);
    expect(yielded.toSorted((a, b) => a - b)).toEqual(inputs);
  }
});

it('a lane whose calls hang does not delay the other lanes', async () => {
  const results = mapByKey(
    [...Array(20).keys()],
    (input) => (input < 10 ? 'silent' : 'fast'),
    (input) => (input < 10 ? new Promise<number>(() => undefined) : Promise.resolve(input)),
  );
  const yielded: unknown[] = [];
  for (let count = 0; count < 10; count++) yielded.push((await results.next()).value);
  expect(yielded.toSorted()).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
});
