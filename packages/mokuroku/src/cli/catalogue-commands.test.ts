import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { commandOnSample } from '../../test/cli/command-on-sample.ts';
import { displayWidth } from './text-width.ts';

const { run, someNcode, catalogueUrl, open, close } = commandOnSample();
beforeAll(open);
afterAll(close);

describe('a narrow terminal', () => {
  it.each([
    ['novels --lim 20', 60, 21],
    ['novels --lim 20', 80, 21],
    ['novels --lim 20', 120, 21],
    ['novels 異世界 --of n-t-w-s-k --lim 5', 110, 6],
    ['ranking weekly --of n-t-w --lim 5', 80, 6],
    ['ranking weekly --lim 3', 20, 4],
    ['users --lim 3', 20, 4],
    ['novel NCODE', 60, undefined],
    ['history NCODE', 28, undefined],
  ])('fits %s into %i columns', async (line, columns, rows) => {
    const { code, out } = await run(line.replace('NCODE', await someNcode()), { columns });
    const lines = out.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, rows ?? lines.length]);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
    if (!line.includes('--of')) return;
    // The texts are shortened, never the code.
    expect(out).toContain('…');
    expect(out.match(/\bN\d{4}[A-Z]{1,2}\b/g)).toHaveLength(5);
  });
});

describe('novels', () => {
  it('are searched by words and options, with a hint to the next page', async () => {
    const { code, out, err } = await run('novels 異世界 --order hyoka --lim 3 --st 4 --of n-gp');
    expect(code).toBe(0);
    expect(out).toMatch(/^ *ncode +global_point\n( *N\d{4}[A-Z]{1,2} +\d+\n){3}$/);
    expect(err).toMatch(/Showing 4–6 of [\d,]+; next page: --st 7/);
    expect(err).toContain('sample data');
  });

  it('as JSON are the response of the service, as CSV have a header', async () => {
    const json = JSON.parse((await run('novels --lim 2 --of t-n --json')).out) as {
      data: object[];
      meta: object;
    };
    expect(json.data.map((novel) => Object.keys(novel))).toEqual([
      ['title', 'ncode'],
      ['title', 'ncode'],
    ]);
    expect(json.meta).toMatchObject({ source: 'novelapi' });
    expect((await run('novels --lim 1 --of t-n --csv')).out).toMatch(/^title,ncode\r\n.+\r\n$/);
  });

  it.each(['novels', 'novels --of t-n-g-k', 'novels --adult', 'novels --adult --of t-ng', 'users'])(
    'the CSV of no matches has the header of any other: %s',
    async (search) => {
      const headerOf = async (line: string) => (await run(`${line} --csv`)).out.split('\r\n')[0];
      expect(await headerOf(`${search} zzzzqqqq`)).toBe(await headerOf(`${search} --lim 3`));
    },
  );

  it('for adults are a separate search, which lists ignored options', async () => {
    const { out, err } = await run('novels --adult --genre 101 --nocgenre 2 --lim 1');
    expect(out).toContain('ムーンライトノベルズ(女性向け)');
    expect(err).toContain('ignored parameters: genre');
  });
});

describe('single records', () => {
  it('a novel shows its facts', async () => {
    const ncode = await someNcode();
    const { out } = await run(`novel ${ncode.toLowerCase()}`);
    expect(out).toMatch(/^Title +\S/);
    expect(out).toMatch(new RegExp(`^Ncode +${ncode}$`, 'm'));
  });

  it('a ranking shows its first places, withdrawn novels included', async () => {
    const { out, err } = await run('ranking weekly --date 2026-01-05');
    expect(out.split('\n')[0]).toMatch(/^RANK +POINTS +NCODE +TITLE +AUTHOR +GENRE$/);
    expect(out.trimEnd().split('\n')).toHaveLength(21);
    expect(err).toContain('weekly ranking of 2026-01-05: 20 of 300; all with --lim 300');
  });

  it('several rankings are listed by date, a year of them with several requests', async () => {
    const few = await run('ranking weekly --from 2026-01-01 --to 2026-01-15 --lim 2');
    expect(few.out.match(/2026-01-\d\d/g)).toEqual(['2026-01-05', '2026-01-05', '2026-01-12', '2026-01-12']);
    expect(few.err).toContain('weekly rankings: 2');
    const year = await run('ranking monthly --from 2023-01-01 --to 2026-10-31 --lim 1 --csv');
    expect(year.out.split('\r\n')[0]).toBe('date,rank,pt,ncode');
    expect(new Set(year.out.match(/^\d{4}-\d\d-01/gm)).size).toBe(46);
    const open = await run('ranking daily --from 2026-11-01 --json --lim 1');
    expect((JSON.parse(open.out) as { data: { entries: unknown[] }[] }).data[0]?.entries).toHaveLength(1);
  });

  it('several histories are one request, and unknown novels are named', async () => {
    const ncode = await someNcode();
    const csv = await run(`history ${ncode} N0003TA N9999ZZ --csv --type daily`);
    expect(csv.code).toBe(3);
    expect(csv.out.split('\r\n')[0]).toBe('ncode,rtype,rank,pt,type,date');
    const rows = csv.out.trimEnd().split('\r\n').slice(1);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatch(new RegExp(`^(?:${ncode}|N0003TA),.*,daily,`));
    expect(csv.err).toContain('There is no novel N9999ZZ.');
    const drawn = await run(`history ${ncode} N0003TA`);
    expect([drawn.code, drawn.out.startsWith(ncode)]).toEqual([0, true]);
    expect(drawn.err).toContain('N0003TA never ranked.');
  });

  it('users and a single user are shown', async () => {
    const { out } = await run('users --lim 1 --csv');
    const [userid = '', name = ''] = out.split('\r\n')[1]?.split(',') ?? [];
    expect((await run(`user ${userid}`)).out).toContain(name);
  });
});

it('--ndjson prints a novel once the reader has taken the one before: a slow one fills no memory', async () => {
  const lines = '{"ncode":"N0001A"}\n'.repeat(3);
  const address = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.end(`${lines}{"meta":{"complete":true}}\n`);
  });
  const seen: string[] = [];
  const out = (text: string) => void seen.push(text.trim());
  const flush = async () => {
    for (let i = 0; i < 20; i++) await setImmediate();
    seen.push('taken');
  };
  expect((await run(['novels', '--ndjson', '--base-url', address], { out, flush })).code).toBe(0);
  expect(seen).toEqual(Array.from({ length: 3 }, () => ['{"ncode":"N0001A"}', 'taken']).flat());
});

it.each([
  ['novels --lim 3', 'novels?lim=3'],
  ['novels --lim 3 --of t-g-n --opt weekly', 'novels?lim=3&of=t-g-n&opt=weekly'],
  ['novels --lim 3 --adult', 'r18/novels?lim=3'],
  ['users --lim 3', 'users?lim=3'],
  ['ranking --lim 3 --raw', 'rankings/daily?lim=3'],
  ['ranking --lim 9', 'rankings/daily/hydrated?lim=9'],
  ['ranking --lim 3 --of t-w --genre 9901', 'rankings/daily/hydrated?lim=3&of=t-w&genre=9901'],
  [
    'ranking weekly --from 2026-01-05 --to 2026-01-12 --lim 2',
    'rankings/weekly?from=2026-01-05&to=2026-01-12&lim=2',
  ],
  ['history NCODE --lim 3', 'novels/NCODE/ranking-history?lim=3'],
  ['history N0003TA', 'novels/N0003TA/ranking-history'],
  ['history NCODE N0003TA N9999ZZ', 'ranking-histories?ncode=NCODE,N0003TA,N9999ZZ'],
])('%s --csv prints the CSV of the service', async (line, path) => {
  const ncode = await someNcode();
  const { out } = await run(`${line} --csv`.replace('NCODE', ncode));
  const url = `${catalogueUrl()}/v1/${path.replace('NCODE', ncode)}`;
  const response = await fetch(`${url}${url.includes('?') ? '&' : '?'}format=csv`);
  expect(out).toBe(await response.text());
});

describe('--web', () => {
  it.each([
    ['novels 雨 街 --genre 201 --title', '/?word=%E9%9B%A8+%E8%A1%97&title=1&genre=201'],
    ['novels --adult --nocgenre 2', '/?r18=1&nocgenre=2'],
    ['novel N0001A', '/?ncode=N0001A'],
    ['history N0001A', '/?ncode=N0001A'],
    ['ranking weekly --date 2026-01-05', '/?ranking=weekly&date=2026-01-05'],
    ['users し', '/?authors=%E3%81%97'],
    ['user 12', '/?userid=12'],
    ['whois example.jp --registrar', '/?domain=example.jp&follow=registrar'],
  ])('%s opens %s of the service', async (line, view) => {
    const { code, out, opened } = await run(`${line} --web --base-url localhost:8080/api/`);
    const url = `http://localhost:8080/api${view}`;
    expect([code, out, opened]).toEqual([0, `${url}\n`, [url]]);
  });
});
