import { expect, it } from 'vitest';
import { RankedNovels } from './ranked-novels.ts';

const NOW = 1_800_000_000_000;
const policy = { freshSeconds: 60, staleWhileRevalidateSeconds: 0, keepSeconds: 600, absentSeconds: 10 };
const title = (ncode: string) => new Map([[ncode, { title: `The novel ${ncode}` }]]);

it('novels serve while the oldest of them is fresh, and not one that a clock dated into the future', () => {
  const ranked = new RankedNovels();
  ranked.note(['N0001AA'], ['t'], title('N0001AA'), NOW);
  ranked.note(['N0002AA'], ['t'], title('N0002AA'), NOW + 30_000);
  const find = (ncodes: string[], now: number) => ranked.find(ncodes, ['t'], policy, now);
  const both = ['N0001AA', 'N0002AA'];
  expect(find(both, NOW + 59_999)?.novels.size).toBe(2);
  expect(find(both, NOW + 60_000)).toBeUndefined();
  expect(find(['N0002AA'], NOW + 89_999)?.part.storedAt).toBe(NOW + 30_000);
  expect(find(['N0001AA'], NOW - 3_600_000)).toBeUndefined();
  expect(find([], NOW)?.novels.size).toBe(0);
});
