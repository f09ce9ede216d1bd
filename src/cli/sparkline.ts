const LEVELS = '▁▂▃▄▅▆▇█';
const FLAT = '▄';

/**
 * Ranks as a line of blocks: the better the rank, the higher. The best of the line is full, its worst the lowest
 * block; null is a gap and stays blank.
 */
export function sparkline(ranks: readonly (number | null)[]): string {
  const known = ranks.filter((rank) => rank !== null);
  const best = Math.min(...known);
  const worst = Math.max(...known);
  return ranks
    .map((rank) => {
      if (rank === null) return ' ';
      if (best === worst) return FLAT;
      const height = (worst - rank) / (worst - best);
      return LEVELS.charAt(Math.round(height * (LEVELS.length - 1)));
    })
    .join('');
}
