import { describe, expect, it } from 'vitest';
import type { Change } from '../../client/index.ts';
import type { ApiClient } from '../shell/answers.ts';
import { loadShelf } from './shelf-news.ts';

const HOUR = 3_600_000;
const CURSOR = '9f3c2a10-7-12';
const NEXT = '9f3c2a10-8-1';

/** The cursor after a visit of a shelf with one novel, whose last change was noticed so long ago. */
async function cursorAfter(noticedMsAgo: number): Promise<string | null | undefined> {
  const noticedAt = new Date(Date.now() - noticedMsAgo).toISOString();
  const change = { kind: 'episode', ncode: 'N0001A', noticedAt, general_all_no: 4 } as Change;
  const client = {
    changes: () => Promise.resolve({ data: [change], meta: { next: NEXT, more: false } }),
    novels: () => Promise.resolve({ data: [{ ncode: 'N0001A', title: '題' }], meta: {} }),
    ranking: () => Promise.resolve({ data: [], meta: {} }),
  } as unknown as ApiClient;
  const request = {
    novels: ['N0001A'],
    authors: [],
    known: { followed: [], cursor: CURSOR },
    labels: new Map(),
  };
  return (await loadShelf(client, request, new AbortController().signal)).data.cursor;
}

describe('the cursor of a shelf', () => {
  it('stays for an hour after a change: caches may still serve the record from before it', async () => {
    expect(await cursorAfter(HOUR - 60_000)).toBe(CURSOR);
    expect(await cursorAfter(HOUR + 60_000)).toBe(NEXT);
  });
});
