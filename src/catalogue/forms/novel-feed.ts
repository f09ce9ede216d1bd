import { GENRE_LABELS, NOCGENRE_LABELS } from '../novels/genres.ts';
import { japanInstant, japanMidnight } from '../novels/japan-date.ts';
import type { OfCode } from '../novels/of-fields.ts';
import { PUBLICATION_HOURS, publicationDay } from '../novels/ranking-date.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import type { FeedEntry } from './atom.ts';

/** The fields that a feed shows. `u` and `g` are not known of adult novels, `ng` of those alone. */
export const FEED_OF = ['t', 'n', 'w', 's', 'g', 'ng', 'k', 'gl', 'ga'] as const satisfies readonly OfCode[];

/** Where novels of a feed can be read: at the site, or, where everything is invented, on this service's own page. */
export interface FeedReading {
  isAdult: boolean;
  isSample: boolean;
  origin: string;
}

type FeedNovel = Readonly<Record<string, unknown>>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown) => (typeof value === 'number' ? value : -1);

function readingAddress(code: string, { isAdult, isSample, origin }: FeedReading): string {
  const ncode = encodeURIComponent(code);
  if (isSample) return `${origin}/?ncode=${ncode}${isAdult ? '&r18=1' : ''}`;
  return `https://${isAdult ? 'novel18' : 'ncode'}.syosetu.com/${ncode.toLowerCase()}/`;
}

function categoriesOf(novel: FeedNovel): FeedEntry['categories'] {
  const genre = [
    { term: novel['genre'], label: GENRE_LABELS.get(numberOf(novel['genre'])) },
    { term: novel['nocgenre'], label: NOCGENRE_LABELS.get(numberOf(novel['nocgenre'])) },
  ].flatMap(({ term, label }) => (label === undefined ? [] : [{ term: String(term), label }]));
  const keywords = new Set(textOf(novel['keyword']).split(/[\s\u3000]+/));
  keywords.delete('');
  return [...genre, ...[...keywords].map((word) => ({ term: word, label: word }))];
}

/** A novel in a feed. It is as new as its latest episode, whatever has been changed in it since. */
export function novelEntry(novel: FeedNovel, reading: FeedReading): FeedEntry {
  const ncode = textOf(novel['ncode']);
  return {
    id: `novels/${encodeURIComponent(ncode)}`,
    title: textOf(novel['title']).trim() || ncode,
    author: textOf(novel['writer']).trim() || '?',
    // No `published`: many readers would sort by it, and put a novel of 2014 with an episode of today at the end.
    updated: japanInstant(textOf(novel['general_lastup'])) || 0,
    href: readingAddress(ncode, reading),
    summary: textOf(novel['story']) || undefined,
    categories: categoriesOf(novel),
  };
}

/**
 * A novel's latest episode in a feed: an entry of its own, so that readers that go by ids show each new one. Its time is
 * part of the id, because an author may take an episode back and publish another under the same number.
 */
export function episodeEntry(novel: FeedNovel, reading: FeedReading): FeedEntry {
  const entry = novelEntry(novel, reading);
  const number = numberOf(novel['general_all_no']);
  const time = textOf(novel['general_lastup']).replace(/[^0-9]/g, '');
  return { ...entry, id: `${entry.id}/episodes/${number}/${time}`, title: `${entry.title} (${number})` };
}

/** When a ranking of this date could first be there: milliseconds since 1970. */
const publishedAt = (type: RankingType, date: string) =>
  japanMidnight(publicationDay(type, date)) + PUBLICATION_HOURS.from * 3_600_000;

/**
 * An entry of a ranking. A novel has one entry for each period, so that a reader announces new entries, not all 300
 * anew. Each place is a second older than the one above it: readers that sort by time show the ranking in its order.
 */
export function rankedEntry(
  novel: FeedNovel,
  type: RankingType,
  date: string,
  reading: FeedReading,
): FeedEntry {
  const rank = numberOf(novel['rank']);
  const entry = novelEntry(novel, reading);
  return {
    ...entry,
    id: `rankings/${type}/${encodeURIComponent(textOf(novel['ncode']))}`,
    title: `${rank}. ${entry.title}`,
    updated: publishedAt(type, date) - rank * 1_000,
  };
}
