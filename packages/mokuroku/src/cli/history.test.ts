import { describe, expect, it } from 'vitest';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { runRecorded } from '../../test/cli/recording-terminal.ts';
import { fromRtype } from '@mokuroku/narou';

const entry = (rtype: string, rank: number) => ({ rtype, rank, pt: 100 - rank, ...fromRtype(rtype) });

describe('the history command', () => {
  /** Runs it against a service whose novel has these entries. */
  async function run(line: string, entries: readonly ReturnType<typeof entry>[]) {
    const meta = { cached: false, tookMs: 1, source: 'rankin' };
    const address = await serveHttp((request, response) => {
      const type = new URL(request.url ?? '', 'http://service').searchParams.get('type');
      const data = entries.filter((each) => type === null || each.type === type);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data, meta }));
    });
    return runRecorded(line.split(' '), { environment: { MOKUROKU_CATALOGUE_URL: address } });
  }
  const entries = [
    entry('20260111-d', 3),
    entry('20260108-d', 5),
    entry('20260110-d', 2),
    entry('20260107-d', 2),
    entry('20260106-w', 7),
    entry('nonsense', 1),
  ];

  it('lists every ranking by period and date, weeks under their Monday', async () => {
    const { out } = await run('history N0001A', entries);
    expect(out.split('\n').map((line) => line.trim().split(/ +/))).toEqual([
      ['PERIOD', 'DATE', 'RANK', 'POINTS'],
      ['daily', '2026-01-07', '2', '98'],
      ['daily', '2026-01-08', '5', '95'],
      ['daily', '2026-01-10', '2', '98'],
      ['daily', '2026-01-11', '3', '97'],
      ['weekly', '2026-01-05', '7', '93'],
      [''],
    ]);
  });

  it('has only one period on request', async () => {
    const { out } = await run('history N0001A --type weekly --csv', entries);
    expect(out).toBe('rtype,rank,pt,type,date\r\n20260106-w,7,93,weekly,2026-01-05\r\n');
  });

  it('writes an Ncode in capitals, however it is given', async () => {
    const address = 'https://ncode.syosetu.com/n0001a/';
    for (const given of ['n0001a', address])
      expect((await run(`history ${given}`, [])).err).toContain('N0001A never ranked.');
  });
});
