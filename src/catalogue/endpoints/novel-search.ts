import type { NovelInterface } from '../novels/of-fields.ts';
import type { FacetName, NovelQuery } from '../novels/novel-query.ts';
import { canonicalQuery, onlyNcode } from '../novels/search-query.ts';
import { facetKey, withAllCount } from './search-meta.ts';
import { requireAtHand } from './at-hand.ts';
import type { EndpointServices } from './endpoint.ts';
import { novelListQuestion } from './novel-list.ts';
import type { CatalogueQuestion } from './question.ts';

/** Members of a record that a parameter other than `of` adds. */
export const addedFields = (opt: 'weekly' | undefined): string[] =>
  opt === 'weekly' ? ['weekly_unique'] : [];

/** The search of either interface, as a question. `list` is the path of its answers, without `/v1/`. */
export function searchQuestion(
  services: EndpointServices,
  {
    site,
    list,
    query,
    facets,
  }: { site: NovelInterface; list: string; query: NovelQuery; facets: readonly FacetName[] | undefined },
): CatalogueQuestion {
  const { source } = services;
  const isAdult = site === 'novel18api';
  const ncode = onlyNcode(query);

  async function count(names: readonly FacetName[]) {
    const atHand = requireAtHand(source, 'facets');
    return {
      facets: await (isAdult ? atHand.countAdultNovels(query, names) : atHand.countNovels(query, names)),
    };
  }

  return novelListQuestion(services, {
    of: query.of,
    keyFor: (of) => `${list}?${canonicalQuery({ ...query, of })}${facetKey(facets)}`,
    after: addedFields(query.opt),
    single: facets ? undefined : ncode && `${list}/${ncode}`,
    load: async function askSource(asker) {
      const counts = facets && (await count(facets));
      const page = await (isAdult
        ? source.searchAdultNovels(query, asker)
        : source.searchNovels(query, asker));
      return {
        data: page.json ?? page.items,
        meta: withAllCount({ source: site, ...counts }, page.allCount),
      };
    },
  });
}
