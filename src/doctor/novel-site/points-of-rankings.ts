import { PUBLICATION_HOURS, toRtype } from '../../catalogue/novels/ranking-date.ts';
import { dateOfDay, japanDay, japanHour } from '../../catalogue/novels/japan-date.ts';
import { NOT_SEEN, read } from './open-point.ts';
import type { OpenPoint } from './open-point.ts';
import { requestsJson } from './site.ts';
import type { NovelSite } from './site.ts';
import type { SiteReply } from './site-reply.ts';

const ranking = (rtype: string): string => requestsJson('/rank/rankget/', `rtype=${rtype}`);
const history = (ncode: string): string => requestsJson('/rank/rankin/', `ncode=${ncode}`);

/** The kind of the daily ranking of today in Japan, or of a later day. */
const dailyRanking = async (site: NovelSite, daysAhead: number): Promise<string> => {
  const date = dateOfDay(japanDay(site.clock.now()) + daysAhead);
  return (await site.request(ranking(toRtype('daily', date)))).kind;
};

const isOfNoNovel = ({ errorText }: SiteReply): boolean => errorText?.includes('Novel not found') === true;

/** Number of novels with the fewest points to try: most of them never ranked. */
const MAX_TRIED = 4;

async function probeNeverRanked(site: NovelSite): Promise<string> {
  const least = await site.request(requestsJson('/novelapi/api/', 'of=n-gp&order=hyokaasc&lim=20'));
  for (const ncode of least.ncodes.slice(0, MAX_TRIED)) {
    const reply = await site.request(history(ncode));
    if (reply.kind === 'error') return isOfNoNovel(reply) ? 'error' : 'other error';
    if (reply.kind !== 'rows') return reply.kind;
  }
  return NOT_SEEN;
}

/** Open points about rankings, histories and users. */
export const POINTS_OF_RANKINGS: readonly OpenPoint[] = [
  {
    id: 'future-ranking',
    switch: 'unpublishedRanking',
    question: 'What does the ranking of a day to come give?',
    probe: (site) => dailyRanking(site, 2),
    expected: ['empty', 'error'],
  },
  {
    id: 'too-early-ranking',
    switch: 'tooEarlyRanking',
    question: 'What does a ranking before May 2013 give?',
    probe: read([ranking('20130430-d')], ({ kind }) => kind),
  },
  {
    id: 'publication-hours',
    switch: 'rankingReadyHour',
    question: "Is today's ranking there, made between 04:00 and 07:00 in Japan?",
    probe: async (site) => ((await dailyRanking(site, 0)) === 'rows' ? 'published' : 'not published'),
    assumed: (now) => (japanHour(now) >= PUBLICATION_HOURS.from ? 'published' : 'not published'),
    // After the hours of publication the service relies on it.
    expected: (now) =>
      japanHour(now) >= PUBLICATION_HOURS.to ? ['published'] : ['published', 'not published'],
    consequence: "Today's rankings are late: the service responds that they are not published.",
  },
  {
    id: 'never-ranked',
    switch: 'neverRanked',
    question: 'What does the history of a novel that never ranked give?',
    probe: probeNeverRanked,
    expected: ['empty', 'error'],
    consequence: 'Histories of such novels fail. Report it.',
  },
  {
    id: 'history-of-no-novel',
    assumed: 'Novel not found',
    question: 'What does the history of no novel give?',
    probe: read([history('n0000a')], (reply) => (isOfNoNovel(reply) ? 'Novel not found' : reply.kind)),
    expected: ['Novel not found', 'empty'],
    consequence: 'Histories of novels that do not exist fail instead of being absent. Report it.',
  },
  {
    id: 'no-user',
    switch: 'emptyUsers',
    question: 'What does a search for users without a match return?',
    probe: read([requestsJson('/userapi/api/', 'userid=999999999')], ({ allcount, kind }) => {
      if (allcount === 0) return 'allcount';
      return kind === 'empty' ? 'list' : kind;
    }),
    expected: ['allcount', 'list'],
    consequence: 'Users that do not exist fail instead of being absent. Report it.',
  },
  {
    id: 'no-name1st',
    switch: 'noName1st',
    question: 'What is name1st of a user whose furigana does not begin with kana?',
    probe: read([requestsJson('/userapi/api/', 'of=1&lim=500')], ({ records = [] }) => {
      const values = records.map(({ name1st }) => name1st);
      if (values.includes(null)) return 'null';
      return values.includes('') ? 'empty' : NOT_SEEN;
    }),
    expected: ['null', 'empty'],
  },
];
