import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalogue } from '../catalogue/main.ts';
import { startRegistration } from '../registration/main.ts';
import type { RunningService } from '../service/open-service.ts';
import { allowedInJapanese, reasonInJapanese } from './faults-ja.ts';

let services: RunningService[] = [];

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent', RATE_LIMIT: '0', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  services = [await startCatalogue(settings), await startRegistration(settings)];
});
afterAll(() => Promise.all(services.map((service) => service.close())));

interface Fault {
  reason: string;
  allowed?: string;
}

/** The faults of a request, in the service's English. */
async function faultsOf(path: string): Promise<Fault[]> {
  const { address = '' } = services[path.startsWith('/v1/') ? 0 : 1] ?? {};
  const { error } = (await (await fetch(address + path)).json()) as { error: { details: Fault[] } };
  return error.details;
}

const ofCatalogue = [
  ...['novels?lim=501', 'novels?lim=0', 'novels?lim=x', 'novels?lim=1&lim=2', 'novels?order=x'],
  ...['novels?type=all', 'novels?type=tr', 'novels?minlen=9&maxlen=3', 'novels?length=1&minlen=1'],
  ...['novels?length=9-2', 'novels?length=x', 'novels?lastup=x', 'novels?lastup=2026-02-02,2026-01-01'],
  ...['novels?ex=2', `novels?word=${Array.from({ length: 31 }, (_, at) => `w${at}`).join('+')}`],
  ...['novels?genre=7', 'novels?of=zz', 'novels?ncode=x', 'novels?userid=x', 'novels?word=%FF'],
  ...['novels?format=x', 'novels?facets=x', 'novels/x', 'r18/novels?xid=1', 'users?name1st=x', 'users/x'],
  ...['rankings/daily?date=2013-01-01', 'rankings/weekly?date=2026-01-06', 'rankings/daily?date=x'],
  ...['rankings/daily?date=2026-01-01&from=2026-01-01', 'rankings/daily?to=2026-01-01', 'rankings/x'],
  ...['rankings/daily?from=2026-01-02&to=2026-01-01', 'rankings/daily?from=2020-01-01&to=2026-01-01'],
  ...['ranking-histories', 'changes?since=x'],
].map((request) => `/v1/${request}`);
const ofRegistration = [
  ...['a%20b.com', '192.0.2.1', 'a:80.com', '%F0%9F%98%80..jp', 'a..com', '-a.com', 'xn--a.com'],
  ...['a_b.com', `${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`, 'a.b'],
].map((name) => `/${name}`);

describe('the faults of a request', () => {
  it.each([...ofCatalogue, ...ofRegistration])('have a translation: %s', async (path) => {
    const faults = await faultsOf(path);
    expect(faults).not.toEqual([]);
    const unknown = reasonInJapanese('a fault of another version');
    expect(faults.filter(({ reason }) => reasonInJapanese(reason) === unknown)).toEqual([]);
    expect(faults.filter(({ allowed }) => allowed && allowedInJapanese(allowed) === allowed)).toEqual([]);
  });

  it.each([
    ['/v1/novels?lim=501', '500 より大きい値です', '1 から 500 までの整数、数字で'],
    ['/v1/novels?lim=0', '1 より小さい値です', '1 から 500 までの整数、数字で'],
    ['/v1/novels?minlen=9&maxlen=3', 'maxlen（3）より大きい値です', '0 から 3 までの整数、数字で'],
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

  it('of a name that its registry rejects have the server', () => {
    expect(reasonInJapanese('whois.nic.test calls it invalid')).toBe(
      'whois.nic.test が無効な名前と応答しました',
    );
  });
});
