import { describe, expect, it } from 'vitest';
import { movementsOf } from './movement.ts';

const entry = (ncode: string, rank: number) => ({ ncode, rank, pt: 10 });

describe('movement against the board before', () => {
  it('is the places gained, the places lost, none, or a first appearance', () => {
    const before = [entry('A', 1), entry('B', 2), entry('C', 3), entry('D', 4)];
    const board = [entry('B', 1), entry('A', 2), entry('C', 3), entry('E', 4)];
    expect([...movementsOf(board, before)]).toEqual([
      ['B', { by: 1 }],
      ['A', { by: -1 }],
      ['C', { by: 0 }],
      ['E', 'entered'],
    ]);
  });
  it('of everything on a first board is an entry', () => {
    expect([...movementsOf([entry('A', 1)], []).values()]).toEqual(['entered']);
  });
});
