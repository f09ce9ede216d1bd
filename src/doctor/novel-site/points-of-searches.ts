import { ofCodesServedBy } from '../../catalogue/novels/of-fields.ts';
import { NOT_SEEN, requestsJson, readCount, replyKind, ncodesOf, notAList, recordsOf } from './open-point.ts';
import type { OpenPoint } from './open-point.ts';
import type { NovelSite, SiteReply } from './site.ts';

const NOVELS = '/novelapi/api/';
const DEFAULT_LIM = 20;
const MAX_LIM = 500;

const novels = (query: string): string => requestsJson(NOVELS, `of=n&order=ncodeasc&${query}`);

/** How the site treats an invalid `lim`, by the number of rows. */
const readRows =
  (of: Readonly<Record<number, string>>) =>
  (reply: SiteReply): string => {
    const rows = recordsOf(reply)?.length;
    return rows === undefined ? notAList(reply) : (of[rows] ?? `${rows} rows`);
  };

const probeRows = (query: string, of: Readonly<Record<number, string>>) => async (site: NovelSite) =>
  readRows(of)(await site.request(novels(query)));

async function probeFirst(site: NovelSite): Promise<SiteReply> {
  return site.request(novels('lim=20'));
}

/** Whether a filter that the site may not know had an effect. */
const probeFilter =
  (filter: string, words: { none: string; all: string }) =>
  async (site: NovelSite): Promise<string> => {
    const all = readCount(await probeFirst(site));
    const reply = await site.request(novels(`lim=1&${filter}`));
    const count = readCount(reply);
    if (count === undefined || all === undefined) return notAList(reply);
    if (count === 0) return words.none;
    // The total is outdated.
    return count > all * 0.9 ? words.all : `${count} rows`;
  };

async function probeBeyondWindow(site: NovelSite): Promise<string> {
  const last = ncodesOf(await site.request(novels('lim=2&st=2000')));
  const reply = await site.request(novels('lim=1&st=2001'));
  const [first] = ncodesOf(reply);
  if (first === undefined) return replyKind(reply);
  const index = last.indexOf(first);
  return ['clamp', 'serve'][index] ?? 'other rows';
}

async function probeStZero(site: NovelSite): Promise<string> {
  const [expected] = ncodesOf(await probeFirst(site));
  const reply = await site.request(novels('lim=3&st=0'));
  const [first] = ncodesOf(reply);
  if (first === undefined) return replyKind(reply);
  return first === expected ? 'first' : 'other rows';
}

async function probeUnknownOrder(site: NovelSite): Promise<string> {
  const usual = ncodesOf(await site.request(requestsJson(NOVELS, 'of=n&lim=20')));
  const reply = await site.request(requestsJson(NOVELS, 'of=n&lim=20&order=hyouka'));
  if (replyKind(reply) !== 'rows') return replyKind(reply);
  // The newest novels change every second.
  return ncodesOf(reply).some((ncode) => usual.includes(ncode)) ? 'default' : 'another order';
}

async function probeUnknownCodes(site: NovelSite): Promise<string> {
  const reply = await site.request(requestsJson(NOVELS, 'of=zz&lim=1'));
  const json: unknown = reply.json;
  if (!Array.isArray(json)) return notAList(reply);
  const record: unknown = (json as unknown[])[1] ?? {};
  const keys = Object.keys(record as object).length;
  if (keys === 0) return 'empty';
  return keys >= ofCodesServedBy('novelapi').length ? 'all' : `${keys} fields`;
}

const OF_FIELDS = ['global_point', 'ncode', 'noveltype', 'title'];

async function probeKeys(site: NovelSite): Promise<string[]> {
  const reply = await site.request(requestsJson(NOVELS, 'of=gp-n-nt-t&lim=1&opt=weekly'));
  return Object.keys(recordsOf(reply)?.[0] ?? {});
}

async function probeKeyOrder(site: NovelSite): Promise<string> {
  const keys = (await probeKeys(site)).filter((key) => OF_FIELDS.includes(key)).join(' ');
  if (keys === OF_FIELDS.join(' ')) return 'requested';
  return keys === 'title ncode noveltype global_point' ? 'canonical' : keys || NOT_SEEN;
}

async function probeWeeklyUnique(site: NovelSite): Promise<string> {
  const keys = await probeKeys(site);
  const index = keys.indexOf('weekly_unique');
  if (index < 0) return keys.length > 0 ? 'absent' : NOT_SEEN;
  return index === 0 ? 'first' : index === keys.length - 1 ? 'last' : 'between';
}

async function probeStaleCount(site: NovelSite): Promise<string> {
  const counts = [await probeFirst(site), await site.request(novels('lim=2&st=2000'))].map(readCount);
  if (counts.includes(undefined)) return NOT_SEEN;
  return String(counts[0] !== counts[1]);
}

/** The longest list of codes that the service ever sends. */
async function probeLongList(site: NovelSite): Promise<string> {
  const knownNcodes = ncodesOf(await site.request(novels('lim=500')));
  if (knownNcodes.length < MAX_LIM) return NOT_SEEN;
  const reply = await site.request(
    requestsJson(NOVELS, `of=n&lim=${MAX_LIM}&ncode=${knownNcodes.join('-')}`),
  );
  const rows = recordsOf(reply)?.length;
  return rows === undefined ? notAList(reply) : rows >= knownNcodes.length * 0.9 ? 'served' : `${rows} rows`;
}

async function probeForeignFilter(site: NovelSite): Promise<string> {
  const path = '/novel18api/api/';
  const all = readCount(await site.request(requestsJson(path, 'of=n&lim=1')));
  const reply = await site.request(requestsJson(path, 'of=n&lim=1&userid=1'));
  const count = readCount(reply);
  if (count === undefined || all === undefined) return notAList(reply);
  return count > all * 0.9 ? 'ignore' : count === 0 ? 'empty' : `${count} rows`;
}

/** Open points about novelapi and novel18api. */
export const POINTS_OF_SEARCHES: readonly OpenPoint[] = [
  {
    id: 'lim-above-500',
    switch: 'limAboveMax',
    assumed: 'clamp',
    question: 'What does lim=501 give?',
    probe: probeRows('lim=501', { 500: 'clamp', 501: 'serve', [DEFAULT_LIM]: 'default', 0: 'empty' }),
  },
  {
    id: 'lim-zero',
    switch: 'limZero',
    assumed: 'default',
    question: 'What does lim=0 give?',
    probe: probeRows('lim=0', { [DEFAULT_LIM]: 'default', 1: 'one', 0: 'empty' }),
  },
  { id: 'st-zero', switch: 'stZero', assumed: 'first', probe: probeStZero, question: 'What does st=0 give?' },
  {
    id: 'st-above-2000',
    switch: 'stBeyondWindow',
    assumed: 'empty',
    probe: probeBeyondWindow,
    question: 'What does st=2001 give?',
  },
  {
    id: 'lim-no-number',
    switch: 'invalidNumber',
    assumed: 'default',
    question: 'What does lim=3x give, which is no number?',
    probe: probeRows('lim=3x', { [DEFAULT_LIM]: 'default', 3: 'prefix', 0: 'empty' }),
  },
  {
    id: 'filter-without-sense',
    switch: 'invalidFilter',
    assumed: 'ignore',
    question: 'What does genre=abc give, a filter without sense?',
    probe: probeFilter('genre=abc', { none: 'empty', all: 'ignore' }),
  },
  {
    id: 'unknown-order',
    switch: 'unknownOrder',
    assumed: 'default',
    probe: probeUnknownOrder,
    question: 'What does an unknown order give?',
  },
  {
    id: 'unknown-of-codes',
    switch: 'ofAllUnknown',
    assumed: 'all',
    probe: probeUnknownCodes,
    question: 'What does `of` give without a single known code?',
  },
  {
    id: 'key-order',
    switch: 'keyOrder',
    assumed: 'canonical',
    probe: probeKeyOrder,
    question: 'In which order do the keys of a record come when `of` is given?',
  },
  {
    id: 'weekly-unique-position',
    switch: 'weeklyUniquePosition',
    assumed: 'last',
    probe: probeWeeklyUnique,
    question: 'Where does weekly_unique stand in a record?',
    expected: ['first', 'between', 'last'],
    consequence: 'opt=weekly of the service has no effect. Report it.',
  },
  {
    id: 'firstup-filter',
    switch: 'firstupFilter',
    assumed: 'works',
    question: 'Does the undocumented filter firstup work?',
    probe: probeFilter('firstup=1-2', { none: 'works', all: 'ignored' }),
    expected: ['works'],
    consequence: 'The filter firstup of the service has no effect. Report it.',
  },
  {
    id: 'stale-allcount',
    switch: 'staleAllcount',
    assumed: 'false',
    probe: probeStaleCount,
    question: 'Does allcount differ from page to page?',
  },
  {
    id: 'long-ncode-list',
    switch: 'maxUrlLength',
    assumed: 'served',
    probe: probeLongList,
    question: 'Is a list of 500 Ncodes, a URL of 4 kB, accepted?',
    expected: ['served'],
    consequence: 'Rankings cannot be given with their novels. Report it.',
  },
  {
    id: 'adult-foreign-filter',
    switch: 'adultForeignFilters',
    assumed: 'ignore',
    probe: probeForeignFilter,
    question: 'What does userid, a filter of novelapi alone, do at novel18api?',
  },
];
