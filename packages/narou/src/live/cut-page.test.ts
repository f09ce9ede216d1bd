import { describe, expect, it } from 'vitest';
import { codeOf, startAnsweredSource } from '../../test/narou-test-source.ts';
import { packed } from '../../../../test/catalogue/loopback-upstream.ts';

const SEARCH = { order: 'new', lim: 20, st: 1 } as const;
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ncode: `N${1_000 + index}AB` }));

describe('a page that the upstream has cut', () => {
  /** An upstream whose n-th response has so many rows of 20, the last one no record. */
  const cutInto = (sizes: readonly number[]) => {
    let part = 0;
    return startAnsweredSource((request, response) => {
      const first = Number(request.query.get('st')) - 1;
      const rows = rowsOf(20).slice(first, first + (sizes[part++] ?? 1));
      packed([{ allcount: 20 }, ...rows.slice(0, -1), rows.length > 5 ? 'nothing' : rows.at(-1)])(
        request,
        response,
      );
    });
  };

  it('is as whole as its parts, and names the unreadable rows of all', async () => {
    const { source, upstream } = await cutInto([8, 8, 4]);
    const page = await source.novels.novelapi.search({ ...SEARCH, of: ['n'] });
    expect([page.allCount, page.items.length, page.unreadable]).toEqual([20, 18, 2]);
    expect(upstream.seen).toHaveLength(3);
  });

  it.each([[[]], [[{ allcount: 0 }]], [[{ allcount: 10 }, ...rowsOf(10).slice(8)]]])(
    'is not whole because a later part says so: %j',
    async (rest) => {
      let requests = 0;
      const rows = [{ allcount: 20 }, ...rowsOf(8).map((row, at) => ({ ...row, userid: at }))];
      const { source } = await startAnsweredSource((...args) =>
        packed(++requests % 2 === 1 ? rows : rest)(...args),
      );
      expect(await codeOf(source.novels.novelapi.search({ ...SEARCH, of: ['n'] }))).toBe('upstream_invalid');
      requests = 0;
      expect(await codeOf(source.searchUsers({ st: 1, lim: 20 }))).toBe('upstream_invalid');
    },
  );

  it('is requested in ten parts at most, also if these get smaller', async () => {
    const { source, upstream } = await cutInto([5]);
    expect(await codeOf(source.novels.novelapi.search({ ...SEARCH, of: ['n'] }))).toBe('upstream_invalid');
    expect(upstream.seen.length).toBeLessThanOrEqual(10);
  });
});
