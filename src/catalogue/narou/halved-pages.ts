import type { CatalogueSource, NovelSource, OfSelection, ReportProblem } from '../source/catalogue-source.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import { OversizedResponse } from './upstream-failure.ts';

/** Requests of one page, enough to find one oversized record among 500 (22), or two among 100. */
const MAX_REQUESTS = 30;

/** The texts of a record; the synopsis is the longest. */
const TEXTS: readonly OfCode[] = ['t', 'w', 's', 'k'];

/** A selection with smaller records: without the synopsis, then without all texts; undefined if there is none. */
function smallerSelection(upstream: NovelInterface, of: OfSelection): OfSelection {
  const codes = of ?? ofCodesServedBy(upstream);
  const dropped = codes.includes('s') ? ['s'] : TEXTS;
  const smaller = codes.filter((code) => !dropped.includes(code));
  return smaller.length < codes.length ? smaller : undefined;
}

export const halve = <Item>(part: readonly Item[]): readonly Item[][] => {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)].filter(({ length }) => length > 0);
};

/** Fetches something; if the response is too large, its parts, and their parts. */
async function fetchInParts<Query, Found>(
  whole: Query,
  fetch: (part: Query) => Promise<Found>,
  split: (part: Query) => readonly Query[],
): Promise<Found[]> {
  let requestsLeft = MAX_REQUESTS;
  async function fetchPart(part: Query): Promise<Found[]> {
    requestsLeft--;
    try {
      return [await fetch(part)];
    } catch (error) {
      const parts = split(part);
      if (!(error instanceof OversizedResponse) || parts.length === 0 || parts.length > requestsLeft)
        throw error;
      const foundNovels: Found[] = [];
      for (const each of parts) foundNovels.push(...(await fetchPart(each)));
      return foundNovels;
    }
  }
  return fetchPart(whole);
}

/** Requests novels; in halves if the response is too large, and an oversized record without its texts. */
function withHalves(upstream: NovelInterface, novels: NovelSource, report: ReportProblem): NovelSource {
  const reportWithoutTexts = (about: string) => {
    report({ upstream, problem: 'overlong_text', about, count: 1 });
  };

  function splitSearch(query: NovelQuery): readonly NovelQuery[] {
    if (query.lim < 2) {
      const of = smallerSelection(upstream, query.of);
      return of ? [{ ...query, of }] : [];
    }
    const lim = Math.ceil(query.lim / 2);
    return [
      { ...query, lim },
      { ...query, st: query.st + lim, lim: query.lim - lim },
    ];
  }

  const search: NovelSource['search'] = async (whole, requester) => {
    const fetch = async (query: NovelQuery) => {
      const page = await novels.search(query, requester);
      if (query.of !== whole.of) for (const { ncode } of page.items) reportWithoutTexts(String(ncode));
      return page;
    };
    const pages = await fetchInParts(whole, fetch, splitSearch);
    const [first] = pages;
    if (first && pages.length === 1) return first;
    return {
      allCount: pages.find(({ allCount }) => allCount !== undefined)?.allCount,
      items: pages.flatMap(({ items }) => items),
      unreadable: pages.reduce((sum, { unreadable = 0 }) => sum + unreadable, 0),
    };
  };

  const find: NovelSource['find'] = async (ncodes, of, requester) => {
    const fetch = async (part: { readonly ncodes: readonly string[]; readonly of: OfSelection }) => {
      const foundNovels = await novels.find(part.ncodes, part.of, requester);
      if (part.of !== of && foundNovels.value[0]?.state === 'found')
        for (const ncode of part.ncodes) reportWithoutTexts(ncode);
      return foundNovels;
    };
    const foundNovels = await fetchInParts({ ncodes, of }, fetch, (part) => {
      if (part.ncodes.length > 1) return halve(part.ncodes).map((half) => ({ ncodes: half, of }));
      const smaller = smallerSelection(upstream, part.of);
      return smaller ? [{ ...part, of: smaller }] : [];
    });
    return { value: foundNovels.flatMap(({ value }) => value) };
  };

  return { applies: novels.applies, search, find };
}

/** A source that requests oversized pages in halves, and oversized records without their texts. */
export const withHalvedPages = (source: CatalogueSource, report: ReportProblem): CatalogueSource => ({
  ...source,
  novels: {
    novelapi: withHalves('novelapi', source.novels.novelapi, report),
    novel18api: withHalves('novel18api', source.novels.novel18api, report),
  },
});
