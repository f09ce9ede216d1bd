import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { say, startAnsweringServer } from '../../../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../../../test/client/answering-server.ts';
import { followedItemKey } from '../shell/shelf.ts';
import type { Facts, FollowedItem } from '../shell/shelf.ts';
import { shelfQuestion } from './shelf-news.ts';

const HOUR = 3_600_000;
const CURSOR = '9f3c2a10-7-12';
const NEXT = '9f3c2a10-8-1';
const NEWEST = { next: NEXT, more: false };

interface Reply {
  status?: number;
  data?: unknown;
  meta?: object;
}

/** Replies of a service by path; a missing one is 501, as on a source without that endpoint. */
let replies: Record<string, Reply | ((query: URLSearchParams) => Reply)>;
let service: AnsweringServer;
beforeAll(async () => {
  service = await startAnsweringServer();
  service.answers = [
    (response, path) => {
      const { pathname, searchParams } = new URL(path, service.baseUrl);
      const reply = replies[pathname] ?? { status: 501 };
      const { status = 200, data, meta = {} } = typeof reply === 'function' ? reply(searchParams) : reply;
      const body = status === 200 ? { data, meta } : { error: { code: 'other', message: 'no' } };
      say(status, body)(response, path);
    },
  ];
  return service.close;
});
beforeEach(() => {
  replies = {};
  service.requests.length = 0;
});

const requestsOf = (pathname: string) =>
  service.requests.map((path) => new URL(path, service.baseUrl)).filter((url) => url.pathname === pathname);

const follow = (id: string, latest: Facts | null = null, kind: FollowedItem['kind'] = 'novel') => ({
  kind,
  id,
  label: `title of ${id}`,
  seen: latest,
  latest,
});
const loadedBefore = (id: string) => follow(id, { progress: 'ongoing' });

/** Loads a shelf from the service; without a cursor from a catalogue that does not record changes. */
async function load(followed: FollowedItem[], cursor?: string) {
  const shelf = { followed, cursor: cursor ?? null };
  const { signal } = new AbortController();
  const { data } = await shelfQuestion(shelf, cursor !== undefined)!.load(service, signal);
  const factsOf = (id: string, kind: FollowedItem['kind'] = 'novel') =>
    data.facts.get(followedItemKey({ kind, id }));
  return { cursor: data.cursor, factsOf };
}

const RECORD = { ncode: 'N0001A', title: '題', noveltype: 1, end: 1, isstop: 0, general_all_no: 3 };
const change = (kind: string, more: object = {}, noticedMsAgo = 2 * HOUR) => ({
  kind,
  ncode: 'N0001A',
  cursor: NEXT,
  noticedAt: new Date(Date.now() - noticedMsAgo).toISOString(),
  ...more,
});
describe('the cursor of a shelf', () => {
  it('stays for an hour after a change: caches may still serve the record from before it', async () => {
    replies['/v1/novels'] = { data: [RECORD] };
    const cursorAfter = async (noticedMsAgo: number) => {
      replies['/v1/changes'] = { data: [change('episode', {}, noticedMsAgo)], meta: NEWEST };
      return (await load([follow('N0001A')], CURSOR)).cursor;
    };
    expect(await cursorAfter(HOUR - 60_000)).toBe(CURSOR);
    expect(await cursorAfter(HOUR + 60_000)).toBe(NEXT);
  });

  it('that has expired is replaced, and all novels are loaded', async () => {
    replies['/v1/novels'] = { data: [RECORD] };
    replies['/v1/changes'] = (query) => (query.has('since') ? { status: 410 } : { data: [], meta: NEWEST });
    const { cursor, factsOf } = await load([loadedBefore('N0001A')], CURSOR);
    expect(cursor).toBe(NEXT);
    expect(factsOf('N0001A')?.facts).toMatchObject({ episodes: 3 });
  });

  it('does not exist if there are too many changes, or the catalogue records none', async () => {
    replies['/v1/novels'] = { data: [RECORD] };
    replies['/v1/changes'] = { data: [change('episode')], meta: { next: NEXT, more: true } };
    expect((await load([loadedBefore('N0001A')], CURSOR)).cursor).toBeNull();
    delete replies['/v1/changes'];
    expect((await load([loadedBefore('N0001A')], CURSOR)).cursor).toBeNull();
    expect(requestsOf('/v1/novels')).toHaveLength(2);
  });
});

describe('the novels of a shelf', () => {
  it('are loaded if they have changed or were never loaded, and no others', async () => {
    replies['/v1/novels'] = { data: [] };
    replies['/v1/changes'] = { data: [change('episode')], meta: NEWEST };
    const followed = [loadedBefore('N0001A'), loadedBefore('N0002A'), follow('N0003A', {}), follow('N0004A')];
    await load(followed, CURSOR);
    const ncodes = requestsOf('/v1/novels').map((url) => url.searchParams.get('ncode'));
    expect(ncodes).toEqual(['N0001A,N0003A,N0004A']);
    service.requests.length = 0;
    replies['/v1/changes'] = { data: [], meta: NEWEST };
    await load([loadedBefore('N0002A')], CURSOR);
    expect(requestsOf('/v1/novels')).toEqual([]);
  });

  it('have their title, episodes, progress and daily rank', async () => {
    replies['/v1/novels'] = { data: [RECORD], meta: { upstreamAllCount: 1 } };
    replies['/v1/rankings/daily'] = { data: [{ ncode: 'N0001A', rank: 1, pt: 1 }] };
    const { factsOf } = await load([follow('N0001A'), follow('N0009A')]);
    expect(factsOf('N0001A')).toEqual({
      label: '題',
      facts: { title: '題', episodes: 3, progress: 'ongoing', rank: 1 },
    });
    expect(factsOf('N0009A')).toEqual({
      label: 'title of N0009A',
      facts: { progress: 'withdrawn', rank: null },
    });
  });

  it('are requested without those of a link or file that are none, and so are the authors', async () => {
    replies['/v1/novels'] = { data: [RECORD] };
    const others = [follow('N1', null), follow('n0001a x', null), follow('tanaka', null, 'author')];
    await load([follow('N0001A'), follow('101', null, 'author'), ...others]);
    const requested = requestsOf('/v1/novels').map(({ searchParams }) => searchParams);
    expect(requested.flatMap((query) => query.get('ncode') ?? [])).toEqual(['N0001A']);
    expect(requested.flatMap((query) => query.get('userid') ?? [])).toEqual(['101']);
  });

  it('are not withdrawn if a local catalogue does not know them', async () => {
    replies['/v1/novels'] = { data: [RECORD], meta: { upstreamAllCount: 1, unknown: ['N0009A'] } };
    const { factsOf } = await load([follow('N0001A'), follow('N0009A')]);
    expect(factsOf('N0009A')?.facts).not.toHaveProperty('progress');
  });

  it('are not withdrawn, nor without a rank, if a row of the response was unreadable', async () => {
    replies['/v1/novels'] = { data: [RECORD], meta: { upstreamAllCount: 2 } };
    replies['/v1/rankings/daily'] = { data: [{ ncode: 'N0001A', rank: 2, pt: 1 }] };
    const { factsOf } = await load([follow('N0001A'), follow('N0009A')]);
    expect(factsOf('N0001A')?.facts).toMatchObject({ rank: 2 });
    expect(factsOf('N0009A')?.facts).toEqual({});
  });

  it.each([404, 501])(
    'have no rank if the rankings are %i, and other failures are reported',
    async (status) => {
      replies['/v1/novels'] = { data: [RECORD] };
      replies['/v1/rankings/daily'] = { status };
      expect((await load([follow('N0001A')])).factsOf('N0001A')?.facts).not.toHaveProperty('rank');
      replies['/v1/rankings/daily'] = { status: 503 };
      await expect(load([follow('N0001A')])).rejects.toMatchObject({ status: 503 });
    },
  );

  it('have the facts of a change that is newer than the record', async () => {
    replies['/v1/novels'] = { data: [RECORD] };
    const factsAfter = async (...changes: object[]) => {
      replies['/v1/changes'] = { data: changes, meta: NEWEST };
      return (await load([follow('N0001A')], CURSOR)).factsOf('N0001A')?.facts;
    };
    expect(await factsAfter(change('episode', { general_all_no: 4 }))).toMatchObject({ episodes: 4 });
    expect(await factsAfter(change('withdrawn'))).toEqual({ progress: 'withdrawn' });
  });
});

describe('the authors of a shelf', () => {
  it('have the number of their novels if all are in the response, and their latest episode', async () => {
    const works = ['2026-11-20 07:00:00', '2026-01-05 07:00:00'].map((general_lastup) => ({
      userid: 7,
      writer: '人',
      general_lastup,
    }));
    const factsOf = async (upstreamAllCount: number) => {
      replies['/v1/novels'] = { data: works, meta: { upstreamAllCount } };
      return (await load([follow('7', null, 'author')])).factsOf('7', 'author');
    };
    const lastup = '2026-11-20 07:00:00';
    expect(await factsOf(500)).toEqual({ label: '人', facts: { works: 2, lastup } });
    expect(await factsOf(501)).toEqual({ label: '人', facts: { lastup } });
    expect(requestsOf('/v1/novels')[0]?.searchParams.get('order')).toBe('new');
  });
});
