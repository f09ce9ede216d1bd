import type { Language } from '@mokuroku/kit';
import {
  GENRE_LABELS,
  NOCGENRE_LABELS,
  japanInstant,
  japanMidnight,
  PUBLICATION_HOURS,
  publicationDay,
} from '@mokuroku/narou';
import type { OfCode, RankingType } from '@mokuroku/narou';
import type { FeedEntry } from './atom.ts';

/** The fields of a feed. The upstream returns `u` and `g` only for novels of all ages, `ng` only for adult novels. */
export const FEED_OF = ['t', 'n', 'w', 's', 'g', 'ng', 'k', 'gl', 'ga'] as const satisfies readonly OfCode[];

/** Who reads a feed, in which language. */
export interface FeedReader {
  origin: string;
  language: Language;
}

/** Where novels of a feed can be read: at the site, or, for invented novels, on this service's own page. */
export interface FeedReading extends FeedReader {
  isAdult: boolean;
  isSample: boolean;
}

type FeedNovel = Readonly<Record<string, unknown>>;

const textField = (value: unknown) => (typeof value === 'string' ? value : '');
const numberField = (value: unknown) => (typeof value === 'number' ? value : -1);

function readingAddress(code: string, { isAdult, isSample, origin }: FeedReading): string {
  const ncode = encodeURIComponent(code);
  if (isSample) return `${origin}/?ncode=${ncode}${isAdult ? '&r18=1' : ''}`;
  return `https://${isAdult ? 'novel18' : 'ncode'}.syosetu.com/${ncode.toLowerCase()}/`;
}

function categoriesOf(novel: FeedNovel): FeedEntry['categories'] {
  const genre = [
    { term: novel['genre'], label: GENRE_LABELS.get(numberField(novel['genre'])) },
    { term: novel['nocgenre'], label: NOCGENRE_LABELS.get(numberField(novel['nocgenre'])) },
  ].flatMap(({ term, label }) => (label === undefined ? [] : [{ term: String(term), label }]));
  const keywords = new Set(textField(novel['keyword']).split(/[\s\u3000]+/));
  keywords.delete('');
  return [...genre, ...[...keywords].map((word) => ({ term: word, label: word }))];
}

/** A novel in a feed. Its time is that of its latest episode, not of later edits. */
export function novelEntry(novel: FeedNovel, reading: FeedReading): FeedEntry {
  const ncode = textField(novel['ncode']);
  return {
    id: `novels/${encodeURIComponent(ncode)}`,
    title: textField(novel['title']).trim() || ncode,
    author: textField(novel['writer']).trim() || '?',
    // No `published`: many readers would sort by it, and list an old novel with a new episode last.
    updated: japanInstant(textField(novel['general_lastup'])) || 0,
    href: readingAddress(ncode, reading),
    summary: textField(novel['story']) || undefined,
    categories: categoriesOf(novel),
  };
}

/**
 * The latest episode of a novel as its own entry, so that readers that compare ids show each new one. The id contains
 * the time, because an author may withdraw an episode and publish another one under the same number.
 */
export function episodeEntry(novel: FeedNovel, reading: FeedReading): FeedEntry {
  const entry = novelEntry(novel, reading);
  const number = numberField(novel['general_all_no']);
  const time = textField(novel['general_lastup']).replace(/[^0-9]/g, '');
  return { ...entry, id: `${entry.id}/episodes/${number}/${time}`, title: `${entry.title} (${number})` };
}

/** The earliest publication of a ranking: milliseconds since 1970. */
const publishedAt = (type: RankingType, date: string) =>
  japanMidnight(publicationDay(type, date)) + PUBLICATION_HOURS.from * 3_600_000;

/**
 * An entry of a ranking. A novel has one entry per ranking type, so that readers announce only newcomers. Each rank is
 * a second older than the one above it: readers that sort by time then show the ranking in order.
 */
export function rankedEntry(
  novel: FeedNovel,
  type: RankingType,
  date: string,
  reading: FeedReading,
): FeedEntry {
  const rank = numberField(novel['rank']);
  const entry = novelEntry(novel, reading);
  return {
    ...entry,
    id: `rankings/${type}/${encodeURIComponent(textField(novel['ncode']))}`,
    title: `${rank}. ${entry.title}`,
    updated: publishedAt(type, date) - rank * 1_000,
  };
}
