import { PUBLICATION_HOURS, toRtype } from '../../catalogue/novels/ranking-date.ts';
import { dateOfDay, japanDay, japanHour } from '../../catalogue/novels/japan-date.ts';
import { NOT_SEEN, requestsJson, readCount, replyKind, ncodesOf, notAList, recordsOf } from './open-point.ts';
import type { OpenPoint } from './open-point.ts';
import type { NovelSite } from './site.ts';

const ranking = (rtype: string): string => requestsJson('/rank/rankget/', `rtype=${rtype}`);

const dailyRtype = (day: number): string => toRtype('daily', dateOfDay(day));

async function probeTomorrow(site: NovelSite): Promise<string> {
  return replyKind(await site.request(ranking(dailyRtype(japanDay(site.clock.now()) + 2))));
}

/** Whether the ranking of this day in Japan is published: after the hours of publication it must be. */
async function probeToday(site: NovelSite): Promise<string> {
  const reply = await site.request(ranking(dailyRtype(japanDay(site.clock.now()))));
  return replyKind(reply) === 'rows' ? 'published' : 'not published';
}

/** After the hours of publication the service relies on it. */
const readToday = (now: number): readonly string[] =>
  japanHour(now) >= PUBLICATION_HOURS.to ? ['published'] : ['published', 'not published'];

const assumeToday = (now: number): string =>
  japanHour(now) >= PUBLICATION_HOURS.from ? 'published' : 'not published';

/** Number of novels with the fewest points to try: most of them never ranked. */
const MAX_TRIED = 4;

async function probeNeverRanked(site: NovelSite): Promise<string> {
  const least = ncodesOf(await site.request(requestsJson('/novelapi/api/', 'of=n-gp&order=hyokaasc&lim=20')));
  for (const ncode of least.slice(0, MAX_TRIED)) {
    const reply = await site.request(requestsJson('/rank/rankin/', `ncode=${ncode}`));
    const kind = replyKind(reply);
    if (kind === 'error') return reply.errorText?.includes('Novel not found') ? 'error' : 'other error';
    if (kind !== 'rows') return kind;
  }
  return NOT_SEEN;
}

async function probeNoSuchNovel(site: NovelSite): Promise<string> {
  const reply = await site.request(requestsJson('/rank/rankin/', 'ncode=n0000a'));
  return reply.errorText?.includes('Novel not found') ? 'Novel not found' : replyKind(reply);
}

async function probeNobody(site: NovelSite): Promise<string> {
  const reply = await site.request(requestsJson('/userapi/api/', 'userid=999999999'));
  if (readCount(reply) === 0) return 'allcount';
  const records = recordsOf(reply);
  return records === undefined ? notAList(reply) : records.length === 0 ? 'list' : 'rows';
}

async function probeNoName1st(site: NovelSite): Promise<string> {
  const records = recordsOf(await site.request(requestsJson('/userapi/api/', 'of=1&lim=500'))) ?? [];
  const values = records.map(({ name1st }) => name1st);
  if (values.includes(null)) return 'null';
  return values.includes('') ? 'empty' : NOT_SEEN;
}

/** Open points about rankings, histories and users. */
export const POINTS_OF_RANKINGS: readonly OpenPoint[] = [
  {
    id: 'future-ranking',
    switch: 'unpublishedRanking',
    assumed: 'empty',
    probe: probeTomorrow,
    question: 'What does the ranking of a day to come give?',
    expected: ['empty', 'error'],
  },
  {
    id: 'too-early-ranking',
    switch: 'tooEarlyRanking',
    assumed: 'error',
    question: 'What does a ranking before May 2013 give?',
    probe: async (site) => replyKind(await site.request(ranking('20130430-d'))),
  },
  {
    id: 'publication-hours',
    switch: 'rankingReadyHour',
    assumed: assumeToday,
    probe: probeToday,
    question: "Is today's ranking there, made between 04:00 and 07:00 in Japan?",
    expected: readToday,
    consequence: "Today's rankings are late: the service responds that they are not published.",
  },
  {
    id: 'never-ranked',
    switch: 'neverRanked',
    assumed: 'empty',
    probe: probeNeverRanked,
    question: 'What does the history of a novel that never ranked give?',
    expected: ['empty', 'error'],
    consequence: 'Histories of such novels fail. Report it.',
  },
  {
    id: 'history-of-no-novel',
    assumed: 'Novel not found',
    probe: probeNoSuchNovel,
    question: 'What does the history of no novel give?',
    expected: ['Novel not found', 'empty'],
    consequence: 'Histories of novels that do not exist fail instead of being absent. Report it.',
  },
  {
    id: 'no-user',
    switch: 'emptyUsers',
    assumed: 'allcount',
    probe: probeNobody,
    question: 'What does a search for users without a match return?',
    expected: ['allcount', 'list'],
    consequence: 'Users that do not exist fail instead of being absent. Report it.',
  },
  {
    id: 'no-name1st',
    switch: 'noName1st',
    assumed: 'null',
    probe: probeNoName1st,
    question: 'What is name1st of a user whose furigana does not begin with kana?',
    expected: ['null', 'empty'],
  },
];
