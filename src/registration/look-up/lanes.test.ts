import { expect, it } from 'vitest';
import { mapInLanes } from './lanes.ts';

it.each([
  ['four of one lane', 8, 1, 4],
  ['32 of all lanes', 80, 20, 32],
])('at most %s run at once', async (_, count, lanes, most) => {
  const releases: (() => void)[] = [];
  const results = mapInLanes(
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
