/** Edit distance (insertions, deletions, replacements, swaps of neighbours) of two short words. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

const MAX_WORD = 40;

/** The closest known word, or undefined if none is close: one edit per three letters. */
export function nearestWord(given: string, knownWords: readonly string[]): string | undefined {
  const word = given.toLowerCase().slice(0, MAX_WORD);
  let best: { word: string; distance: number } | undefined;
  for (const candidate of knownWords) {
    const lower = candidate.toLowerCase();
    const isStart = word.length > 1 && (lower.startsWith(word) || word.startsWith(lower));
    const distance = isStart ? 1 : editDistance(word, lower);
    if (!best || distance < best.distance) best = { word: candidate, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.word : undefined;
}
