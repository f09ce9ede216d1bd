import { beforeEach, describe, expect, it } from 'vitest';
import { say, sayByQuery, startAnsweringServer } from '../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../test/client/answering-server.ts';
import { createCatalogueClient } from './index.ts';

let server: AnsweringServer;
beforeEach(async () => {
  server = await startAnsweringServer();
  return server.close;
});

const client = () => createCatalogueClient({ baseUrl: server.baseUrl });
const serve = (bodyOf: Parameters<typeof sayByQuery>[0]) => {
  server.answers = [sayByQuery(bodyOf)];
};
const pageOf = (query: URLSearchParams) => ({ st: Number(query.get('st')), lim: Number(query.get('lim')) });
const ncodesOf = (query: URLSearchParams) => query.get('ncode')?.split(',') ?? [];

describe('the pages of a search under the ceiling of the live upstream', () => {
  /** As the service responds: `all` matches, no position above 2000. */
  const serveRows = (all: number, counted = all, refusedFrom = 2001) => {
    serve((query) => {
      const { st, lim } = pageOf(query);
      if (st >= refusedFrom)
        return { error: { code: 'invalid_parameter', message: 'st', details: [{ parameter: 'st' }] } };
      const data = Array.from({ length: Math.min(lim, all - st + 1) }, (_, row) => ({ ncode: st + row }));
      return { data, meta: { upstreamAllCount: counted } };
    });
  };
  async function walk(lim: number, st?: number) {
    const rows: number[] = [];
    const ends: boolean[] = [];
    for await (const { data, truncated } of client().novelPages({ lim, st, of: ['n'] })) {
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
  it('continue after a full page while the count may lag, and end with a short one', async () => {
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
    serveRows(3000, 3000, 2000);
    await expect(walk(100, 1900)).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect(server.requests).toHaveLength(2);
  });
  it('divide a search by more Ncodes than one request may have', async () => {
    const ncodes = Array.from({ length: 1_201 }, (_, index) => `N${1_000 + index}A`);
    const requests: number[] = [];
    serve((query) => {
      const some = ncodesOf(query);
      requests.push(some.length);
      return { data: some.map((ncode) => ({ ncode })), meta: { upstreamAllCount: some.length } };
    });
    const rows: string[] = [];
    for await (const { data } of client().novelPages({ ncode: ncodes, of: ['n'], lim: 500 }))
      rows.push(...data.map(({ ncode }) => ncode));
    expect([rows, requests]).toEqual([ncodes, [500, 500, 201]]);
  });
  it.each([
    { code: 'invalid_parameter', details: [{ parameter: 'lim' }] },
    { code: 'invalid_parameter', details: [null] },
    { code: 'invalid_parameter', details: 'st' },
    { code: 'overloaded', details: [{ parameter: 'st' }] },
  ])('fail on any other error: %j', async (error) => {
    serveRows(3000);
    const pages = client().novelPages({ lim: 500, st: 1600 });
    await pages.next();
    serve(() => ({ error: { message: '', ...error } }));
    await expect(pages.next()).rejects.toMatchObject({ name: 'MokurokuError', code: error.code });
    expect(server.requests).toHaveLength(2);
  });
});

it('rows without a name are all there, since none can be told from another', async () => {
  serve((query) => {
    const { st, lim } = pageOf(query);
    const data = Array.from({ length: Math.min(lim, 25 - st + 1) }, () => ({ title: '題' }));
    return { data, meta: { upstreamAllCount: 25 } };
  });
  const pages: unknown[] = [];
  for await (const { data, repeated } of client().novelPages({ lim: 10, of: ['t'] }))
    pages.push([data.length, repeated]);
  expect(pages).toEqual([
    [10, 0],
    [10, 0],
    [5, 0],
  ]);
});

it('an empty page is the last one, however many matches the service counts', async () => {
  serve(() => ({ data: [], meta: { upstreamAllCount: 1e15 } }));
  for await (const { data } of client().novelPages()) expect(data).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

it('a service that sends one page whatever the position is not walked without end', async () => {
  serve(() => ({ data: novels(100), meta: { upstreamAllCount: 1e15 } }));
  const ends: unknown[] = [];
  for await (const { data, truncated } of client().novelPages()) ends.push([data.length, truncated]);
  expect([ends[0], ends.length, ends.at(-1)]).toEqual([[100, false], 6, [0, true]]);
});

it('a list is walked to its end while its pages have new rows, however many others they repeat', async () => {
  serve((query) => ({
    data: novels(100 + Math.floor(pageOf(query).st / 100)).slice(-100),
    meta: { upstreamAllCount: 900 },
  }));
  for await (const { data } of client().novelPages({ lim: 100 })) expect(data.length).toBeGreaterThan(0);
  expect(server.requests).toHaveLength(9);
});

const novels = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ncode: `N${1_000 + index}A` }));

it('rows that an earlier page had are left out and counted, and the last page says that others are missing', async () => {
  let request = 0;
  serve((query) => {
    const { st, lim } = pageOf(query);
    // Every second page begins at the end of the one before.
    const shift = request++ % 2 === 1 ? 3 : 0;
    const data = novels(40).slice(Math.max(0, st - 1 - shift), st - 1 - shift + lim);
    return { data, meta: { upstreamAllCount: 40 } };
  });
  const pages: unknown[] = [];
  const seen = new Set<string>();
  for await (const { data, repeated, truncated } of client().novelPages({ lim: 10, of: ['n'] })) {
    for (const { ncode } of data) seen.add(ncode);
    pages.push([data.length, repeated, truncated]);
  }
  expect(pages).toEqual([
    [10, 0, false],
    [7, 3, false],
    [10, 0, false],
    [7, 3, true],
  ]);
  expect(seen.size).toBe(34);
});

it('a page from which the service left out rows is a full one', async () => {
  const all = novels(1_200);
  serve((query) => {
    const { st } = pageOf(query);
    const data = all.slice(st - 1, st + 99).filter((_, index) => index !== 50);
    return { data, meta: { upstreamAllCount: 1_000, unreadable: 1 } };
  });
  let rows = 0;
  for await (const { data } of client().novelPages({ of: ['n'] })) rows += data.length;
  expect(rows).toBe(1_188);
});

it('a page of which all rows are left out is not the last one, and states how many they are', async () => {
  serve((query) => {
    const { st, lim } = pageOf(query);
    const data = st === 3 ? [] : novels(6).slice(st - 1, st - 1 + lim);
    return { data, meta: { upstreamAllCount: 6, ...(st === 3 && { unreadable: 2 }) } };
  });
  const pages: unknown[] = [];
  for await (const { data, meta } of client().novelPages({ lim: 2, of: ['n'] }))
    pages.push([data.length, meta.unreadable]);
  expect(pages).toEqual([
    [2, undefined],
    [0, 2],
    [2, undefined],
  ]);
});

describe('a search by more Ncodes than one request may have', () => {
  const ncodes = Array.from({ length: 1_201 }, (_, index) => `n${1_000 + index}a`);
  const requests: number[] = [];
  beforeEach(() => {
    requests.length = 0;
  });
  /** A service that accepts lists of at most so many Ncodes. */
  const serveAtMost = (most: number, metaOf: (request: number) => object = () => ({})) => {
    serve((query) => {
      const some = ncodesOf(query);
      requests.push(some.length);
      if (some.length > most) return { error: { code: 'uri_too_long', message: '' } };
      const data = some.map((ncode) => ({ ncode }));
      const counts = { upstreamAllCount: some.length, unreadable: 1 };
      return { data, meta: { cached: true, ...counts, ...metaOf(requests.length) } };
    });
  };

  it('is several requests and one answer', async () => {
    serveAtMost(500);
    for (const { data, meta } of [
      await client().novels({ ncode: [...ncodes, 'N1000A'], of: ['n'] }),
      await client().adultNovels({ ncode: ncodes, of: ['n'] }),
    ]) {
      expect(data.map(({ ncode }) => ncode)).toEqual(ncodes.map((each) => each.toUpperCase()));
      expect([meta.upstreamAllCount, meta.unreadable]).toEqual([1_201, 3]);
    }
    expect(requests).toEqual([500, 500, 201, 500, 500, 201]);
  });

  it('names what the source does not know in any part, and is as old as the oldest', async () => {
    const [older, newer] = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
    serveAtMost(500, (request) =>
      request === 1
        ? { asOf: older, cached: false, stale: true, unknown: ['N1000A', 'N1001A'] }
        : { asOf: newer },
    );
    const { meta, response } = await client().novels({ ncode: ncodes, of: ['n'] });
    const unknown = ['N1000A', 'N1001A'];
    expect(meta).toMatchObject({ asOf: older, cached: false, stale: true, unknown });
    expect(response.total).toBe(1_201);
    expect((await client().novels({ ncode: ncodes.slice(0, 501), of: ['n'] })).meta).not.toHaveProperty(
      'unknown',
    );
  });

  it('is as old as its oldest response, and stale if one is', async () => {
    const body = { data: [], meta: { cached: true, upstreamAllCount: 0 } };
    const stale = { Age: '90', 'Cache-Status': 'mokuroku; hit; detail=stale-on-error' };
    for (const answers of [
      [say(200, body, stale), say(200, body)],
      [say(200, body), say(200, body, stale)],
    ]) {
      server.answers = answers;
      const { response } = await client().novels({ ncode: ncodes.slice(0, 501) });
      expect(response).toMatchObject({ ageSeconds: 90, stale: true });
    }
  });

  it('is divided further if the URL is too long, also with few Ncodes', async () => {
    serveAtMost(3);
    const { data } = await client().novels({ ncode: ncodes.slice(0, 5), of: ['n'] });
    expect([data.length, requests]).toEqual([5, [5, 3, 2]]);
    serveAtMost(0);
    await expect(client().novels({ ncode: ncodes.slice(0, 5) })).rejects.toMatchObject({
      code: 'uri_too_long',
    });
  });

  it('is one request if it asks for rows of the whole', async () => {
    serveAtMost(10_000);
    await client().novels({ ncode: ncodes, lim: 10 });
    expect(requests).toEqual([1_201]);
  });
});

it.each([
  { unknown: 5 },
  { upstreamAllCount: { valueOf: 1, toString: 1 } },
  { unreadable: { valueOf: 1, toString: 1 } },
  { asOf: { valueOf: 1, toString: 1 } },
  { until: { valueOf: 1, toString: 1 } },
  { missing: 5 },
  { next: { join: 1 }, more: true },
])('a list with metadata of another form is no response of the service: %j', async (meta) => {
  serve(() => ({ data: [{ ncode: 'N0001A' }], meta }));
  const ncode = Array.from({ length: 501 }, (_, at) => `N${at}A`);
  const calls = [
    client().novels({ ncode }),
    client().novelPages().next(),
    client().userPages().next(),
    client().changesSince().next(),
  ];
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'not_json' });
});
