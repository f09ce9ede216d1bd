import type { SourceProblem } from '../../catalogue/source/catalogue-source.ts';
import type { NovelQuery } from '../../catalogue/novels/novel-query.ts';
import { USER_FIELDS } from '../../catalogue/narou/userapi.ts';
import { OF_FIELDS, ofCodesServedBy } from '../../catalogue/novels/of-fields.ts';
import type { NovelInterface } from '../../catalogue/novels/of-fields.ts';
import { RANKING_TYPES, newestPublishedDate, toRtype } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { ServiceError } from '../../errors.ts';
import { NotChecked, broken, ok, unanswered, warning } from '../check.ts';
import type { Finding, Row } from '../check.ts';
import { failureOf } from './site.ts';
import type { NovelSite } from './site.ts';

const REPORT = 'Report it, with the version of mokuroku: the client must be adapted.';

/** Unknown fields, and codes without a label, are passed on. */
const HARMLESS: ReadonlySet<SourceProblem['problem']> = new Set(['unknown_code', 'overlong_text']);

const problemsText = (problems: readonly SourceProblem[]): string =>
  problems
    .map(({ problem, about, count }) => `${problem} ${about.split(' of ')[0] ?? ''} (${count})`)
    .join(', ');

/** Reads with the service's client, and reports unexpected fields and values. */
async function readWithClient(site: NovelSite, read: () => Promise<Finding>): Promise<Finding> {
  site.drainProblems();
  try {
    const finding = await read();
    const problems = site.drainProblems();
    if (problems.length === 0) return finding;
    const isHarmless = problems.every(({ problem }) => HARMLESS.has(problem));
    return (isHarmless ? warning : broken)('{text}', { text: problemsText(problems) }, REPORT);
  } catch (error) {
    if (error instanceof NotChecked || !(error instanceof ServiceError)) throw error;
    if (error.code !== 'upstream_invalid') return unanswered(failureOf(error));
    return broken('the client cannot read it: {reason}', { reason: failureOf(error) }, REPORT);
  }
}

/** The number of records and of their fields, or the undocumented fields if there are any. */
function judgeRecords(site: NovelSite, items: readonly object[], documented: readonly string[]): Finding {
  const unknown = site.lastKeys().filter((key) => !documented.includes(key));
  if (unknown.length > 0) return warning('new fields: {fields}', { fields: unknown.join(', ') }, REPORT);
  const fields = Math.max(0, ...items.map((item) => Object.keys(item).length));
  return ok('{records} records of {fields} fields', { records: items.length, fields });
}

/** Fields of records without `of`: see the manuals, and `gensaku`, which no code selects. */
const documentedFields = (source: NovelInterface): readonly string[] => {
  const codes: readonly string[] = ofCodesServedBy(source);
  const named = OF_FIELDS.filter(({ code }) => codes.includes(code)).map(({ field }) => field);
  return [...named, 'novel_type', 'gensaku', 'weekly_unique'];
};

const RECORDS = 20;

const readNovels = async (site: NovelSite, source: NovelInterface, selection: Partial<NovelQuery> = {}) => {
  const page = { st: 1, lim: RECORDS, order: 'new' } as const;
  const { items } = await site.source.novels[source].search({ ...page, ...selection });
  return judgeRecords(site, items, documentedFields(source));
};

const RANKED = 300;

async function readRanking(site: NovelSite, type: RankingType): Promise<Finding> {
  const date = newestPublishedDate(type, site.clock.now());
  const { value: entries } = await site.source.getRanking(type, date);
  if (entries === undefined) return broken('the ranking of {date} is missing', { date }, REPORT);
  if (entries.some(({ rank }, index) => rank !== index + 1))
    return warning('{date}: its ranks are not 1, 2, 3 ...', { date }, REPORT);
  const values = { date, places: entries.length };
  return entries.length === RANKED
    ? ok('{date}: {places} places', values)
    : warning('{date}: {places} places', values, REPORT);
}

async function readHistory(site: NovelSite): Promise<Finding> {
  const date = newestPublishedDate('daily', site.clock.now());
  const { value: [first] = [] } = await site.source.getRanking('daily', date);
  if (first === undefined) throw new NotChecked('there is no ranking to start from');
  const { value: entries = [] } = await site.source.getRankingHistory(first.ncode);
  const rtype = toRtype('daily', date);
  return entries.some((entry) => entry.rtype === rtype && entry.rank === 1)
    ? ok('{rankings} rankings', { rankings: entries.length })
    : broken('the first of {date} does not have it in its history', { date }, REPORT);
}

async function readUsers(site: NovelSite): Promise<Finding> {
  const { items } = await site.source.searchUsers({ st: 1, lim: RECORDS });
  return judgeRecords(site, items, USER_FIELDS);
}

/** An interface of the novel site, read with the service's client. */
const form = (id: string, about: string, read: (site: NovelSite) => Promise<Finding>): Row<NovelSite> => ({
  id,
  title: 'The form of {about}',
  titleValues: { about },
  run: (site) => readWithClient(site, () => read(site)),
});

export const INTERFACE_CHECKS: readonly Row<NovelSite>[] = [
  form('novelapi', 'novelapi', (site) => readNovels(site, 'novelapi')),
  form('novelapi-of', 'novelapi, of=..., opt=weekly', (site) =>
    readNovels(site, 'novelapi', { of: ofCodesServedBy('novelapi'), opt: 'weekly' }),
  ),
  form('novel18api', 'novel18api', (site) => readNovels(site, 'novel18api')),
  ...RANKING_TYPES.map((type) =>
    form(`rankget-${type}`, `rankget, ${type}`, (site) => readRanking(site, type)),
  ),
  form('rankin', 'rankin', readHistory),
  form('userapi', 'userapi', readUsers),
];
