import { expect, it } from 'vitest';
import { BoundedUse } from './bounded-use.ts';

const bound = { all: 100, network: 50, client: 10 };
const client = (index: number) => ({ key: `192.0.2.${index}`, network: '192.0.2.0' });

it('a share is free again, and forgotten, when its last use ends', () => {
  const use = new BoundedUse(bound);
  const releases = [5, 5].map((amount) => use.add(client(1), amount));
  expect([use.findFull(client(1), 1), use.findFull(client(2), 1), use.owners]).toEqual([
    'client',
    undefined,
    2,
  ]);
  releases[0]?.();
  releases[0]?.();
  expect([use.findFull(client(1), 5), use.used, use.owners]).toEqual([undefined, 5, 2]);
  releases[1]?.();
  expect([use.findFull(client(1), 10), use.used, use.things, use.owners]).toEqual([undefined, 0, 0, 0]);
});

it('a thing with several users counts once for each share, until its last user ends', () => {
  const use = new BoundedUse(bound);
  const thing = {};
  const releases = [1, 1, 2].map((index) => use.add(client(index), 5, thing));
  expect([use.used, use.owners]).toEqual([5, 3]);
  releases[0]?.();
  expect([use.used, use.owners]).toEqual([5, 3]);
  releases[1]?.();
  expect([use.used, use.owners]).toEqual([5, 2]);
  releases[2]?.();
  expect([use.used, use.owners]).toEqual([0, 0]);
});
