import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say, startAnsweringServer } from '../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../test/client/answering-server.ts';
import { createCatalogueClient } from './index.ts';

let server: AnsweringServer;
beforeEach(async () => {
  server = await startAnsweringServer();
});
afterEach(() => server.close());

describe('the pages of a search under the ceiling of the live upstream', () => {
  /** As the service responds: `all` matches, no position above 2000. */
  const serveRows = (all: number, counted = all) => {
    server.answers = [
      (response, path) => {
        const query = new URL(path, server.baseUrl).searchParams;
        const [st, lim] = [Number(query.get('st')), Number(query.get('lim'))];
        const refused = { code: 'invalid_parameter', message: 'st', details: [{ parameter: 'st' }] };
        if (st > 2000) say(400, { error: refused })(response, path);
        else {
          const data = Array.from({ length: Math.min(lim, all - st + 1) }, (_, row) => ({ ncode: st + row }));
          say(200, { data, meta: { upstreamAllCount: counted } })(response, path);
        }
      },
    ];
  };
  async function walk(lim: number, st?: number) {
    const rows: number[] = [];
    const ends: boolean[] = [];
    for await (const { data, truncated } of createCatalogueClient({ baseUrl: server.baseUrl }).novelPages({
      lim,
      st,
      of: ['n'],
    })) {
      rows.push(...data.map(({ ncode }) => Number(ncode)));
      expect(data.length).toBeLessThanOrEqual(lim);
      ends.push(truncated);
    }
    return { rows, ends };
  }

  it.each([500, 100, 7, 499])(
    'pages of %i: return 2,499 rows once each and report that there are more',
    async (lim) => {
      serveRows(3000);
      const { rows, ends } = await walk(lim);
      expect(rows).toEqual(Array.from({ length: 2499 }, (_, row) => row + 1));
      expect(ends).toEqual(ends.map((_, page) => page === ends.length - 1));
    },
  );
  it.each([
    [2499, false],
    [2500, true],
  ])('of %i rows are truncated: %s', async (all, isTruncated) => {
    serveRows(all);
    const { rows, ends } = await walk(500);
    expect([rows.length, ends.includes(true)]).toEqual([2499, isTruncated]);
  });
  it('include a last page of one row, and follow a full last page with none', async () => {
    for (const [all, pages] of [
      [201, 3],
      [200, 2],
    ] as const) {
      serveRows(all);
      const { rows, ends } = await walk(100);
      expect([rows.length, ends.length]).toEqual([all, pages]);
    }
  });
  it('go on after a full page while the count may lag, and end with a short one', async () => {
    for (const all of [1_006, 1_200]) {
      serveRows(all, 1_000);
      expect((await walk(100)).rows).toHaveLength(all);
    }
  });
  it('report truncation with an empty page if no row is left', async () => {
    serveRows(3000);
    expect((await walk(500, 2000)).ends).toEqual([false, true]);
  });
  it('fail if the search itself starts beyond', async () => {
    serveRows(3000);
    await expect(walk(100, 2001)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
  it('fail if the last position of the window is refused, without a further request', async () => {
    serveRows(3000);
    const [serve] = server.answers;
    const sent: string[] = [];
    server.answers = [
      (response, path) => {
        sent.push(path);
        serve?.(response, path.replace('st=2000', 'st=2001'));
      },
    ];
    await expect(walk(100, 1900)).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect(sent).toHaveLength(2);
  });
  it('divide a search by more Ncodes than one request may have', async () => {
    const ncodes = Array.from({ length: 1_201 }, (_, index) => `N${1_000 + index}A`);
    const requests: number[] = [];
    server.answers = [
      (response, path) => {
        const some = new URL(path, server.baseUrl).searchParams.get('ncode')?.split(',') ?? [];
        requests.push(some.length);
        const data = some.map((ncode) => ({ ncode }));
        say(200, { data, meta: { upstreamAllCount: some.length } })(response, path);
      },
    ];
    const rows: string[] = [];
    const client = createCatalogueClient({ baseUrl: server.baseUrl });
    for await (const { data } of client.novelPages({ ncode: ncodes, of: ['n'], lim: 500 }))
      rows.push(...data.map(({ ncode }) => ncode));
    expect([rows, requests]).toEqual([ncodes, [500, 500, 201]]);
  });
  it('fail on any other error', async () => {
    serveRows(3000);
    const pages = createCatalogueClient({ baseUrl: server.baseUrl }).novelPages({ lim: 500, st: 1600 });
    await pages.next();
    server.answers = [
      say(400, { error: { code: 'invalid_parameter', message: '', details: [{ parameter: 'lim' }] } }),
    ];
    await expect(pages.next()).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});
