import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { upstreamUnderTest } from '../../packages/narou/test/upstream-under-test.ts';
import { SWITCHES, describeValues, makeSwitches, parseSwitches } from './switches.ts';
import type { NarouServerSwitches, SwitchName } from './switches.ts';

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

// Each value of each switch by itself: test/scripts/probe-upstream.test.ts.
describe('unknown behaviour of the upstream', () => {
  const noMatch = '[{"allcount":0}]';
  test.each<[Partial<NarouServerSwitches>, string, string]>([
    [{ unknownOrder: 'error' }, 'novel18api/api/?out=json&order=ncodeasc', 'Error: Invalid order.'],
    [{ invalidFilter: 'empty' }, novels('lastup=yesterday'), noMatch],
    [{ invalidFilter: 'empty' }, novels('type=x'), noMatch],
    [{ invalidFilter: 'empty' }, 'userapi/api/?out=json&name1st=A', noMatch],
    [{ badCallback: 'json' }, 'userapi/api/?out=jsonp&userid=1', noMatch],
  ])('%j: %s responds with %s', async (changes, path, expected) => {
    set(changes);
    expect((await see(path)).body).toBe(expected);
  });

  test.each<[Partial<NarouServerSwitches>, string, string[]]>([
    [{ stBeyondWindow: 'serve' }, 'st=2101&lim=3', codes(2100, 2103)],
    [{ invalidNumber: 'prefix' }, 'lim=%203x', codes(0, 3)],
    [{ invalidNumber: 'prefix' }, 'lim=-3', codes(0, 20)],
    [{ invalidFilter: 'ignore' }, 'lim=3&genre=abc&minlen=x&type=q', codes(0, 3)],
  ])('%j: %s returns the right rows', async (changes, query, expected) => {
    set(changes);
    expect(listed((await see(novels(query))).body)).toEqual(expected);
  });

  test('an unknown order means the default one, on novel18api also ncodeasc', async () => {
    const plain = await see('novel18api/api/?out=json&of=n');
    expect(await see('novel18api/api/?out=json&of=n&order=ncodeasc')).toEqual(plain);
    expect(await see('novel18api/api/?out=json&of=n&userid=1&genre=101&notr15=1')).toEqual(plain);
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

  test('maxUrlLength rejects longer URLs with a 414 page', async () => {
    const path = novels('lim=1');
    set({ maxUrlLength: path.length + 1 });
    expect((await see(path)).status).toBe(200);
    expect((await see(`${path}0`)).status).toBe(414);
  });
});

describe('the table of switches', () => {
  test.each(Object.keys(SWITCHES) as SwitchName[])('the first value of %s is its default', (name) => {
    expect(describeValues(name).split(/, | to /)[0]).toBe(String(SWITCHES[name].default));
  });
});

describe('switches as text', () => {
  test('without any, all have their defaults, and each default is a listed value', () => {
    expect(makeSwitches(parseSwitches([]).changes)).toEqual(makeSwitches());
    const all = Object.entries(makeSwitches()).map(([name, value]) => `${name}=${value}`);
    expect(parseSwitches(all)).toEqual({ changes: makeSwitches(), faults: [] });
  });

  test('each listed value is parsed to its type', () => {
    const changes = {
      neverRanked: 'error',
      errorStatus: 400,
      errorGzipped: true,
      latencyMs: 25,
      maxRows: 500,
    };
    const texts = Object.entries(changes).map(([name, value]) => `${name}=${value}`);
    expect(parseSwitches(texts)).toEqual({ changes, faults: [] });
  });

  test('every fault is reported with the valid values', () => {
    const texts = ['neverRanked=maybe', 'nope=1', 'latencyMs=-1', 'status=600', 'toString=1'];
    const { changes, faults } = parseSwitches(texts);
    expect(changes).toEqual({});
    expect(faults.map((fault) => fault.split(';')[0])).toEqual([
      'neverRanked: maybe is not one of empty, error',
      'nope: unknown switch',
      'latencyMs: -1 is not one of 0 to 600000',
      'status: 600 is not one of 0 to 599',
      'toString: unknown switch',
    ]);
  });
});
