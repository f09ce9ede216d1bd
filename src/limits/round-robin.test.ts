import { describe, expect, it } from 'vitest';
import { RoundRobin } from './round-robin.ts';

function shiftAll(waiting: RoundRobin<string>): string[] {
  const items = [];
  for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) items.push(item);
  return items;
}

function filled(): RoundRobin<string> {
  const waiting = new RoundRobin<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) waiting.add(item.charAt(0), item);
  return waiting;
}

describe('a round robin', () => {
  it('serves groups in rotation, and the items of a group in the order of their arrival', () => {
    const waiting = filled();
    expect([waiting.size, waiting.sizeOf('a'), waiting.sizeOf('z')]).toEqual([6, 3, 0]);
    expect(shiftAll(waiting)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect([waiting.size, waiting.sizeOf('a')]).toEqual([0, 0]);
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

  it.each(['a', 'b', 'c', 'd'])('counts the items before a new item of group %s', (group) => {
    const waiting = filled();
    const ahead = waiting.aheadOf(group);
    waiting.add(group, 'new');
    // Some groups with a turn in the same round precede this one, others follow.
    const index = shiftAll(waiting).indexOf('new');
    expect(index).toBeLessThanOrEqual(ahead);
    expect(ahead - index).toBeLessThan(3);
  });
});
