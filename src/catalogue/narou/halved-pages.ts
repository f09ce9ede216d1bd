import type { Asker } from '../../upstream/budget.ts';
import type { CatalogueSource, NovelRecord, NovelSource, SearchPage } from '../source/catalogue-source.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { OversizedResponse } from './upstream-failure.ts';

/** A response that is too large is requested in halves, and in quarters: at most seven requests. */
const MAX_HALVINGS = 2;

/** Requests novels, and in halves if the response is too large. */
function withHalves(novels: NovelSource): NovelSource {
  async function searchIn(
    halvings: number,
    query: NovelQuery,
    asker?: Asker,
  ): Promise<SearchPage<NovelRecord>> {
    try {
      return await novels.search(query, asker);
    } catch (error) {
      if (!(error instanceof OversizedResponse) || halvings === 0 || query.lim < 2) throw error;
    }
    const lim = Math.ceil(query.lim / 2);
    const first = await searchIn(halvings - 1, { ...query, lim }, asker);
    const rest = { ...query, st: query.st + lim, lim: query.lim - lim };
    const last = await searchIn(halvings - 1, rest, asker);
    return { allCount: first.allCount ?? last.allCount, items: [...first.items, ...last.items] };
  }

  async function findIn(
    halvings: number,
    ...[ncodes, of, asker]: Parameters<NovelSource['find']>
  ): Promise<Map<string, NovelRecord>> {
    try {
      return await novels.find(ncodes, of, asker);
    } catch (error) {
      if (!(error instanceof OversizedResponse) || halvings === 0 || ncodes.length < 2) throw error;
    }
    const middle = Math.ceil(ncodes.length / 2);
    const first = await findIn(halvings - 1, ncodes.slice(0, middle), of, asker);
    return new Map([...first, ...(await findIn(halvings - 1, ncodes.slice(middle), of, asker))]);
  }

  return {
    applies: novels.applies,
    search: (query, asker) => searchIn(MAX_HALVINGS, query, asker),
    find: (...asked) => findIn(MAX_HALVINGS, ...asked),
  };
}

/** A source whose novels arrive even if a page of them is larger than this service reads. */
export const withHalvedPages = (source: CatalogueSource): CatalogueSource => ({
  ...source,
  novels: {
    novelapi: withHalves(source.novels.novelapi),
    novel18api: withHalves(source.novels.novel18api),
  },
});
