import type { Language } from '@mokuroku/kit';
import {
  FIELD_LABELS,
  japanInstant,
  japanMidnight,
  PUBLICATION_HOURS,
  publicationDay,
  SERVED_CODES,
} from '@mokuroku/narou';
import type { NovelInterface, OfCode, RankingType } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { canonicalQuery } from '@mokuroku/narou/queries';
import { splitWords } from '@mokuroku/narou/scan';
import type { Feed, FeedEntry, FeedReading } from './atom.ts';
import { titleOfQuestion } from './describe-conditions.ts';
import { RANKING_TITLES, SUBJECTS } from './question-page.ts';
import { rankingsOf } from '../endpoints/catalogue-answer.ts';
import type { AnswerToWrite } from '../endpoints/forms.ts';

/** The fields of a feed. The upstream returns `u` and `g` only for novels of all ages, `ng` only for adult novels. */
const FEED_OF = ['t', 'n', 'w', 's', 'g', 'ng', 'k', 'gl', 'ga'] as const satisfies readonly OfCode[];

export const feedCodes = (upstream: NovelInterface): OfCode[] =>
  SERVED_CODES[upstream].filter((code) => FEED_OF.some((each) => each === code));

type FeedNovel = Readonly<Record<string, unknown>>;

const textField = (value: unknown) => (typeof value === 'string' ? value : '');
const numberField = (value: unknown) => (typeof value === 'number' ? value : -1);

function readingAddress(code: string, { isAdult, isSample, origin }: FeedReading): string {
  const ncode = encodeURIComponent(code);
  if (isSample) return `${origin}/?ncode=${ncode}${isAdult ? '&r18=1' : ''}`;
  return `https://${isAdult ? 'novel18' : 'ncode'}.syosetu.com/${ncode.toLowerCase()}/`;
}

function categoriesOf(novel: FeedNovel): FeedEntry['categories'] {
  const genre = Object.entries(FIELD_LABELS).flatMap(([field, labels]) => {
    const label = labels.get(numberField(novel[field]));
    return label === undefined ? [] : [{ term: String(novel[field]), label }];
  });
  const keywords = new Set(splitWords(textField(novel['keyword'])));
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

/** The title of a novel or the name of an author, which are Japanese; or the conditions. */
function titleOfSearch(
  records: readonly FeedNovel[],
  query: NovelQuery,
  subject: string,
  language: Language,
): Pick<Feed, 'title' | 'language'> {
  const { lim: _lim, st: _st, of: _of, opt: _opt, ...conditions } = query;
  const [title, writer] = ['title', 'writer'].map((name) => {
    const values = new Set(records.map((record) => record[name]));
    return values.size === 1 ? [...values].find((value) => typeof value === 'string') : undefined;
  });
  if (query.ncode?.length === 1 && title !== undefined) return { title, language: 'ja' };
  const { userid, order, ...more } = conditions;
  const isOfAuthor = userid?.length === 1 && writer !== undefined;
  const said = titleOfQuestion(
    isOfAuthor ? writer : subject,
    new URLSearchParams(canonicalQuery(isOfAuthor ? more : { ...more, userid, order })),
    language,
  );
  return { title: said, language: said === writer ? 'ja' : language };
}

/** A search as a feed. */
export function searchFeed(
  { data, fetchedAt }: AnswerToWrite,
  query: NovelQuery,
  reading: FeedReading,
): Feed {
  const records = data as readonly FeedNovel[];
  const { language, isAdult, isOfEpisodes } = reading;
  const shown = { ...query, of: undefined, opt: undefined, facets: undefined };
  return {
    ...titleOfSearch(
      records,
      query,
      SUBJECTS[isOfEpisodes ? 'episodes' : isAdult ? 'adult' : 'novels'][language],
      language,
    ),
    id: `${isAdult ? 'r18/' : ''}novels?${canonicalQuery(shown)}${isOfEpisodes ? '&feed=episodes' : ''}`,
    updated: fetchedAt,
    entries: records
      .filter((record) => typeof record['ncode'] === 'string')
      .map((record) => (isOfEpisodes ? episodeEntry : novelEntry)(record, reading)),
  };
}

/** Rankings as a feed: the newest, with the same id for all dates; that of a requested date; or several from a date on. */
export function rankingFeed(
  { data, meta, fetchedAt }: AnswerToWrite,
  type: RankingType,
  requested: { date?: string; from?: string },
  reading: FeedReading,
): Feed {
  const { language } = reading;
  const isSpan = requested.from !== undefined;
  const rankings = rankingsOf(data, meta, isSpan);
  const dates = isSpan ? `${rankings[0]?.date ?? ''}/${rankings.at(-1)?.date ?? ''}` : requested.date;
  const named = dates === undefined ? [] : [dates];
  return {
    language,
    title: [RANKING_TITLES[type][language], ...named].join(' '),
    id: ['rankings', type, ...named].join('/'),
    updated: fetchedAt,
    entries: rankings.flatMap(({ date, entries }) =>
      entries.map((entry) => {
        const ranked = rankedEntry({ ...entry }, type, date, reading);
        return isSpan ? { ...ranked, id: `${ranked.id}/${date}` } : ranked;
      }),
    ),
  };
}
