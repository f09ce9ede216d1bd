import type { SourceProblem } from '../../catalogue/source/catalogue-source.ts';
import type { NovelQuery } from '../../catalogue/novels/novel-query.ts';
import { OF_FIELDS, ofCodesServedBy } from '../../catalogue/novels/of-fields.ts';
import type { NovelInterface } from '../../catalogue/novels/of-fields.ts';
import { RANKING_TYPES, newestPublishedDate, toRtype } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { ServiceError } from '../../errors.ts';
import { NotChecked, broken, warning, ok, fillPhrase, unanswered } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import { failureOf } from './site.ts';
import type { NovelSite } from './site.ts';

const REPORT = fillPhrase('Report it, with the version of mokuroku: the client must be adapted.');

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
    return (isHarmless ? warning : broken)(fillPhrase('{text}', { text: problemsText(problems) }), REPORT);
  } catch (error) {
    if (error instanceof NotChecked || !(error instanceof ServiceError)) throw error;
    if (error.code !== 'upstream_invalid') return unanswered(failureOf(error));
    const message = fillPhrase('the client cannot read it: {reason}', { reason: failureOf(error) });
    return broken(message, REPORT);
  }
}

/** The number of records and of their fields, or the undocumented fields if there are any. */
function judgeRecords(site: NovelSite, items: readonly object[], documented: ReadonlySet<string>): Finding {
  const unknown = site.lastKeys().filter((key) => !documented.has(key));
  if (unknown.length > 0)
    return warning(fillPhrase('new fields: {fields}', { fields: unknown.join(', ') }), REPORT);
  const fields = Math.max(0, ...items.map((item) => Object.keys(item).length));
  return ok(fillPhrase('{records} records of {fields} fields', { records: items.length, fields }));
}

/** Fields of records without `of`: see the manuals, and `gensaku`, which no code selects. */
const documentedFields = (source: NovelInterface): ReadonlySet<string> => {
  const codes: readonly string[] = ofCodesServedBy(source);
  const named = OF_FIELDS.filter(({ code }) => codes.includes(code)).map(({ field }) => field);
  return new Set([...named, 'novel_type', 'gensaku', 'weekly_unique']);
};

const RECORDS = 20;

const checkNovels =
  (source: NovelInterface, selection: Pick<NovelQuery, 'of' | 'opt'>) => (site: NovelSite) =>
    readWithClient(site, async () => {
      const page = { st: 1, lim: RECORDS, order: 'new' } as const;
      const { items } = await site.source.novels[source].search({ ...page, ...selection });
      return judgeRecords(site, items, documentedFields(source));
    });

const RANKED = 300;

const checkRanking = (type: RankingType) => (site: NovelSite) =>
  readWithClient(site, async () => {
    const date = newestPublishedDate(type, site.clock.now());
    const entries = await site.source.getRanking(type, date);
    if (entries === null) return broken(fillPhrase('the ranking of {date} is missing', { date }), REPORT);
    const isInOrder = entries.every(({ rank }, index) => rank === index + 1);
    const message = fillPhrase('{date}: {places} places', { date, places: entries.length });
    if (entries.length === RANKED && isInOrder) return ok(message);
    return warning(
      isInOrder ? message : fillPhrase('{date}: its ranks are not 1, 2, 3 ...', { date }),
      REPORT,
    );
  });

const checkHistory = (site: NovelSite) =>
  readWithClient(site, async () => {
    const date = newestPublishedDate('daily', site.clock.now());
    const [first] = (await site.source.getRanking('daily', date)) ?? [];
    if (first === undefined) throw new NotChecked(fillPhrase('there is no ranking to start from'));
    const entries = (await site.source.getRankingHistory(first.ncode)) ?? [];
    const rtype = toRtype('daily', date);
    const message = fillPhrase('{rankings} rankings', { rankings: entries.length });
    return entries.some((entry) => entry.rtype === rtype && entry.rank === 1)
      ? ok(message)
      : broken(fillPhrase('the first of {date} does not have it in its history', { date }), REPORT);
  });

const USER_FIELDS: ReadonlySet<string> = new Set([
  'userid',
  'name',
  'yomikata',
  'name1st',
  'novel_cnt',
  'review_cnt',
  'novel_length',
  'sum_global_point',
]);

const readUsers = (site: NovelSite) =>
  readWithClient(site, async () => {
    const { items } = await site.source.searchUsers({ st: 1, lim: RECORDS });
    return judgeRecords(site, items, USER_FIELDS);
  });

const check = (id: string, about: string, run: Check<NovelSite>['run']): Check<NovelSite> => ({
  id,
  group: 'novel-site',
  needs: ['network'],
  run,
  title: fillPhrase('The form of {about}', { about }),
});

/** Checks each interface of the novel site with the service's client. */
export const INTERFACE_CHECKS: readonly Check<NovelSite>[] = [
  check('novelapi', 'novelapi', checkNovels('novelapi', {})),
  check(
    'novelapi-of',
    'novelapi, of=..., opt=weekly',
    checkNovels('novelapi', { of: ofCodesServedBy('novelapi'), opt: 'weekly' }),
  ),
  check('novel18api', 'novel18api', checkNovels('novel18api', {})),
  ...RANKING_TYPES.map((type) => check(`rankget-${type}`, `rankget, ${type}`, checkRanking(type))),
  check('rankin', 'rankin', checkHistory),
  check('userapi', 'userapi', readUsers),
];
