import { UNKNOWN_SWITCHES } from '../../catalogue/narou-server/switches.ts';
import { dateOfDay, japanDay, japanHour } from '../../catalogue/novels/japan-date.ts';
import { ofCodesServedBy } from '../../catalogue/novels/of-fields.ts';
import { PUBLICATION_HOURS, toRtype } from '../../catalogue/novels/ranking-date.ts';
import { REPORT_IT, TRY_LATER, UNDETERMINED, broken, ok, warning } from '../check.ts';
import type { Finding, Row } from '../check.ts';
import { requestsJson } from './site.ts';
import type { NovelSite, SiteReply } from './site.ts';
import { same, text } from '../../process/text.ts';
import type { Text } from '../../process/text.ts';

type SwitchName = keyof typeof UNKNOWN_SWITCHES;

/** A point that neither a manual nor a recorded response of the novel site answers. */
interface OpenPoint {
  readonly title: Text;
  /** Sends the requests and classifies the answer. */
  readonly probe: (site: NovelSite) => Promise<string>;
  /** The answers with which the service's responses are correct, the sample's first; undefined: any. */
  readonly expected?: readonly string[] | undefined;
  /** What to do about another; undefined: report it. */
  readonly advice?: Text;
}

/** The site's present data do not answer the point. */
const NOT_SEEN = 'not seen';

/** A request names its own point; several requests need a sentence. */
const titleOf = (about: Text | string): Text =>
  typeof about === 'string' ? text(`The reply to ${about}`, `${about} への返事`) : about;

/** Reads the answer from the replies to requests, sent one after the other. */
const point = (
  about: Text | string,
  targets: readonly string[],
  expected: OpenPoint['expected'],
  read: (...replies: SiteReply[]) => string,
): OpenPoint => ({
  title: titleOf(about),
  expected,
  probe: async (site) => {
    const replies: SiteReply[] = [];
    for (const target of targets) replies.push(await site.request(target));
    return read(...replies);
  },
});
const ANY = undefined;

const NOVELS = '/novelapi/api/';
export const NEWEST = requestsJson(NOVELS, 'of=n');
/** Oldest first: the newest novels change every second. */
const oldest = (query: string): string => requestsJson(NOVELS, `of=n&order=old&${query}`);
const adult = (query: string): string => requestsJson('/novel18api/api/', `of=n&order=old&${query}`);
const newest = (query: string): string => requestsJson(NOVELS, `of=n&${query}`);
const LAST_PAGE = 'lim=2&st=2000';
const WEEKLY = requestsJson(NOVELS, 'of=gp-n-nt-t&lim=1&opt=weekly');
const format = (query: string): string => `${NOVELS}?${query}&lim=1&of=n`;
const ranking = (rtype: string): string => requestsJson('/rank/rankget/', `rtype=${rtype}`);
const history = (ncode: string): string => requestsJson('/rank/rankin/', `ncode=${ncode}`);
const users = (query: string): string => requestsJson('/userapi/api/', query);
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

/** `proper`, the one type of all formats (`text/html`), or all types. */
function readContentTypes(...replies: SiteReply[]): string {
  const types = replies.map(({ contentType }) => contentType).join(' ');
  if (types === Object.values(CONTENT_TYPES).join(' ')) return 'proper';
  return new Set(types.split(' ')).size === 1 ? (types.split(' ')[0] ?? '') : types;
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
): OpenPoint =>
  point(query, [query, ...Object.values(others)].map(target), ANY, (reply, ...pages) => {
    if (reply.kind === 'empty') return none;
    if (reply.kind !== 'rows') return reply.kind;
    return Object.keys(others).find((_, index) => isAlike(reply, pages[index] ?? reply)) ?? otherwise;
  });

const keysOf = ({ records }: SiteReply): string[] => Object.keys(records?.[0] ?? {});
const SOME_FIELDS = ['global_point', 'ncode', 'noveltype', 'title'];

/** The longest list of codes that the service ever sends. */
async function probeLongList(site: NovelSite): Promise<string> {
  const { ncodes } = await site.request(oldest('lim=500'));
  if (ncodes.length < 500) return NOT_SEEN;
  const { records, kind } = await site.request(newest(`lim=500&ncode=${ncodes.join('-')}`));
  if (records === undefined) return kind;
  return records.length >= ncodes.length * 0.9 ? 'served' : `${records.length} rows`;
}

const isOfNoNovel = ({ errorText }: SiteReply): boolean => errorText?.includes('Novel not found') === true;

/** Number of novels with the fewest points to try: most of them never ranked. */
const MAX_TRIED = 4;

async function probeNeverRanked(site: NovelSite): Promise<string> {
  const least = await site.request(newest('order=hyokaasc&lim=20'));
  for (const ncode of least.ncodes.slice(0, MAX_TRIED)) {
    const reply = await site.request(history(ncode));
    if (reply.kind === 'error') return isOfNoNovel(reply) ? 'error' : 'other error';
    if (reply.kind !== 'rows') return reply.kind;
  }
  return NOT_SEEN;
}

/** The kind of the daily ranking of today in Japan, or of a later day. */
async function dailyRanking(site: NovelSite, daysAhead: number): Promise<string> {
  const date = dateOfDay(japanDay(site.now()) + daysAhead);
  return (await site.request(ranking(toRtype('daily', date)))).kind;
}

async function probeToday(site: NovelSite): Promise<string> {
  const isPublished = (await dailyRanking(site, 0)) === 'rows';
  const isDue = japanHour(site.now()) >= PUBLICATION_HOURS.from;
  if (isPublished === isDue) return 'on time';
  return isDue ? 'late' : 'early';
}

/** By id, which is the name of a switch of our own upstream server. */
export const OPEN_POINTS = {
  // How replies and errors are sent
  maintenance: {
    ...point(text('Maintenance', 'メンテナンス'), [NEWEST], ['off'], ({ errorText, json, text, status }) =>
      errorText !== undefined || json !== undefined
        ? 'off'
        : `${/^\s*</.test(text) ? 'html' : 'text'}${status}`,
    ),
    advice: TRY_LATER,
  },
  errorStatus: point(
    text('HTTP status of a plain-text error', '文字だけのエラーの HTTP ステータス'),
    [ERROR],
    ['200', '400', '404', '500'],
    ({ kind, status }) => (kind === 'error' ? String(status) : kind),
  ),
  errorGzipped: point(
    text('Whether gzip=5 packs a plain-text error', '文字だけのエラーも gzip=5 で圧縮されるか'),
    [ERROR],
    ANY,
    ({ isPacked }) => String(isPacked),
  ),
  contentType: point(same('Content-Type'), Object.keys(CONTENT_TYPES), ANY, readContentTypes),
  unknownOut: point('out=xml', [format('out=xml')], ANY, ({ kind, json, text }) =>
    kind !== 'error' && json === undefined && text.includes('ncode') ? 'yaml' : kind,
  ),
  badCallback: point('out=jsonp&callback=a(b', [format('out=jsonp&callback=a(b')], ANY, ({ kind, json }) => {
    if (kind === 'error') return kind;
    return json === undefined ? 'other' : 'json';
  }),

  // Searches
  limAboveMax: likeOneOf('lim=501', { clamp: 'lim=500', default: 'lim=20' }),
  limZero: likeOneOf('lim=0', { default: 'lim=20', one: 'lim=1' }),
  invalidNumber: likeOneOf('lim=3x', { default: 'lim=20', prefix: 'lim=3' }),
  stZero: likeOneOf('lim=1&st=0', { first: 'lim=1' }),
  stBeyondWindow: likeOneOf('lim=2&st=2001', { clamp: LAST_PAGE }, { otherwise: 'serve' }),
  invalidFilter: likeOneOf('lim=20&genre=abc', { ignore: 'lim=20' }),
  firstupFilter: {
    ...likeOneOf('lim=20&firstup=1-2', { ignored: 'lim=20' }, { none: 'works' }),
    expected: ['works'],
  },
  adultForeignFilters: likeOneOf('lim=20&userid=1', { ignore: 'lim=20' }, { target: adult }),
  unknownOrder: likeOneOf('lim=20&order=hyouka', { default: 'lim=20' }, { target: newest }),
  ofAllUnknown: point('of=zz', [requestsJson(NOVELS, 'of=zz&lim=1')], ANY, (reply) => {
    if (reply.records === undefined) return reply.kind;
    const fields = keysOf(reply).length;
    if (fields === 0) return 'empty';
    return fields >= ofCodesServedBy('novelapi').length ? 'all' : `${fields} fields`;
  }),
  keyOrder: point(text('Order of fields', '項目の順'), [WEEKLY], ANY, (reply) => {
    const keys = keysOf(reply)
      .filter((key) => SOME_FIELDS.includes(key))
      .join(' ');
    if (keys === SOME_FIELDS.join(' ')) return 'requested';
    return keys === 'title ncode noveltype global_point' ? 'canonical' : keys || NOT_SEEN;
  }),
  weeklyUniquePosition: point(
    text('Position of weekly_unique', 'weekly_unique の位置'),
    [WEEKLY],
    ['last', 'between', 'first'],
    (reply) => {
      const keys = keysOf(reply);
      if (!keys.includes('weekly_unique')) return keys.length > 0 ? 'absent' : NOT_SEEN;
      return keys.at(-1) === 'weekly_unique' ? 'last' : keys[0] === 'weekly_unique' ? 'first' : 'between';
    },
  ),
  staleAllcount: point(
    text('Whether allcount differs from page to page', 'allcount はページごとに違うか'),
    [oldest('lim=20'), oldest(LAST_PAGE)],
    ANY,
    ({ allcount: one }, { allcount: other }) => (one && other ? String(one !== other) : NOT_SEEN),
  ),
  maxUrlLength: {
    title: titleOf('ncode=..., 4 kB'),
    probe: probeLongList,
    expected: ['served'],
  },

  // Rankings, histories and users
  unpublishedRanking: {
    title: text('The ranking of a day to come', 'まだない日のランキング'),
    probe: (site) => dailyRanking(site, 2),
    expected: ['empty', 'error'],
  },
  tooEarlyRanking: point('rtype=20130430-d', [ranking('20130430-d')], ANY, ({ kind }) => kind),
  rankingReadyHour: {
    title: text("Today's ranking, made from 04:00 on in Japan", '今日（4時から作られる）のランキング'),
    probe: probeToday,
    expected: ['on time', 'late', 'early'],
  },
  neverRanked: {
    title: text('The history of a novel that never ranked', 'ランクインしたことのない作品の履歴'),
    probe: probeNeverRanked,
    expected: ['empty', 'error'],
  },
  historyOfNoNovel: point(
    'rankin, ncode=n0000a',
    [history('n0000a')],
    ['Novel not found', 'empty'],
    (reply) => (isOfNoNovel(reply) ? 'Novel not found' : reply.kind),
  ),
  emptyUsers: point('userid=999999999', [users('userid=999999999')], ['allcount', 'list'], (reply) => {
    if (reply.allcount === 0) return 'allcount';
    return reply.kind === 'empty' ? 'list' : reply.kind;
  }),
  noName1st: point(
    text('name1st of a user whose furigana is not kana', 'フリガナが仮名で始まらないユーザの name1st'),
    [users('of=1&lim=500')],
    ['null', 'empty'],
    ({ records = [] }) => {
      const values = records.map((record) => record?.['name1st']);
      if (values.includes(null)) return 'null';
      return values.includes('') ? 'empty' : NOT_SEEN;
    },
  ),
} as const satisfies Record<SwitchName, OpenPoint> & Record<string, OpenPoint>;

function judge(answer: string, assumed: string, { expected, advice = REPORT_IT }: OpenPoint): Finding {
  if (answer === NOT_SEEN) return UNDETERMINED;
  if (expected && !expected.includes(answer)) {
    const wanted = expected.join(' / ');
    return broken(text(`${answer}; the client expects ${wanted}`, `${answer}。想定は ${wanted}`), advice);
  }
  if (answer === assumed) return ok(same(answer));
  return warning(
    text(`${answer}; the sample assumes ${assumed}`, `${answer}。サンプルでは ${assumed}`),
    text(
      'The client reads both. Report it, so that the sample can be adapted.',
      'どちらも解析できます。サンプルを修正するため、報告してください。',
    ),
  );
}

export const openPointRows = (site: NovelSite): Row[] =>
  Object.entries<OpenPoint>(OPEN_POINTS).map(([id, each]) => ({
    id,
    title: each.title,
    run: async () => {
      const answer = await each.probe(site);
      const assumed = each.expected?.[0] ?? String(UNKNOWN_SWITCHES[id as SwitchName].default);
      return { ...judge(answer, assumed, each), answer };
    },
  }));
