import { expect, it } from 'vitest';
import type { Sleep } from '@mokuroku/kit/clock';
import { LookUpError } from './look-up-error.ts';
import { lookUpNames } from './look-up-names.ts';

const namesIn = (count: number, zones: number) =>
  Array.from({ length: count }, (_, index) => `${index}.zone${index % zones}`);

/** The outcomes of names, whose zone is what follows the dot. */
const outcomesOf = (
  names: Iterable<string> | AsyncIterable<string>,
  lookUp: (name: string) => Promise<unknown>,
  sleep: Sleep = () => Promise.resolve(),
) => lookUpNames(names, { lookUp, zoneOf: (name) => name.split('.')[1] ?? '', signal: undefined, sleep });

it.each([
  ['four of one zone', 8, 1, 4],
  ['32 of all zones', 80, 20, 32],
])('at most %s are looked up at once', async (_, count, zones, most) => {
  const releases: (() => void)[] = [];
  const outcomes = outcomesOf(
    namesIn(count, zones),
    () => new Promise<void>((resolve) => releases.push(resolve)),
  );
  const first = outcomes.next();
  expect(releases).toHaveLength(most);
  releases[0]?.();
  expect(await first).toMatchObject({ done: false });
  const second = outcomes.next();
  releases[1]?.();
  expect(await second).toMatchObject({ done: false });
  expect(releases).toHaveLength(most + 1);
  await outcomes.return();
});

it('each outcome is yielded once as it arrives, and the loop ends after the last', async () => {
  for (const count of [0, 1, 5, 70]) {
    const names = namesIn(count, 3);
    const yielded: string[] = [];
    // Later names of a zone are ready first.
    const outcomes = outcomesOf(names, async (name) => {
      for (let turns = (Number.parseInt(name) * 7) % 5; turns > 0; turns--) await Promise.resolve();
    });
    for await (const { name } of outcomes) yielded.push(name);
    expect(yielded.toSorted()).toEqual(names.toSorted());
  }
});

it('a registry that does not answer delays no other', async () => {
  const slow = Array.from({ length: 40 }, (_, index) => `${index}.slow`);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const outcomes = outcomesOf([...slow, 'a.quick', 'b.quick'], (name) =>
    name.endsWith('.slow') ? new Promise<void>((done) => ends.push(done)) : Promise.resolve(),
  );
  for await (const { name } of outcomes) {
    order.push(name);
    if (order.length >= 2) for (const end of ends.splice(0)) end();
  }
  expect(order.slice(0, 2)).toEqual(['a.quick', 'b.quick']);
  expect(order).toHaveLength(42);
});

it('our own limit is waited for, at least for a second, and that of a registry is an outcome', async () => {
  let requestCount = 0;
  const waits: number[] = [];
  let asleep = 0;
  const askedAsleep: number[] = [];
  const limited = (limitedBy: string, retryAfterSeconds: number) =>
    new LookUpError('registry_rate_limited', { details: { limitedBy }, retryAfterSeconds });
  const lookUp = (name: string) => {
    if (name === 'b.test') return Promise.reject(limited('registry', 7));
    askedAsleep.push(asleep);
    const stated = [7, 0][requestCount++];
    return stated === undefined ? Promise.resolve('found') : Promise.reject(limited('service', stated));
  };
  const outcomes = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    asleep++;
    await new Promise(setImmediate);
    asleep--;
  };
  for await (const { name, data, error } of outcomesOf(['a.test', 'b.test'], lookUp, sleep))
    outcomes.push([name, data ?? error?.code]);
  expect(waits).toEqual([7_000, 1_000]);
  expect(askedAsleep).toEqual([0, 0, 0]);
  expect(outcomes).toEqual([
    ['b.test', 'registry_rate_limited'],
    ['a.test', 'found'],
  ]);
});

it('denials that later names may prove wait for them, but no more than a thousand of an endless list', async () => {
  let read = 0;
  async function* names() {
    for (; read < 10_000; read++) yield await Promise.resolve(`${read}.zone`);
  }
  const outcomes = outcomesOf(names(), () =>
    Promise.reject(new LookUpError('not_registered', { details: { control: 'pending' } })),
  );
  expect((await outcomes.next()).value).toMatchObject({ error: { code: 'not_registered' } });
  expect(read).toBeGreaterThan(1_000);
  expect(read).toBeLessThan(3_000);
  await outcomes.return();
});
