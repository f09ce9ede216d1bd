import type { RawRankingEntry } from './novel-record.ts';

/** How a novel stands against the board before: places gained (negative: lost), or not there before. */
export type Movement = { by: number } | 'entered';

/** Movements by ncode of everything on `board`. */
export function movementsOf(
  board: readonly RawRankingEntry[],
  before: readonly RawRankingEntry[],
): ReadonlyMap<string, Movement> {
  const earlier = new Map(before.map(({ ncode, rank }) => [ncode, rank]));
  return new Map(
    board.map(({ ncode, rank }): [string, Movement] => {
      const was = earlier.get(ncode);
      return [ncode, was === undefined ? 'entered' : { by: was - rank }];
    }),
  );
}
