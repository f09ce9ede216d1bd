import type { CatalogueNovel } from '@mokuroku/narou/scan';
import type { OpenIndex } from '../packages/local-catalogue/src/engine/open-index.ts';
import { novelJudge, numberOf } from '@mokuroku/narou/scan';
import { ncodeToNumber, NOVELAPI_ORDERS } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';

/**
 * Compares totals and pages of searches with a linear scan. All searches share one pass over the records, because a
 * million of them do not fit into memory as objects.
 */
export function compareWithScan(
  novels: Iterable<CatalogueNovel>,
  queries: readonly NovelQuery[],
  index: OpenIndex,
  now: number,
): void {
  const scans = queries.map((query) => {
    const { field, first } = NOVELAPI_ORDERS[query.order];
    const sign = first === 'high' ? -1 : 1;
    return {
      query,
      test: novelJudge(query, now),
      key: (novel: CatalogueNovel) => sign * (numberOf(novel, field) ?? sign * Infinity),
      result: [] as number[][],
    };
  });
  for (const novel of novels) {
    for (const { test, key, result } of scans)
      if (test(novel)) result.push([key(novel), ncodeToNumber(novel.ncode)]);
  }
  let equal = 0;
  for (const { query, result } of scans) {
    result.sort(([a = 0, one = 0], [b = 0, other = 0]) => a - b || one - other);
    const page = result.slice(query.st - 1, query.st - 1 + query.lim).map(([, ncode]) => ncode);
    const { total, ncodes } = index.search(query, () => '');
    const isEqual = total === result.length && ncodes.join() === page.join();
    if (isEqual) equal += 1;
    else console.log(`differs: ${JSON.stringify(query)}: ${total} here, ${result.length} by the scan`);
  }
  console.log(`${equal} of ${queries.length} questions answered as the scan does`);
}
