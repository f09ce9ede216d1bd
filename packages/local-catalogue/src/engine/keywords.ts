import fs from 'node:fs';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { bisect, foldText, splitWords } from '@mokuroku/narou/scan';
import type { Suggestions } from '@mokuroku/narou/queries';

interface KeywordTotal {
  novels: number;
  /** Weekly points of all its novels together. */
  points: number;
  /** When the newest of them was fetched, in Unix seconds; Infinity if one has no age. */
  newest: number;
}

/** Totals of the novels of each keyword. */
export type KeywordTotals = Map<string, KeywordTotal>;

/** Adds the keywords of a novel to the totals (`sign` 1), or subtracts them (-1). */
export function countKeywords(totals: KeywordTotals, novel: CatalogueNovel, sign: 1 | -1): void {
  for (const keyword of new Set(splitWords(novel.keyword ?? ''))) {
    const total = totals.get(keyword) ?? { novels: 0, points: 0, newest: 0 };
    if (sign === 1) total.newest = Math.max(total.newest, novel.fetched_at || Infinity);
    total.novels += sign;
    total.points += sign * (novel.weekly_point ?? 0);
    if (total.novels > 0) totals.set(keyword, total);
    else totals.delete(keyword);
  }
}

// The file: one line per keyword, best first: keyword, novels, points and newest, separated by tabs (keywords contain
// no blanks). In UTF-16, which preserves lone surrogates.

export function writeKeywords(file: string, totals: KeywordTotals): void {
  const sorted = [...totals].sort(([a, one], [b, other]) => other.points - one.points || (a < b ? -1 : 1));
  const lines = sorted.map(
    ([keyword, { novels, points, newest }]) => `${keyword}\t${novels}\t${points}\t${newest}\n`,
  );
  fs.writeFileSync(file, lines.join(''), { encoding: 'utf16le', flag: 'wx', flush: true });
}

/** The fields of each line. */
const readRows = (file: string): string[][] => {
  const lines = fs.readFileSync(file, 'utf16le').split('\n').slice(0, -1);
  return lines.map((line) => line.split('\t'));
};

export function readKeywordTotals(file: string): KeywordTotals {
  return new Map(
    readRows(file).map(([keyword = '', novels, points, newest]) => [
      keyword,
      { novels: Number(novels), points: Number(points), newest: Number(newest) },
    ]),
  );
}

/** Lines as one text, each between line ends, so that one text search covers them. */
interface Lines {
  readonly text: string;
  /** Where the line end before each is. */
  readonly begins: Uint32Array;
}

/** All keywords, best first, as they are and folded. */
export interface Keywords {
  readonly lines: Lines;
  readonly folded: Lines;
  readonly novels: Uint32Array;
  readonly newest: Float64Array;
}

function toLines(text: string, count: number): Lines {
  const begins = new Uint32Array(count);
  for (let line = 1; line < count; line++) begins[line] = text.indexOf('\n', (begins[line - 1] ?? 0) + 1);
  return { text, begins };
}

export function loadKeywords(file: string): Keywords {
  const rows = readRows(file);
  const text = `\n${rows.map(([keyword = '']) => keyword).join('\n')}\n`;
  return {
    lines: toLines(text, rows.length),
    folded: toLines(foldText(text), rows.length),
    novels: Uint32Array.from(rows, (row) => Number(row[1])),
    newest: Float64Array.from(rows, (row) => Number(row[3])),
  };
}

/** The best keywords that contain all folded words, without those not fetched since a time (Unix seconds). */
export function findKeywords(
  { lines, folded: { text, begins }, novels, newest }: Keywords,
  words: readonly string[],
  lim: number,
  fetchedFrom: number,
): Suggestions['keywords'] {
  const suggestions: { keyword: string; novels: number }[] = [];
  const [first = '\n'] = words;
  for (let at = text.indexOf(first); at >= 0 && suggestions.length < lim; at = text.indexOf(first, at)) {
    const begin = text.lastIndexOf('\n', at);
    at = text.indexOf('\n', at);
    const line = text.slice(begin + 1, at);
    if (!words.every((word) => line.includes(word))) continue;
    const index = bisect(begins.length, (at) => (begins[at] as number) < begin);
    if ((newest[index] as number) < fetchedFrom) continue;
    const keyword = lines.text.slice(
      (lines.begins[index] as number) + 1,
      lines.begins[index + 1] ?? lines.text.length - 1,
    );
    suggestions.push({ keyword, novels: novels[index] as number });
  }
  return suggestions;
}
