import { ncodeFromNumber } from '@mokuroku/narou';
import { suggestedWriter, foldText, hasEveryWord } from '@mokuroku/narou/scan';
import type { Suggestions } from '@mokuroku/narou/queries';
import { unknownIn } from './columns.ts';
import type { ColumnName } from './columns.ts';
import { findKeywords } from './keywords.ts';
import type { Keywords } from './keywords.ts';
import { NAMES, TEXTS } from './layout.ts';
import { findMatches, rowsInOrder } from './page.ts';
import type { IndexRow } from './page.ts';
import { planOf } from './plan.ts';
import type { Segment } from './segment.ts';

interface Suggested {
  readonly segments: readonly Segment[];
  readonly keywords: Keywords;
  readonly fetchedFrom: number;
}

/** Rows of the first attempt; so many equal titles are rare. */
const SUGGESTED_ROWS = 32;

/**
 * Suggestions for some folded words, from records fetched since a time (Unix seconds). `named`: the novel of a typed
 * Ncode, which is the first.
 */
export function suggestFrom(
  { segments, keywords, fetchedFrom }: Suggested,
  words: readonly string[],
  lim: number,
  named: readonly IndexRow[],
): Suggestions {
  if (words.length === 0) return { titles: [], writers: [], keywords: [] };
  const numberOf = (column: ColumnName, { segment, id }: IndexRow): number =>
    segment.columns[column][id] as number;
  const titleOf = (row: IndexRow) => row.segment.records.nameOf(row.id, 'title');
  const titles = new Map(named.map((row) => [titleOf(row), row]));
  for (const [title, row] of distinctTexts(segments, words, 'title', lim))
    if (!titles.has(title)) titles.set(title, row);
  return {
    titles: [...titles].slice(0, lim).map(([title, row]) => ({
      title,
      ncode: ncodeFromNumber(numberOf('ncode', row)),
    })),
    writers: distinctTexts(segments, words, 'writer', lim).map(([writer, row]) => {
      const userid = numberOf('userid', row);
      return suggestedWriter(writer, userid === unknownIn('userid') ? undefined : userid);
    }),
    keywords: findKeywords(keywords, words, lim, fetchedFrom),
  };
}

/**
 * The distinct titles or pen names that contain all words when folded, each with its best novel by weekly points. A word
 * in either form of a name is a candidate; only what was read decides.
 */
function distinctTexts(
  segments: readonly Segment[],
  words: readonly string[],
  text: (typeof NAMES)[number],
  lim: number,
): [string, IndexRow][] {
  const textMask = (1 << TEXTS.indexOf(text)) | (1 << (TEXTS.length + NAMES.indexOf(text)));
  const matches = findMatches(segments, { ...planOf({}, 0), words, textMask });
  const best = new Map<string, IndexRow>();
  let looked = 0;
  for (let rows = SUGGESTED_ROWS; looked < matches.total && best.size < lim; rows *= 2) {
    for (const row of rowsInOrder(matches, 'weeklypoint', looked, rows)) {
      if (best.size === lim) break;
      const value = row.segment.records.nameOf(row.id, text);
      if (!best.has(value) && hasEveryWord([foldText(value)], words)) best.set(value, row);
    }
    looked += rows;
  }
  return [...best];
}
