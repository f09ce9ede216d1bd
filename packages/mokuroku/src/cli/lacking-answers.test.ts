import { describe, expect, it } from 'vitest';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { runRecorded } from '../../test/cli/recording-terminal.ts';

/** Runs a command against a service that responds to each request in turn. */
async function run(line: string, answers: readonly { data: unknown; meta: object; age?: string }[]) {
  const queries: URLSearchParams[] = [];
  const address = await serveHttp(({ url = '' }, response) => {
    const { data, meta, age = '0' } = answers[queries.length] ?? { data: [], meta: {} };
    queries.push(new URL(url, 'http://service').searchParams);
    const body = { data, meta: { cached: true, tookMs: 1, source: 'rank', ...meta } };
    response.writeHead(200, { 'Content-Type': 'application/json', Age: age }).end(JSON.stringify(body));
  });
  const environment = { MOKUROKU_CATALOGUE_URL: address };
  return { ...(await runRecorded(line.split(' '), { environment })), requests: queries.length };
}

describe('the rankings of several requests', () => {
  const line = 'ranking daily --from 2026-01-01 --to 2026-02-10';
  const ofDay = (date: string) => ({ date, entries: [{ rank: 1, pt: 2, ncode: 'N0001A' }] });
  const answers = [
    { data: [ofDay('2026-01-01')], meta: { missing: ['2026-01-02'], stale: true }, age: '600' },
    { data: [ofDay('2026-02-01')], meta: { missing: ['2026-02-02'] } },
  ];

  it('name the missing ones of all, and say that some are stale', async () => {
    for (const format of ['', ' --csv']) {
      const { err, requests } = await run(`${line}${format}`, answers);
      expect(requests).toBe(2);
      expect(err).toContain('Missing rankings: 2026-01-02, 2026-02-02.\n');
      expect(err).toContain('data from 10 min ago');
    }
  });

  it('have metadata of all as JSON', async () => {
    const { out } = await run(`${line} --json`, answers);
    const { data, meta } = JSON.parse(out) as { data: unknown[]; meta: object };
    expect(data).toEqual([ofDay('2026-01-01'), ofDay('2026-02-01')]);
    expect(meta).toMatchObject({ missing: ['2026-01-02', '2026-02-02'], stale: true });
  });
});

describe('the histories of one or several requests', () => {
  const line = `history ${Array.from({ length: 51 }, (_, index) => `N${1_000 + index}A`).join(' ')}`;

  it('name the unknown novels of all, and what they do not know', async () => {
    const { err, out } = await run(`${line} --csv`, [
      { data: { N1000A: [] }, meta: { unknown: ['N1001A'], missing: ['20260101-d'] } },
      { data: { N1050A: [] }, meta: { missing: ['20260101-d'], unreadable: 2 } },
    ]);
    expect(out).toBe('ncode,rtype,rank,pt,type,date\r\n');
    expect(err).toContain('Not known whether these novels belong here: N1001A.\n');
    expect(err).toContain('Missing rankings: 20260101-d.\n');
    expect(err).toContain('Unusable rows of the upstream, left out: 2.\n');
    expect(err).toContain('N1050A never ranked, as far as is known.\n');
  });

  it.each([[{ missing: ['20260101-d'] }], [{ unreadable: 1 }]])(
    'without entries say so only as far as is known: %j',
    async (meta) => {
      const { err } = await run('history N1000A', [{ data: [], meta }]);
      expect(err).toContain('N1000A never ranked, as far as is known.\n');
    },
  );

  it('are complete up to the day that all of them know', async () => {
    const [earlier, later] = ['2026-01-05', '2026-01-06'];
    for (const [first, second] of [
      [earlier, later],
      [later, earlier],
      [earlier, undefined],
    ]) {
      const { out } = await run(`${line} --json`, [
        { data: { N1000A: [] }, meta: { until: first } },
        { data: { N1050A: [] }, meta: { until: second } },
      ]);
      expect(JSON.parse(out)).toMatchObject({ meta: { until: earlier } });
    }
  });
});

it('what a table or a file lacks is named, at most twenty of many', async () => {
  const unknown = Array.from({ length: 60 }, (_, index) => `N${2_000 + index}A`);
  for (const line of ['novels', 'novels --csv']) {
    const { err } = await run(line, [{ data: [], meta: { source: 'novelapi', unreadable: 3, unknown } }]);
    expect(err).toContain('Unusable rows of the upstream, left out: 3.\n');
    expect(err).toContain('N2019A (+40).\n');
    expect(err).not.toContain('N2020A');
  }
});
