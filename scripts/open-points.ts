import { UNKNOWN_SWITCHES } from '../test/upstream/switches.ts';
import { dateOfDay, japanDay } from '../packages/narou/src/novels/japan-date.ts';
import { SERVED_CODES, PUBLICATION_HOURS, newestRankingDate, toRtype } from '@mokuroku/narou';
import type { SiteReply } from './probed-site.ts';

/** The novel site, a request at a time. */
interface Site {
  /** GETs a path with its query. */
  readonly request: (target: string) => Promise<SiteReply>;
  readonly now: () => number;
}

/** Queries the site about one point, and names the answer. */
type Probe = (site: Site) => Promise<string>;

/** The site's present data do not answer the point. */
const NOT_SEEN = 'not seen';

/** Reads the answer from the replies to requests, sent one after the other. */
const point =
  (targets: readonly string[], read: (...replies: SiteReply[]) => string): Probe =>
  async (site) => {
    const replies: SiteReply[] = [];
    for (const target of targets) replies.push(await site.request(target));
    return read(...replies);
  };

/** As the client asks: JSON in a gzip file. */
const json = (path: string, query: string): string => `${path}?out=json&gzip=5&${query}`;
const newest = (query: string): string => json('/novelapi/api/', `of=n&${query}`);
/** Oldest first: the newest novels change every second. */
const oldest = (query: string): string => newest(`order=old&${query}`);
const adult = (query: string): string => json('/novel18api/api/', `of=n&order=old&${query}`);
const LAST_PAGE = 'lim=2&st=2000';
const WEEKLY = json('/novelapi/api/', 'of=gp-n-nt-t&lim=1&opt=weekly');
const format = (query: string): string => `/novelapi/api/?${query}&lim=1&of=n`;
const ranking = (rtype: string): string => json('/rank/rankget/', `rtype=${rtype}`);
const history = (ncode: string): string => json('/rank/rankin/', `ncode=${ncode}`);
const users = (query: string): string => json('/userapi/api/', query);
/** A weekly date that is no Tuesday: certainly an error (manual of rankget). */
const ERROR = ranking('20140501-w');

/** Requests of each format, with the proper Content-Type. */
const CONTENT_TYPES = {
  [format('out=json')]: 'application/json',
  [format('out=json&gzip=5')]: 'application/x-gzip',
  [format('out=yaml')]: 'text/yaml',
  [format('out=jsonp&callback=a')]: 'application/javascript',
  '/rank/rankget/?out=json&rtype=20140501-w': 'text/plain',
};

/** `proper`, the one type of all formats (`html`), or all types. */
function readContentTypes(...replies: SiteReply[]): string {
  const types = replies.map(({ contentType }) => contentType);
  if (types.join() === Object.values(CONTENT_TYPES).join()) return 'proper';
  return [...new Set(types)].join(' ').replace(/^text\/html$/, 'html');
}

/** Whether two pages have as many rows, most of them the same: novels may have changed between the requests. */
const isAlike = (one: SiteReply, other: SiteReply): boolean => {
  const shared = one.ncodes.filter((ncode) => other.ncodes.includes(ncode)).length;
  return one.ncodes.length === other.ncodes.length && shared * 2 > one.ncodes.length;
};

/** The treatment of a query, by the name of another query that gets the same page; `otherwise` for other rows. */
const likeOneOf = (
  query: string,
  others: Readonly<Record<string, string>>,
  { target = oldest, none = 'empty', otherwise = 'other rows' } = {},
): Probe =>
  point([query, ...Object.values(others)].map(target), (reply, ...pages) => {
    if (reply.kind === 'empty') return none;
    if (reply.kind !== 'rows') return reply.kind;
    return Object.keys(others).find((_, index) => isAlike(reply, pages[index] ?? reply)) ?? otherwise;
  });

const keysOf = ({ records }: SiteReply): string[] => Object.keys(records[0] ?? {});
const fieldsOf = (target: string): Probe => point([target], (reply) => keysOf(reply).join(' ') || reply.kind);

/** The longest list of codes that the service ever sends. */
async function probeLongList({ request }: Site): Promise<string> {
  const { ncodes } = await request(oldest('lim=500'));
  if (ncodes.length < 500) return NOT_SEEN;
  const { records, kind } = await request(newest(`lim=500&ncode=${ncodes.join('-')}`));
  if (kind !== 'rows') return kind;
  return records.length >= ncodes.length * 0.9 ? '0' : `${records.length} rows`;
}

const isOfNoNovel = ({ text }: SiteReply): boolean => text.includes('Novel not found');

/** Number of novels with the fewest points to try: most of them never ranked. */
const MAX_TRIED = 4;

async function probeNeverRanked({ request }: Site): Promise<string> {
  const least = await request(newest('order=hyokaasc&lim=20'));
  for (const ncode of least.ncodes.slice(0, MAX_TRIED)) {
    const reply = await request(history(ncode));
    if (reply.kind === 'error') return isOfNoNovel(reply) ? 'error' : reply.text;
    if (reply.kind !== 'rows') return reply.kind;
  }
  return NOT_SEEN;
}

/** The kind of the daily ranking of today in Japan, or of a later day. */
const dailyRanking = async ({ request, now }: Site, daysAhead: number): Promise<string> =>
  (await request(ranking(toRtype('daily', dateOfDay(japanDay(now()) + daysAhead))))).kind;

async function probeToday(site: Site): Promise<string> {
  const isPublished = (await dailyRanking(site, 0)) === 'rows';
  const isDue = newestRankingDate('daily', site.now()) === dateOfDay(japanDay(site.now()));
  if (isPublished === isDue) return String(PUBLICATION_HOURS.from);
  return isDue ? 'late' : 'early';
}

/** What neither a manual nor a recorded response says: the switches of our own server for the upstream's protocol. */
const SWITCH_POINTS: Readonly<Record<keyof typeof UNKNOWN_SWITCHES, Probe>> = {
  maintenance: point([newest('lim=20')], ({ isReadable, text, status }) =>
    isReadable ? 'off' : `${/^\s*</.test(text) ? 'html' : 'text'}${status}`,
  ),
  errorStatus: point([ERROR], ({ kind, status }) => (kind === 'error' ? String(status) : kind)),
  errorGzipped: point([ERROR], ({ isPacked }) => String(isPacked)),
  contentType: point(Object.keys(CONTENT_TYPES), readContentTypes),
  unknownOut: point([format('out=xml')], ({ kind, isReadable, text }) =>
    !isReadable && text.includes('ncode') ? 'yaml' : kind,
  ),
  badCallback: point([format('out=jsonp&callback=a(b')], ({ kind }) => (kind === 'rows' ? 'json' : kind)),

  limAboveMax: likeOneOf('lim=501', { clamp: 'lim=500', default: 'lim=20' }),
  limZero: likeOneOf('lim=0', { default: 'lim=20', one: 'lim=1' }),
  invalidNumber: likeOneOf('lim=3x', { default: 'lim=20', prefix: 'lim=3' }),
  stZero: likeOneOf('lim=1&st=0', { first: 'lim=1' }),
  stBeyondWindow: likeOneOf('lim=2&st=2001', { clamp: LAST_PAGE }, { otherwise: 'serve' }),
  invalidFilter: likeOneOf('lim=20&genre=abc', { ignore: 'lim=20' }),
  firstupFilter: likeOneOf('lim=20&firstup=1-2', { ignored: 'lim=20' }, { none: 'works' }),
  unknownParameter: likeOneOf('lim=20&userid=1', { ignore: 'lim=20' }, { target: adult }),
  unknownOrder: likeOneOf('lim=20&order=hyouka', { default: 'lim=20' }, { target: newest }),
  ofAllUnknown: point([json('/novelapi/api/', 'of=zz&lim=1')], (reply) => {
    const fields = keysOf(reply).length;
    if (fields === 0) return reply.kind === 'rows' ? 'empty' : reply.kind;
    return fields >= SERVED_CODES.novelapi.length ? 'all' : `${fields} fields`;
  }),
  keyOrder: point([WEEKLY], (reply) => {
    const keys = keysOf(reply).filter((key) => key !== 'weekly_unique');
    if (keys.join() === 'global_point,ncode,noveltype,title') return 'requested';
    return keys.join() === 'title,ncode,noveltype,global_point' ? 'canonical' : keys.join(' ');
  }),
  weeklyUniquePosition: point([WEEKLY], (reply) => {
    const position = keysOf(reply).indexOf('weekly_unique');
    if (position === keysOf(reply).length - 1) return 'last';
    return ['absent', 'first'][position + 1] ?? 'between';
  }),
  staleAllcount: point([oldest('lim=20'), oldest(LAST_PAGE)], ({ allcount: one }, { allcount: other }) =>
    one && other ? String(one !== other) : NOT_SEEN,
  ),
  maxUrlLength: probeLongList,

  unpublishedRanking: (site) => dailyRanking(site, 2),
  tooEarlyRanking: point([ranking('20130430-d')], ({ kind }) => kind),
  rankingReadyHour: probeToday,
  neverRanked: probeNeverRanked,
  emptyUsers: point([users('userid=999999999')], ({ kind, allcount }) => {
    if (allcount === 0) return 'allcount';
    return kind === 'empty' ? 'list' : kind;
  }),
  noName1st: point([users('of=1&lim=500')], ({ records }) => {
    const values = records.map((record) => record['name1st']);
    if (values.includes(null)) return 'null';
    return values.includes('') ? 'empty' : NOT_SEEN;
  }),
};

/** Every open point: what it is about, and the answer that the stand-in assumes (undefined: none). */
export const OPEN_POINTS: readonly { name: string; about: string; assumed?: string; probe: Probe }[] = [
  ...Object.entries(SWITCH_POINTS).map(([name, probe]) => {
    const { about, default: assumed } = UNKNOWN_SWITCHES[name as keyof typeof UNKNOWN_SWITCHES];
    return { name, about, assumed: String(assumed), probe };
  }),
  {
    name: 'historyOfNoNovel',
    about: 'rankin of a novel that does not exist',
    assumed: 'Novel not found',
    probe: point([history('n0000a')], (reply) => (isOfNoNovel(reply) ? 'Novel not found' : reply.kind)),
  },
  {
    name: 'adultFields',
    about: 'fields of a record of novel18api without `of`',
    probe: fieldsOf(json('/novel18api/api/', 'lim=1')),
  },
  { name: 'userFields', about: 'fields of a record of userapi', probe: fieldsOf(users('lim=1')) },
];
