import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { upstreamUnderTest } from '../../../test/catalogue/upstream-under-test.ts';
import type { NarouServerSwitches } from './switches.ts';

const upstream = upstreamUnderTest();
const { catalogue } = upstream;

interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

const see = async (path: string): Promise<Seen> => {
  const response = await fetch(`${upstream.server.url}/${path}`, { headers: { 'user-agent': 'test' } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = bytes[0] === 0x1f ? `gzip:${gunzipSync(bytes).toString()}` : bytes.toString();
  return { status: response.status, type: response.headers.get('content-type'), body };
};

const set = (changes: Partial<NarouServerSwitches>): void =>
  void Object.assign(upstream.server.switches, changes);

const novels = (query: string): string => `novelapi/api/?out=json&of=n&order=ncodeasc&${query}`;
const codes = (from: number, to: number): string[] =>
  catalogue
    .novels()
    .slice(from, to)
    .map((novel) => novel.ncode);
const listed = (body: string): string[] =>
  (JSON.parse(body) as { ncode?: string }[]).slice(1).map((row) => row.ncode ?? '');

describe('unknown behaviour of the upstream', () => {
  const never = catalogue.novels().find((novel) => catalogue.rankingHistory(novel.ncode)?.length === 0);

  // A request, the value of a switch, and the expected body.
  const noMatch = '[{"allcount":0}]';
  test.each<[Partial<NarouServerSwitches>, string, string]>([
    [{ neverRanked: 'empty' }, `rank/rankin/?out=json&ncode=${never?.ncode ?? ''}`, '[]'],
    [
      { neverRanked: 'error' },
      `rank/rankin/?out=json&ncode=${never?.ncode ?? ''}`,
      'Error: Novel not found.',
    ],
    [{ unpublishedRanking: 'empty' }, 'rank/rankget/?out=json&rtype=20301105-w', '[]'],
    [{ unpublishedRanking: 'error' }, 'rank/rankget/?out=json&rtype=20301105-w', 'Error: Invalid date.'],
    [{ tooEarlyRanking: 'error' }, 'rank/rankget/?out=json&rtype=20120501-m', 'Error: Invalid date.'],
    [{ tooEarlyRanking: 'empty' }, 'rank/rankget/?out=json&rtype=20120501-m', '[]'],
    [{ unknownOrder: 'error' }, novels('order=hyouka'), 'Error: Invalid order.'],
    [{ unknownOrder: 'error' }, 'novel18api/api/?out=json&order=ncodeasc', 'Error: Invalid order.'],
    [{ invalidFilter: 'empty' }, novels('genre=abc'), noMatch],
    [{ invalidFilter: 'error' }, novels('genre=abc'), 'Error: Invalid parameter genre.'],
    [{ invalidFilter: 'empty' }, novels('lastup=yesterday'), noMatch],
    [{ invalidFilter: 'empty' }, novels('type=x'), noMatch],
    [{ invalidFilter: 'empty' }, 'userapi/api/?out=json&name1st=A', noMatch],
    [{ limAboveMax: 'error' }, novels('lim=501'), 'Error: Invalid lim.'],
    [{ limZero: 'error' }, novels('lim=0'), 'Error: Invalid lim.'],
    [{ stZero: 'error' }, novels('st=0'), 'Error: Invalid st.'],
    [{ stBeyondWindow: 'error' }, novels('st=2001'), 'Error: Invalid st.'],
    [{ invalidNumber: 'error' }, novels('lim=ten'), 'Error: Invalid lim.'],
    [{ ofAllUnknown: 'error' }, 'novelapi/api/?out=json&of=zz', 'Error: Invalid of.'],
    [{ adultForeignFilters: 'error' }, 'novel18api/api/?userid=1', 'Error: Invalid parameter userid.'],
    [{ emptyUsers: 'allcount' }, 'userapi/api/?out=json&userid=1', noMatch],
    [{ emptyUsers: 'list' }, 'userapi/api/?out=json&userid=1', '[]'],
    [{ unknownOut: 'error' }, 'novelapi/api/?out=xml', 'Error: Invalid out.'],
    [{ badCallback: 'json' }, 'userapi/api/?out=jsonp&userid=1', noMatch],
    [{ maintenance: 'text200' }, 'novelapi/api/?out=json', 'Under maintenance'],
  ])('%j: %s responds with %s', async (changes, path, expected) => {
    set(changes);
    expect((await see(path)).body).toBe(expected);
  });

  test.each<[Partial<NarouServerSwitches>, string, string[]]>([
    [{ limAboveMax: 'clamp' }, 'lim=9999', codes(0, 500)],
    [{ limAboveMax: 'default' }, 'lim=9999', codes(0, 20)],
    [{ limZero: 'default' }, 'lim=0', codes(0, 20)],
    [{ limZero: 'one' }, 'lim=0', codes(0, 1)],
    [{ limZero: 'empty' }, 'lim=0', []],
    [{ stZero: 'first' }, 'st=0&lim=3', codes(0, 3)],
    [{ stZero: 'empty' }, 'st=0&lim=3', []],
    [{ stBeyondWindow: 'empty' }, 'st=2001&lim=3', []],
    [{ stBeyondWindow: 'clamp' }, 'st=2001&lim=3', codes(1999, 2002)],
    [{ stBeyondWindow: 'serve' }, 'st=2101&lim=3', codes(2100, 2103)],
    [{ invalidNumber: 'default' }, 'lim=3x', codes(0, 20)],
    [{ invalidNumber: 'prefix' }, 'lim=3x', codes(0, 3)],
    [{ invalidNumber: 'prefix' }, 'lim=%203x', codes(0, 3)],
    [{ invalidNumber: 'prefix' }, 'lim=-3', codes(0, 20)],
    [{ invalidFilter: 'ignore' }, 'lim=3&genre=abc&minlen=x&type=q', codes(0, 3)],
    [{ firstupFilter: 'ignored' }, 'lim=3&firstup=1-2', codes(0, 3)],
    [{ firstupFilter: 'works' }, 'lim=3&firstup=1-2', []],
  ])('%j: %s returns the right rows', async (changes, query, expected) => {
    set(changes);
    expect(listed((await see(novels(query))).body)).toEqual(expected);
  });

  test('an unknown order means the default one, on novel18api also ncodeasc', async () => {
    const plain = await see('novel18api/api/?out=json&of=n');
    expect(await see('novel18api/api/?out=json&of=n&order=ncodeasc')).toEqual(plain);
    expect(await see('novel18api/api/?out=json&of=n&userid=1&genre=101&notr15=1')).toEqual(plain);
  });

  test.each([
    ['all', 38],
    ['empty', 0],
  ] as const)('ofAllUnknown=%s gives records of %i fields', async (ofAllUnknown, fields) => {
    set({ ofAllUnknown });
    const rows = JSON.parse((await see('novelapi/api/?out=json&lim=2&of=zz')).body) as object[];
    expect(rows.slice(1).map((row) => [Array.isArray(row), Object.keys(row).length])).toEqual(
      Array(2).fill([fields === 0, fields]),
    );
  });

  test('keyOrder and weeklyUniquePosition move keys', async () => {
    const keys = async () =>
      (await see('novelapi/api/?out=json&lim=1&of=gp-n-nt-t&opt=weekly')).body
        .match(/"[a-z_]+":(?=.)/g)
        ?.slice(1);
    const canonical = await keys();
    set({ keyOrder: 'requested', weeklyUniquePosition: 'first' });
    expect(canonical).toEqual([
      '"title":',
      '"ncode":',
      '"noveltype":',
      '"global_point":',
      '"weekly_unique":',
    ]);
    expect(await keys()).toEqual([
      '"weekly_unique":',
      '"global_point":',
      '"ncode":',
      '"noveltype":',
      '"title":',
    ]);
    const users = await see('userapi/api/?out=json&lim=1&of=n-u');
    expect(users.body).toMatch(/\{"name":".*","userid":\d+\}/);
  });

  test('noName1st=empty sends an empty string instead of null', async () => {
    const named = 'userapi/api/?out=json&of=1&word=404';
    expect((await see(named)).body).toBe('[{"allcount":1},{"name1st":null}]');
    set({ noName1st: 'empty' });
    expect((await see(named)).body).toBe('[{"allcount":1},{"name1st":""}]');
  });

  test('staleAllcount: large counts are wrong and differ between pages, small ones are right', async () => {
    set({ staleAllcount: true });
    const count = async (query: string) =>
      (JSON.parse((await see(novels(query))).body) as [{ allcount: number }])[0].allcount;
    expect(await count('st=1')).toBeLessThan(catalogue.novels().length);
    expect(await count('st=1')).not.toBe(await count('st=3'));
    expect(await count(`ncode=${codes(0, 5).join('-')}`)).toBe(5);
  });

  test('errorStatus and errorGzipped change only status and compression of plain-text errors', async () => {
    const error = 'rank/rankget/?gzip=5&out=json&rtype=20261118-w';
    expect(await see(error)).toMatchObject({ status: 200, body: 'DATE ERROR[2]' });
    set({ errorStatus: 400, errorGzipped: true });
    expect(await see(error)).toMatchObject({ status: 400, body: 'gzip:DATE ERROR[2]' });
    expect(await see(error.replace('gzip=5&', ''))).toMatchObject({ status: 400, body: 'DATE ERROR[2]' });
    expect(await see('novelapi/api/?out=json&ncode=N0000A')).toMatchObject({ status: 200, body: noMatch });
  });

  test('contentType sets the type of the response', async () => {
    const types = async () =>
      Promise.all(
        ['out=json&', 'out=json&gzip=1&', 'out=atom&'].map(
          async (out) => (await see(`novelapi/api/?${out}lim=1`)).type,
        ),
      );
    expect(await types()).toEqual([
      'application/json; charset=utf-8',
      'application/x-gzip',
      'text/plain; charset=utf-8',
    ]);
    set({ contentType: 'html' });
    expect(await types()).toEqual(Array(3).fill('text/html; charset=UTF-8'));
    set({ contentType: 'none' });
    expect(await types()).toEqual([null, null, null]);
  });

  test.each([
    ['html503', 503, '<!DOCTYPE html>'],
    ['html200', 200, '<!DOCTYPE html>'],
    ['text503', 503, 'Under maintenance'],
  ] as const)('maintenance=%s responds with status %i and %s', async (maintenance, status, start) => {
    set({ maintenance });
    const seen = await see('rank/rankin/?out=json&ncode=n1');
    expect([seen.status, seen.body.startsWith(start)]).toEqual([status, true]);
  });

  test('maxUrlLength rejects longer URLs with a 414 page', async () => {
    const path = novels('lim=1');
    set({ maxUrlLength: path.length + 1 });
    expect((await see(path)).status).toBe(200);
    expect((await see(`${path}0`)).status).toBe(414);
  });
});
