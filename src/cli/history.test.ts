import { describe, expect, it } from 'vitest';
import { fromRtype } from '../catalogue/novels/ranking-date.ts';
import { datedEntries, lastRanks, sparkline } from './history.ts';

const entry = (rtype: string, rank: number) => ({ rtype, rank, pt: 100 - rank, ...fromRtype(rtype) });

describe('a ranking history', () => {
  const history = [
    entry('20260110-d', 9),
    entry('20260108-d', 1),
    entry('20260107-d', 5),
    entry('20260106-w', 3),
    entry('nonsense', 1),
  ];

  it('is sorted by period and day, weeks under their Monday', () => {
    expect(datedEntries(history).map(({ type, date }) => `${type} ${date}`)).toEqual([
      'daily 2026-01-07',
      'daily 2026-01-08',
      'daily 2026-01-10',
      'weekly 2026-01-05',
    ]);
  });

  it('has a gap where the novel was in no ranking', () => {
    const daily = datedEntries(history).slice(0, 3);
    expect(lastRanks(daily, 10)).toEqual([5, 1, null, 9]);
    expect(lastRanks(daily, 2)).toEqual([null, 9]);
  });

  it('draws better ranks higher and gaps blank', () => {
    expect(sparkline([5, 1, null, 9])).toBe('▅█ ▁');
    expect(sparkline([4, 4])).toBe('▄▄');
    expect(sparkline([])).toBe('');
  });
});
