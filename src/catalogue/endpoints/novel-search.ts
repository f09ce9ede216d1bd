import { z } from 'zod';
import type { Question } from '../../cache/cache-entry.ts';
import { ServiceError } from '../../errors.ts';
import type { LocalQueries, CatalogueSource } from '../source/catalogue-source.ts';
import type { FacetName } from '../novels/novel-query.ts';
import { oneOf } from '../novels/parameter-kinds.ts';
import { ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import { canonicalQuery, faultsOfSearch, toNovelQuery } from '../novels/search-query.ts';
import { IGNORED_ON_ADULT } from '../novels/search-conditions.ts';
import type { AdultValues, NovelValues } from '../novels/search-query.ts';
import { UPSTREAM_ERRORS } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import type { AnswerToWrite, FormName } from './forms.ts';
import { novelLines } from './novel-lines.ts';
import { FEEDS, feedCodes, novelTable, searchFeed } from './novel-forms.ts';
import type { FeedName } from './novel-forms.ts';
import { questionOf } from './catalogue-answer.ts';
import { ALL_COUNT, nextRows, searchAnswer } from './search-answer.ts';

/** The path of each interface's responses, without `/v1/`, and the noun for its records. */
const SITES: Readonly<Record<NovelInterface, { list: string; record: string }>> = {
  novelapi: { list: 'novels', record: 'novel' },
  novel18api: { list: 'r18/novels', record: 'adult novel' },
};

/** Members of a record that other parameters than `of` add. */
const addedFields = (opt: 'weekly' | undefined): string[] => (opt === 'weekly' ? ['weekly_unique'] : []);

/** The functions of a local catalogue. Throws not_available_here if the source has none. */
export function requireLocal({ local }: CatalogueSource, what: 'facets' | 'suggestions'): LocalQueries {
  if (local !== undefined) return local;
  throw new ServiceError('not_available_here', {
    message: `The live upstream has no ${what}: they need a local catalogue (CATALOGUE_SOURCE=local) or the sample.`,
  });
}

interface SearchValues {
  query: (NovelValues | AdultValues) & { facets?: FacetName[]; feed?: FeedName };
}

/** Kind of the entries of a search's feed. */
export const FEED = oneOf(FEEDS, {
  description:
    'With format=atom: `episodes` lists the latest episode of each novel as an entry with its own id.',
  byDefault: 'novels',
  example: 'episodes',
});

/** `meta.facets`, on request. */
const FACET_COUNTS = {
  facets: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .meta({
      description:
        'Number of all matches by value of each field that `facets` names. Values without a match are omitted. Unit: records.',
      example: { type: { t: 120, r: 45, er: 37 } },
    }),
};

/** Whether the source can filter by the field of a facet: other fields are not counted. */
const isCounted = ({ source }: EndpointServices, site: NovelInterface, facet: FacetName): boolean =>
  source.novels[site].applies.has(facet === 'isstop' ? 'stop' : facet);

/** Conditions that the contract accepts without effect. The source applies or refuses every other. */
const isIgnored = (site: NovelInterface, name: string): boolean =>
  site === 'novel18api' && IGNORED_ON_ADULT.includes(name);

/** The parameters without those that have no effect. */
function appliedOf(
  services: EndpointServices,
  site: NovelInterface,
  { facets, ...query }: SearchValues['query'],
): SearchValues['query'] {
  const applied = Object.entries(query).filter(([name]) => !isIgnored(site, name));
  const counted = facets?.filter((name) => isCounted(services, site, name)) ?? [];
  return {
    ...(Object.fromEntries(applied) as SearchValues['query']),
    ...(counted.length > 0 && { facets: counted }),
  };
}

/** Names of the parameters and of the values (`of=u-g`) without effect. */
function namesWithoutEffect(site: NovelInterface) {
  const served = ofCodesServedBy(site);
  return (
    services: EndpointServices,
    { query: { facets = [], ...query } }: SearchValues,
    form: FormName,
  ): string[] => {
    const uncountedFacets = facets.filter((name) => !isCounted(services, site, name));
    // A feed has fields of its own.
    const unservedFields = form === 'atom' ? [] : (query.of ?? []).filter((code) => !served.includes(code));
    return [
      ...Object.keys(query).filter((name) => isIgnored(site, name)),
      ...(uncountedFacets.length > 0 ? [`facets=${uncountedFacets.join(',')}`] : []),
      ...(unservedFields.length > 0 ? [`of=${unservedFields.join('-')}`] : []),
    ];
  };
}

/** The common part of the searches of both interfaces. */
export function novelSearch(site: NovelInterface) {
  const isAdult = site === 'novel18api';
  return {
    path: {},
    source: site,
    meta: { ...ALL_COUNT, ...FACET_COUNTS },
    errors: ['invalid_parameter', ...UPSTREAM_ERRORS] as const,
    check: faultsOfSearch,
    withoutEffect: namesWithoutEffect(site),
    question: (services: EndpointServices, { query }: SearchValues, form: FormName) => {
      const { facets, ...given } = appliedOf(services, site, query);
      delete given.feed;
      const requested = form === 'atom' ? { ...given, of: feedCodes(site) } : given;
      const search = toNovelQuery(site, requested);
      const { source } = services;
      const counted = facets === undefined ? '' : `&facets=${facets.join(',')}`;
      const key = `${SITES[site].list}?${canonicalQuery(search)}${counted}`;
      const question = questionOf(services, key, async (requester) => {
        const counts = facets && {
          facets: await requireLocal(source, 'facets').countNovels(site, search, facets),
        };
        const page = await source.novels[site].search(search, requester);
        return searchAnswer(page, search, source.maxStart, { source: site, ...counts });
      });
      return { ...question, next: nextRows(search, source.maxStart) };
    },
    forms: {
      linesDescription:
        'A novel per line. The last line is `{"meta": {source, count, asOf, complete}}`. If an error ended the stream, `complete` is false and `error` follows; after an hour it is `upstream_timeout`. Without this line the connection broke, and novels are missing.',
      hasLines: ({ source }: EndpointServices) => source.novels[site].stream !== undefined,
      ndjson: ({ query }: SearchValues, services: EndpointServices) => {
        const requested = appliedOf(services, site, query);
        delete requested.facets;
        delete requested.feed;
        return novelLines(services, site, { ...toNovelQuery(site, requested), lim: query.lim ?? Infinity });
      },
      csv: ({ data }: AnswerToWrite, { query: { of, opt } }: SearchValues) =>
        novelTable(data, site, of, { after: addedFields(opt) }),
      atom: (
        answer: AnswerToWrite,
        { query: { feed = 'novels', ...query } }: SearchValues,
        { isSample }: EndpointServices,
        origin: string,
      ) => searchFeed(answer, toNovelQuery(site, query), { isAdult, isSample, origin, feed }),
    },
  };
}

/** A novel of either interface with all its fields. */
export function novelQuestion(services: EndpointServices, site: NovelInterface, ncode: string): Question {
  const { source } = services;
  const { list, record } = SITES[site];
  return questionOf(services, `${list}/${ncode}`, async (requester) => {
    const answer = await source.novels[site].find([ncode], undefined, requester);
    const novel = answer.value.get(ncode);
    if (novel === undefined)
      throw new ServiceError('not_found', { message: `There is no ${record} ${ncode}.` });
    return { data: novel, meta: { source: site }, from: [answer] };
  });
}
