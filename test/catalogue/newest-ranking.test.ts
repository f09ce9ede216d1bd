import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_AGO, localServices } from '../../packages/mokuroku/test/catalogue/local-services.ts';
import type { LocalService } from '../../packages/mokuroku/test/catalogue/local-services.ts';
import type { TestAnswer } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import { dateOfDay, japanDay, rankingDatesBetween } from '@mokuroku/narou';
import { publishRankings } from '../../packages/local-catalogue/src/local/ranking-files.ts';

const services = localServices();

// The tests run at noon of 2026-11-21 in Japan.
const [TODAY, YESTERDAY, TWO_DAYS_AGO, OLDER] = ['2026-11-21', '2026-11-20', '2026-11-19', '2026-11-10'];
const FIRST = '2026-10-20';

/** A folder with the daily rankings up to a day; null: without rankings. */
async function folderUntil(last: string | null): Promise<string> {
  const dir = services.copyOf(`until-${last}`);
  fs.rmSync(path.join(dir, 'rankings'), { recursive: true });
  const ncode = services.upstream.catalogue.novels()[0]!.ncode;
  const dates = last === null ? [] : rankingDatesBetween('daily', FIRST, last, HOUR_AGO * 1000);
  const put = dates.map((date) => ({
    type: 'daily' as const,
    date,
    fetchedAt: HOUR_AGO,
    rows: [{ ncode, pt: 9, rank: 1 }],
  }));
  if (last !== null) await publishRankings(path.join(dir, 'rankings'), { put });
  return dir;
}

const FOLDERS = { none: null, old: TWO_DAYS_AGO, current: TODAY };
const dirs = {} as Record<keyof typeof FOLDERS, string>;

beforeAll(async () => {
  for (const [name, last] of Object.entries(FOLDERS)) dirs[name as 'none'] = await folderUntil(last);
}, 60_000);

const startOn = async (name: keyof typeof FOLDERS): Promise<LocalService> => services.start(dirs[name]);

type Outcome = [status: number, what: string | undefined];

/** The day in Japan on which the first entry of a feed was published. */
const dateOfFeed = (text: string): string =>
  dateOfDay(japanDay(Date.parse(/<entry .*?<updated>(.*?)</s.exec(text)?.[1] ?? '')));

/** The date of a ranking, or the code of the error, in each form. */
async function outcomes(service: LocalService, date: string | undefined): Promise<Record<string, Outcome>> {
  const query = date === undefined ? '' : `date=${date}&`;
  const get = async (format: string) => service.get(`/v1/rankings/daily?${query}format=${format}`);
  const [json, csv, atom] = [await get('json'), await get('csv'), await get('atom')];
  const failureOf = ({ status, body }: TestAnswer) => (status === 200 ? undefined : body.error.code);
  return {
    json: [json.status, failureOf(json) ?? json.body.meta.date],
    csv: [csv.status, failureOf(csv) ?? csv.text.split('\n')[1]?.slice(0, 10)],
    atom: [atom.status, failureOf(atom) ?? dateOfFeed(atom.text)],
  };
}

const served = (date: string): Record<string, Outcome> =>
  Object.fromEntries(['json', 'csv', 'atom'].map((form) => [form, [200, date]]));
const lacking: Record<string, Outcome> = Object.fromEntries(
  ['json', 'csv', 'atom'].map((form) => [form, [501, 'not_available_here']]),
);

describe('a ranking of a local catalogue is served, or lacks here: only the calendar says that there is none', () => {
  it.each([
    ['none', TODAY, lacking],
    ['none', YESTERDAY, lacking],
    ['none', OLDER, lacking],
    ['none', undefined, lacking],
    ['old', TODAY, lacking],
    ['old', YESTERDAY, lacking],
    ['old', OLDER, served(OLDER)],
    ['old', undefined, served(TWO_DAYS_AGO)],
    ['current', TODAY, served(TODAY)],
    ['current', YESTERDAY, served(YESTERDAY)],
    ['current', OLDER, served(OLDER)],
    ['current', undefined, served(TODAY)],
  ] as const)('rankings: %s, date: %s', async (folder, date, expected) => {
    expect(await outcomes(await startOn(folder), date)).toEqual(expected);
  });

  it('a date in the future is not published, also without rankings', async () => {
    const { get } = await startOn('none');
    const { status, body } = await get('/v1/rankings/daily?date=2026-11-22');
    expect([status, body.error.code]).toEqual([404, 'ranking_not_published']);
  });
});

it('the error says what the catalogue has, or how it gets rankings', async () => {
  const message = async (folder: 'none' | 'old', query: string) =>
    (await (await startOn(folder)).get(`/v1/rankings/daily${query}`)).body.error.message;
  const none = 'lacks rankings. mokuroku harvest --rankings fetches them.';
  expect(await message('none', '')).toBe(`This local catalogue ${none}`);
  expect(await message('old', `?date=${TODAY}`)).toContain(
    `the daily ranking of ${TODAY}. Its newest one is ${TWO_DAYS_AGO}.`,
  );
  expect(await message('old', '/hydrated?date=2026-10-01')).toContain('the daily ranking of 2026-10-01');
});

it('meta.until is the newest ranking, where the answer reaches it; a span ends there', async () => {
  const { get } = await startOn('old');
  const until = async (path: string) => {
    const { status, body } = await get(`/v1/rankings/daily${path}`);
    if (status !== 200) return [status];
    const rankings = body.data as { date?: string }[];
    return [status, path.includes('from') ? rankings.at(-1)?.date : body.meta.date, body.meta.until];
  };
  const newest = [200, TWO_DAYS_AGO, TWO_DAYS_AGO];
  expect(await until('')).toEqual(newest);
  expect(await until('?lim=1')).toEqual(newest);
  expect(await until('/hydrated?of=t')).toEqual(newest);
  expect(await until(`?date=${OLDER}`)).toEqual([200, OLDER, undefined]);
  // Up to the newest one these are 31, up to today 33.
  expect(await until(`?from=${FIRST}`)).toEqual(newest);
  expect(await until(`/hydrated?from=${OLDER}&of=t`)).toEqual(newest);
  expect(await until(`?from=${OLDER}&to=${TODAY}`)).toEqual(newest);
  expect(await until(`?from=${FIRST}&to=${OLDER}`)).toEqual([200, OLDER, undefined]);
  expect(await until(`?from=${YESTERDAY}`)).toEqual([501]);
  expect(await until('?from=2026-11-22')).toEqual([200, undefined, undefined]);
  // The others are named in meta.missing.
  expect(await until('?from=2026-10-01&to=2026-10-21')).toEqual([200, '2026-10-21', undefined]);
});

it('with an upstream for data that the folder lacks, the newest ranking is that of the upstream', async () => {
  const { get } = await services.start(dirs.old, { hasUpstream: true });
  const { body } = await get('/v1/rankings/daily');
  expect([body.meta.date, body.meta.until]).toEqual([TODAY, undefined]);
});
