import type { OfSelection } from '@mokuroku/narou/source';
import type { Feed } from '../forms/atom.ts';
import type { Table, Language } from '@mokuroku/kit';
import { titleOfQuestion } from '../forms/describe-conditions.ts';
import { RANKING_TITLES, SUBJECTS } from '../forms/question-page.ts';
import { FEED_OF, episodeEntry, novelEntry, rankedEntry } from '../forms/novel-feed.ts';
import type { FeedReading } from '../forms/novel-feed.ts';
import { ofCodesServedBy } from '@mokuroku/narou';
import type { NovelInterface, OfCode, DatedRanking, RankingType } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { canonicalQuery, recordFields } from '@mokuroku/narou/queries';
import type { AnswerToWrite } from './forms.ts';

type NovelRecords = readonly Readonly<Record<string, unknown>>[];

/** The columns of novels: the fields of `of`, or all known fields. */
export function novelTable(
  data: unknown,
  upstream: NovelInterface,
  of: OfSelection,
  { before = [], after = [] }: { before?: readonly string[]; after?: readonly string[] } = {},
): Table {
  const fields = recordFields(upstream, of);
  return { columns: [...new Set([...before, ...fields, ...after])], rows: data as NovelRecords };
}

export const feedCodes = (upstream: NovelInterface): OfCode[] =>
  ofCodesServedBy(upstream).filter((code) => FEED_OF.some((each) => each === code));

/** An entry of a feed of novels: a novel, or its latest episode. */
export const FEEDS = ['novels', 'episodes'] as const;
export type FeedName = (typeof FEEDS)[number];

/** The title of a novel or the name of an author, which are Japanese; or the conditions. */
function titleOfSearch(
  records: NovelRecords,
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
  { feed, ...reading }: FeedReading & { feed: FeedName },
): Feed {
  const records = data as NovelRecords;
  const { language } = reading;
  const shown = { ...query, of: undefined, opt: undefined, facets: undefined };
  return {
    ...titleOfSearch(
      records,
      query,
      SUBJECTS[feed === 'episodes' ? feed : reading.isAdult ? 'adult' : 'novels'][language],
      language,
    ),
    id: `${reading.isAdult ? 'r18/' : ''}novels?${canonicalQuery(shown)}${feed === 'episodes' ? '&feed=episodes' : ''}`,
    updated: fetchedAt,
    entries: records
      .filter((record) => typeof record['ncode'] === 'string')
      .map((record) => (feed === 'episodes' ? episodeEntry : novelEntry)(record, reading)),
  };
}

/** A ranking as a feed, with the same id for all dates unless a date was requested. */
export function rankingFeed(
  { data, meta, fetchedAt }: AnswerToWrite,
  type: RankingType,
  requestedDate: string | undefined,
  reading: FeedReading,
): Feed {
  const date = meta.date ?? '';
  return {
    language: reading.language,
    title: `${RANKING_TITLES[type][reading.language]}${requestedDate === undefined ? '' : ` ${date}`}`,
    id: `rankings/${type}${requestedDate === undefined ? '' : `/${requestedDate}`}`,
    updated: fetchedAt,
    entries: (data as NovelRecords).map((record) => rankedEntry(record, type, date, reading)),
  };
}

/** Several rankings as a feed; without their novels, entries have no titles. */
export function spanFeed({ data, fetchedAt }: AnswerToWrite, type: RankingType, reading: FeedReading): Feed {
  const rankings = data as readonly DatedRanking[];
  const dates = `${rankings[0]?.date ?? ''}/${rankings.at(-1)?.date ?? ''}`;
  return {
    language: reading.language,
    title: `${RANKING_TITLES[type][reading.language]} ${dates}`,
    id: `rankings/${type}/${dates}`,
    updated: fetchedAt,
    entries: rankings.flatMap(({ date, entries }) =>
      entries.map((entry) => {
        const ranked = rankedEntry({ ...entry }, type, date, reading);
        return { ...ranked, id: `${ranked.id}/${date}` };
      }),
    ),
  };
}
