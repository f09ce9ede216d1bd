import fs from 'node:fs';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { splitWords } from '../novel-conditions.ts';
import type { Suggestions } from '../novel-index.ts';

/** For each keyword how many novels bear it, and their weekly points together. */
export type KeywordTotals = Map<string, { novels: number; points: number }>;

/** Adds the keywords of a novel to the totals (`sign` 1), or takes them away (-1). */
export function countKeywords(totals: KeywordTotals, novel: CatalogueNovel, sign: 1 | -1): void {
  for (const keyword of new Set(splitWords(novel.keyword))) {
    const total = totals.get(keyword) ?? { novels: 0, points: 0 };
    total.novels += sign;
    total.points += sign * novel.weekly_point;
    if (total.novels > 0) totals.set(keyword, total);
    else totals.delete(keyword);
  }
}

// The file: a line each, best first, of keyword, novels and points between tabs (no keyword holds a blank). In UTF-16,
// which keeps half surrogate pairs as they are.

export function writeKeywords(file: string, totals: KeywordTotals): void {
  const sorted = [...totals].sort(([a, one], [b, other]) => other.points - one.points || (a < b ? -1 : 1));
  const lines = sorted.map(([keyword, { novels, points }]) => `${keyword}\t${novels}\t${points}\n`);
  fs.writeFileSync(file, lines.join(''), { encoding: 'utf16le', flag: 'wx' });
}

const readLines = (file: string): string[] => fs.readFileSync(file, 'utf16le').split('\n').slice(0, -1);

export function readKeywordTotals(file: string): KeywordTotals {
  const rows = readLines(file).map((line) => line.split('\t'));
  return new Map(
    rows.map(([keyword = '', novels, points]) => [
      keyword,
      { novels: Number(novels), points: Number(points) },
    ]),
  );
}

export type KeywordSearch = (words: readonly string[], lim: number) => Suggestions['keywords'];

/** All keywords as one text, best first, so that one search of the text goes through them. */
export function openKeywords(file: string): KeywordSearch {
  const lines = readLines(file);
  const text = `\n${lines.map((line) => line.slice(0, line.indexOf('\t'))).join('\n')}\n`;
  const novels = Uint32Array.from(lines, (line) => Number(line.split('\t')[1]));
  const begins = new Uint32Array(lines.length);
  for (let line = 1; line < begins.length; line++)
    begins[line] = text.indexOf('\n', (begins[line - 1] ?? 0) + 1);
  return (words, lim) => {
    const found: { keyword: string; novels: number }[] = [];
    const [first = '\n'] = words;
    for (let at = text.indexOf(first); at >= 0 && found.length < lim; at = text.indexOf(first, at)) {
      const begin = text.lastIndexOf('\n', at);
      at = text.indexOf('\n', at);
      const keyword = text.slice(begin + 1, at);
      if (!words.every((word) => keyword.includes(word))) continue;
      found.push({ keyword, novels: novels[placeOf(begins, begin)] ?? 0 });
    }
    return found;
  };
}

/** Where a value stands in an ascending list that holds it. */
function placeOf(list: Uint32Array, value: number): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
