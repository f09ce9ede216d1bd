import type { Answer } from './answer.ts';
import type { SearchMeta } from './search-types.ts';

/** Results a page where the search does not say. */
const DEFAULT_PAGE = 100;

interface Page {
  lim?: number | undefined;
  st?: number | undefined;
}

/**
 * The pages of a search, one request each, asked for when the one before has been taken. Ends after the last match.
 * The live upstream reaches no start position above 2000: the page after that rejects, which tells that there is more
 * than was seen; narrow the search.
 */
export async function* pagesOf<Search extends Page, Item>(
  ask: (search: Search) => Promise<Answer<Item[], SearchMeta>>,
  search: Search,
): AsyncGenerator<Answer<Item[], SearchMeta>, void, undefined> {
  const lim = search.lim ?? DEFAULT_PAGE;
  for (let st = search.st ?? 1; ; st += lim) {
    const page = await ask({ ...search, lim, st });
    if (page.data.length > 0) yield page;
    const { upstreamAllCount: all } = page.meta;
    const isLast = all === undefined ? page.data.length < lim : st + lim > all;
    if (isLast || page.data.length === 0) return;
  }
}
