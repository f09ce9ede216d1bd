import { describe, expect, it } from 'vitest';
import type { CacheEntry, CacheReader } from '@mokuroku/kit/cache';
import { questionOf } from './catalogue-answer.ts';

/** The metadata of a response that is made of cached ones with these. */
async function metaOfParts(parts: readonly object[]): Promise<object> {
  const question = questionOf({ client: 'c' }, 'k', () =>
    Promise.resolve({
      data: [],
      meta: { source: 'rankin' },
      from: [],
      madeOf: parts.map((meta) => ({ meta }) as CacheEntry),
    }),
  );
  const cache = {} as CacheReader;
  return (await question.load({ signal: new AbortController().signal, background: false, cache })).meta;
}

describe('a response made of others', () => {
  it('is known until the earliest of their days, and as old as the oldest', async () => {
    const meta = await metaOfParts([
      { until: '2026-11-21', asOf: '2026-11-21T10:00:00.000Z' },
      { until: '2026-11-20', asOf: '2026-11-21T11:00:00.000Z' },
      {},
    ]);
    expect(meta).toEqual({ source: 'rankin', until: '2026-11-20', asOf: '2026-11-21T10:00:00.000Z' });
  });

  it('states neither if none of them does', async () => {
    expect(await metaOfParts([{}, {}])).toEqual({ source: 'rankin' });
  });
});
