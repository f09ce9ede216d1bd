import type { SourceProblem } from '../../catalogue/source/catalogue-source.ts';
import type { NovelQuery } from '../../catalogue/novels/novel-query.ts';
import { USER_FIELDS } from '../../catalogue/narou/userapi.ts';
import { OF_FIELDS, ofCodesServedBy } from '../../catalogue/novels/of-fields.ts';
import type { NovelInterface } from '../../catalogue/novels/of-fields.ts';
import { RANKING_TYPES, newestPublishedDate, toRtype } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { REPORT_IT, UNDETERMINED, broken, checksOf, ok, warning } from '../check.ts';
import type { Check, Finding, Need, Row } from '../check.ts';
import { NEWEST, openPointRows } from './open-points.ts';
import type { NovelSite } from './site.ts';
import { same, text } from '../../process/text.ts';

const OFF_SECONDS = 5;
/** Rankings are requested by date, and nothing older than 14 days may be served. */
const WRONG_SECONDS = 60;

/** This machine's clock against a stated one (NaN: none was), with a precision of a second. */
export function judgeClock(offMs: number): Finding {
  if (Number.isNaN(offMs)) {
    return warning(text('the reply has no date to compare with', '応答に日付がありません'));
  }
  const seconds = Math.abs(Math.round(offMs / 1_000));
  const message = text(`${seconds} s off the clock of the server`, `サーバーの時計との差 ${seconds} 秒`);
  if (seconds <= OFF_SECONDS) return ok(message);
  return (seconds > WRONG_SECONDS ? broken : warning)(
    message,
    text(
      'Set the clock of this machine, best by NTP: dates of rankings and ages depend on it.',
      '時計を合わせてください（NTP がおすすめ）。ランキングの日付と古さの判断に使います。',
    ),
  );
}

/** Unknown fields, and codes without a label, are passed on. */
const HARMLESS: ReadonlySet<SourceProblem['problem']> = new Set(['unknown_code', 'overlong_text']);

/** The number of records and of their fields, or the undocumented fields if there are any. */
function judgeRecords(site: NovelSite, documented: readonly string[]): Finding {
  const { records = [] } = site.lastReply() ?? {};
  const fields = [...new Set(records.flatMap((record) => Object.keys(record ?? {})))];
  const unknown = fields.filter((field) => !documented.includes(field)).join(', ');
  if (unknown !== '') return warning(text(`new fields: ${unknown}`, `新しい項目: ${unknown}`), REPORT_IT);
  return ok(
    text(
      `${records.length} records of ${fields.length} fields`,
      `${records.length} 件、${fields.length} 項目`,
    ),
  );
}

async function readNovels(site: NovelSite, source: NovelInterface, selection: Partial<NovelQuery> = {}) {
  await site.source.novels[source].search({ st: 1, lim: 20, order: 'new', ...selection });
  const codes: readonly string[] = ofCodesServedBy(source);
  const fields = OF_FIELDS.filter(({ code }) => codes.includes(code)).map(({ field }) => field);
  // Without `of` also `gensaku`, which no code selects (manuals).
  return judgeRecords(site, [...fields, 'novel_type', 'gensaku', 'weekly_unique']);
}

const RANKED = 300;

async function readRanking(site: NovelSite, type: RankingType): Promise<Finding> {
  const date = newestPublishedDate(type, site.now());
  const { value: entries } = await site.source.getRanking(type, date);
  if (entries === undefined) {
    return broken(text(`the ranking of ${date} is missing`, `${date} のランキングがありません`), REPORT_IT);
  }
  const isRegular = entries.length === RANKED && entries.every(({ rank }, index) => rank === index + 1);
  if (isRegular) return ok(text(`${date}: the ranks 1 to ${RANKED}`, `${date}: 1〜${RANKED} 位`));
  return warning(
    text(`${date}: not the ranks 1 to ${RANKED}`, `${date}: 1〜${RANKED} 位ではありません`),
    REPORT_IT,
  );
}

async function readHistory(site: NovelSite): Promise<Finding> {
  const date = newestPublishedDate('daily', site.now());
  const { value: [first] = [] } = await site.source.getRanking('daily', date);
  if (first === undefined) return UNDETERMINED;
  const { value: entries = [] } = await site.source.getRankingHistory(first.ncode);
  const rtype = toRtype('daily', date);
  if (entries.some((entry) => entry.rtype === rtype && entry.rank === 1)) {
    return ok(text(`${entries.length} rankings`, `ランキング ${entries.length} 回分`));
  }
  return broken(
    text(
      `the first of ${date} does not have it in its history`,
      `${date} の 1 位の履歴に、その日がありません`,
    ),
    REPORT_IT,
  );
}

async function readUsers(site: NovelSite): Promise<Finding> {
  await site.source.searchUsers({ st: 1, lim: 20 });
  return judgeRecords(site, USER_FIELDS);
}

/** Checks of the novel site. The first, of a maintenance, shows whether it responds at all. */
export function siteChecks(site: NovelSite, network: Need): Check[] {
  /** An interface, read with the service's client. Its complaints precede the finding. */
  const form = (id: string, about: string, read: () => Promise<Finding>): Row => ({
    id,
    title: text(`The form of ${about}`, `${about} の形`),
    run: async () => {
      site.problems.length = 0;
      const finding = await read();
      if (site.problems.length === 0) return finding;
      const isHarmless = site.problems.every(({ problem }) => HARMLESS.has(problem));
      const listed = site.problems.map(
        ({ problem, about: field, count }) => `${problem} ${field.split(' of ')[0] ?? ''} (${count})`,
      );
      return (isHarmless ? warning : broken)(same(listed.join(', ')), REPORT_IT);
    },
  });
  const weekly = { of: ofCodesServedBy('novelapi'), opt: 'weekly' } as const;
  const rows: Row[] = [
    {
      id: 'clock',
      title: text('The clock of this machine', 'このマシンの時計'),
      run: async () => judgeClock((await site.request(NEWEST)).clockOffMs),
    },
    form('novelapi', 'novelapi', () => readNovels(site, 'novelapi')),
    form('novelapi-of', 'novelapi, of=..., opt=weekly', () => readNovels(site, 'novelapi', weekly)),
    form('novel18api', 'novel18api', () => readNovels(site, 'novel18api')),
    ...RANKING_TYPES.map((type) =>
      form(`rankget-${type}`, `rankget, ${type}`, () => readRanking(site, type)),
    ),
    form('rankin', 'rankin', () => readHistory(site)),
    form('userapi', 'userapi', () => readUsers(site)),
  ];
  const needs = [network, site.replies];
  const openPoints = checksOf('open-points', needs, openPointRows(site));
  return [...openPoints.slice(0, 1), ...checksOf('novel-site', needs, rows), ...openPoints.slice(1)];
}

/** Maximum number of requests, each a second apart. */
export const SITE_REQUESTS = 48;
