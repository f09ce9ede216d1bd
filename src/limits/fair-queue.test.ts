import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function shiftAll(waiting: FairQueue<string>): string[] {
  const items = [];
  for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) items.push(item);
  return items;
}

function filled(): FairQueue<string> {
  const waiting = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) waiting.add(item.charAt(0), item);
  return waiting;
}

describe('a fair queue', () => {
  it('serves networks in rotation, and the items of one in the order of their arrival', () => {
    const waiting = filled();
    expect([waiting.size, waiting.sizeOf('a'), waiting.sizeOf('z')]).toEqual([6, 3, 0]);
    expect(shiftAll(waiting)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect([waiting.size, waiting.sizeOf('a')]).toEqual([0, 0]);
  });

  it('serves the clients of a network in rotation, too', () => {
    const waiting = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) waiting.add('network', item, item.charAt(0));
    waiting.add('other', 'z1');
    expect(waiting.sizeOf('network')).toBe(6);
    expect(shiftAll(waiting)).toEqual(['a1', 'z1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('passes over items that are not ready, which keep their place', () => {
    const waiting = filled();
    expect(waiting.shift((item) => item.startsWith('c'))).toBe('c1');
    expect(waiting.shift((item) => item === 'a2')).toBe('a2');
    expect(waiting.shift(() => false)).toBeUndefined();
    expect(shiftAll(waiting)).toEqual(['b1', 'c2', 'a1', 'a3']);
  });

  it('does not serve what was deleted', () => {
    const waiting = filled();
    waiting.delete('a', 'a2');
    waiting.delete('a', 'a2');
    waiting.delete('b', 'b1');
    waiting.delete('z', 'z1');
    expect(waiting.size).toBe(4);
    expect(shiftAll(waiting)).toEqual(['a1', 'c1', 'a3', 'c2']);
  });

  it.each(['a', 'b', 'c', 'd'])('counts the items before a new item of network %s', (network) => {
    const waiting = filled();
    const ahead = waiting.aheadOf(network);
    waiting.add(network, 'new');
    // Some networks with a turn in the same round precede this one, others follow.
    const index = shiftAll(waiting).indexOf('new');
    expect(index).toBeLessThanOrEqual(ahead);
    expect(ahead - index).toBeLessThan(3);
  });
});
