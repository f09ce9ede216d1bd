import { dereference } from '../../../kit/test/http/dereference.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { startSampleServices } from '../../../../test/sample-services.ts';
import type { RunningService } from '@mokuroku/kit/service';
import { allowedInJapanese, reasonInJapanese } from './faults-ja.ts';

let services: RunningService[] = [];

beforeAll(async () => {
  const { catalogue, registration, close } = await startSampleServices();
  services = [catalogue, registration];
  return close;
});

interface Fault {
  parameter: string;
  reason: string;
  allowed?: string;
}

/** The faults of a request, in the service's English. */
async function faultsOf(path: string): Promise<Fault[]> {
  const { address = '' } = services[path.startsWith('/v1/') ? 0 : 1] ?? {};
  const body = (await (await fetch(address + path)).json()) as { error?: { details?: Fault[] } };
  const details = body.error?.details;
  return Array.isArray(details) ? details : [];
}

const UNKNOWN = reasonInJapanese('a fault of another version');

/** The texts of faults that have no translation. */
const untranslated = (faults: readonly Fault[]): string[] =>
  faults.flatMap(({ reason, allowed = '' }) => {
    const remedy = allowed.replace(/^at most one: /, '');
    return [
      ...(reasonInJapanese(reason) === UNKNOWN ? [reason] : []),
      ...(remedy !== '' && allowedInJapanese(remedy) === remedy ? [remedy] : []),
    ];
  });

interface PublishedParameter {
  name: string;
  in: 'path' | 'query';
  example?: string | number;
}
type PublishedPaths = Readonly<Record<string, { get: { parameters: readonly unknown[] } }>>;

/** Values that some kind of parameter rejects: of another form, out of bounds, too many, reversed. */
const WRONG_VALUES = [
  '',
  'x',
  '-1',
  '0',
  '9'.repeat(12),
  '9-2',
  '2026-02-02,2026-01-01',
  '2026-02-30',
  '2000-01-01',
  '%FF',
  'all',
  'tr',
  Array.from({ length: 501 }, () => 'N1234A').join(),
  Array.from({ length: 31 }, (_, at) => `w${at}`).join('+'),
];

/** Requests with wrong values of every published parameter: in the path, all of the query at once, and each twice. */
function wrongRequests(path: string, parameters: readonly PublishedParameter[]): string[] {
  const exampleOf = (name: string) => parameters.find((each) => each.name === name)?.example ?? '';
  const valid = path.replace(/\{(\w+)\}/g, (_, name: string) => String(exampleOf(name)));
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query');
  const queryOf = (value: string) => ofQuery.map(({ name }) => `${name}=${value}`);
  return [
    path.replace(/\{\w+\}/, 'x'),
    ...WRONG_VALUES.map((value) => `${valid}?${queryOf(value).join('&')}`),
    `${valid}?${[...queryOf('x'), ...queryOf('x')].join('&')}`,
  ];
}

/** Faults between parameters, and faults of one kind of name: no published parameter leads to them. */
const ofCatalogue = [
  'novels?minlen=9&maxlen=3',
  'novels?length=1&minlen=1',
  'rankings/weekly?date=2026-01-06',
  'rankings/daily?date=2026-01-01&from=2026-01-01',
  'rankings/daily?to=2026-01-01',
  'rankings/daily?from=2026-01-02&to=2026-01-01',
  'rankings/daily?from=2020-01-01&to=2026-01-01',
  'ranking-histories',
  `ranking-histories?ncode=${Array.from({ length: 51 }, (_, at) => `N${1000 + at}A`).join()}`,
].map((request) => `/v1/${request}`);
const ofRegistration = [
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
  ...listOf(`
    a%20b.com | 192.0.2.1 | a:80.com | %F0%9F%98%80..jp | a..com | -a.com | xn--a.com | a_b.com | a.b
  `),
].map((name) => `/${name}`);

describe('the faults of a request', () => {
  it.each([...ofCatalogue, ...ofRegistration])('have a translation: %s', async (path) => {
    const faults = await faultsOf(path);
    expect(faults).not.toEqual([]);
    expect(untranslated(faults)).toEqual([]);
  });

  it('have a translation for wrong values of every parameter that the catalogue publishes', async () => {
    const { address = '' } = services[0] ?? {};
    const document = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: PublishedPaths };
    const endpoints = Object.entries(document.paths).map(([path, { get }]) => ({
      path,
      parameters: get.parameters.map((each) => dereference(document, each) as PublishedParameter),
    }));
    const requests = endpoints.flatMap(({ path, parameters }) => wrongRequests(path, parameters));
    const faults: Fault[] = [];
    for (const request of requests) faults.push(...(await faultsOf(request)));
    const tested = new Set(faults.map(({ parameter }) => parameter));
    const published = endpoints.flatMap(({ parameters }) => parameters.map(({ name }) => name));
    expect(published.filter((name) => !tested.has(name))).toEqual([]);
    expect([...new Set(untranslated(faults))]).toEqual([]);
  });

  it.each([
    ['/v1/novels?lim=501', '500 以下にしてください', '1 から 500 までの整数、数字で'],
    ['/v1/novels?lim=0', '1 以上にしてください', '1 から 500 までの整数、数字で'],
    ['/v1/novels?minlen=9&maxlen=3', 'maxlen（3）以下にしてください', '0 から 3 までの整数、数字で'],
    ['/v1/novels?lim=1&lim=2', '2 回指定されています', '1 つまで: 1 から 500 までの整数、数字で'],
    [
      '/v1/novels?lastup=x',
      '言葉でも時刻でも日付でもありません',
      'thisweek, lastweek, sevenday, thismonth, lastmonth のどれか、またはUnix 時刻の秒（1793458800-1795186799）か日本の日付（2026-11-01,2026-11-20）。一方の端は省けます（2026-11-01,）',
    ],
    [
      '/v1/rankings/daily?from=2020-01-01&to=2020-03-01',
      '61 は、上限の 31 を超えています',
      '2013-05-01 以後の日（YYYY-MM-DD）',
    ],
  ])('have their values in place: %s', async (path, reason, allowed) => {
    const [fault] = await faultsOf(path);
    expect([reasonInJapanese(fault?.reason ?? ''), allowedInJapanese(fault?.allowed ?? '')]).toEqual([
      reason,
      allowed,
    ]);
  });

  it('have the given number before the bound', async () => {
    const ncodes = Array.from({ length: 51 }, (_, at) => `N${1000 + at}A`);
    const requests = [`/v1/ranking-histories?ncode=${ncodes.join()}`, `/${'a.'.repeat(130)}com`];
    const faults = await Promise.all(requests.map(async (path) => (await faultsOf(path))[0]?.reason ?? ''));
    expect(faults.map(reasonInJapanese)).toEqual([
      '51 個は、50 個を超えています',
      '263 文字は、上限の 253 文字を超えています',
    ]);
  });

  it('of a start position have the bound of the upstream', () => {
    expect(reasonInJapanese('the upstream accepts no start position above 2000')).toBe(
      '取得元は 2000 より先から返しません',
    );
  });

  it('of a name that its registry rejects have the server', () => {
    expect(reasonInJapanese('whois.nic.test calls it invalid')).toBe(
      'whois.nic.test が無効な名前と応答しました',
    );
  });
});
