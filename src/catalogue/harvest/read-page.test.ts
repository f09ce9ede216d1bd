import { expect, it } from 'vitest';
import type { NovelRecord } from '../source/catalogue-source.ts';
import { readPage } from './read-page.ts';

it('a row without any field of a novel is rejected without a name, and all others are stored', async () => {
  const rows = Array.from({ length: 20 }, (_, place): NovelRecord => ({ ncode: `N${1000 + place}A` }));
  const asked: (number | undefined)[] = [];
  // The upstream's page has one such row; a request by Ncodes never meets it.
  const page = await readPage(
    ({ ncode }) => {
      asked.push(ncode?.length);
      const items = rows.filter((row) => !ncode || ncode.includes(row['ncode'] as string));
      return Promise.resolve({ allCount: 21, items, ...(!ncode && { unreadable: 1 }) });
    },
    { order: 'old', of: ['n', 't'], st: 1, lim: 500 },
  );
  expect(page).toEqual({
    allCount: 21,
    items: rows,
    overlong: [],
    refused: [{ ncode: 'unknown', reason: 'the row has nothing of a novel' }],
  });
  expect(asked).toEqual([undefined, undefined, 10, 10]);
});
