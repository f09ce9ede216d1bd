import { z } from 'zod';
import type { Question } from '@mokuroku/kit/cache';
import { ServiceError, text } from '@mokuroku/kit';
import type { LocalQueries, CatalogueSource } from '@mokuroku/narou/source';
import type { FacetName, AdultValues, NovelValues } from '@mokuroku/narou/queries';
import { oneOf } from '@mokuroku/kit/http';
import { ofCodesServedBy } from '@mokuroku/narou';
import type { NovelInterface } from '@mokuroku/narou';
import { canonicalQuery, faultsOfSearch, toNovelQuery, IGNORED_ON_ADULT } from '@mokuroku/narou/queries';
import { UPSTREAM_ERRORS } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import type { AnswerToWrite, FormName } from './forms.ts';
import { novelLines } from './novel-lines.ts';
import { FEEDS, feedCodes, novelTable, searchFeed } from './novel-forms.ts';
import type { FeedName } from './novel-forms.ts';
import type { FeedReader } from '../forms/novel-feed.ts';
import { UNKNOWN_NCODES, questionOf } from './catalogue-answer.ts';
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
  en: 'With format=atom: `episodes` lists the latest episode of each novel as an entry with its own id.',
  ja: 'format=atom で episodes なら、各小説の最新話が、それぞれの ID を持つ 1 件になります。',
  byDefault: 'novels',
  example: 'episodes',
});

/** `meta.facets`, on request. */
export const FACET_COUNTS = {
  facets: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .meta({
      en: 'Number of all matches by value of each field that `facets` names. Values without a match are omitted. Unit: records.',
      ja: '`facets` で挙げた項目の値ごとの件数。0 件の値はありません。 単位: 件。',
      example: { type: { t: 120, r: 45, er: 37 } },
    }),
};

/** Conditions that the contract accepts without effect. The source applies or refuses every other. */
const isIgnored = (site: NovelInterface, name: string): boolean =>
  site === 'novel18api' && IGNORED_ON_ADULT.includes(name);

/** The conditions and facets of a search that have an effect; names of parameters and values (`of=u-g`) without. */
function readSearch(
  { source }: EndpointServices,
  site: NovelInterface,
  { facets: named = [], ...query }: SearchValues['query'],
  form: FormName,
) {
  const { applies } = source.novels[site];
  // Only fields by which the source can filter are counted.
  const facets = named.filter((name) => applies.has(name === 'isstop' ? 'stop' : name));
  const uncounted = named.filter((name) => !facets.includes(name));
  const served = ofCodesServedBy(site);
  // A feed has fields of its own.
  const unserved = form === 'atom' ? [] : (query.of ?? []).filter((code) => !served.includes(code));
  const given = Object.entries(query).filter(([name]) => name !== 'feed' && !isIgnored(site, name));
  return {
    conditions: Object.fromEntries(given) as NovelValues | AdultValues,
    facets,
    ignored: [
      ...Object.keys(query).filter((name) => isIgnored(site, name)),
      ...(uncounted.length > 0 ? [`facets=${uncounted.join(',')}`] : []),
      ...(unserved.length > 0 ? [`of=${unserved.join('-')}`] : []),
    ],
  };
}

/** The common part of the searches of both interfaces. */
export function novelSearch(site: NovelInterface) {
  const isAdult = site === 'novel18api';
  return {
    path: {},
    source: site,
    meta: { ...ALL_COUNT, ...FACET_COUNTS, ...UNKNOWN_NCODES },
    errors: ['invalid_parameter', ...UPSTREAM_ERRORS] as const,
    check: faultsOfSearch,
    withoutEffect: (services: EndpointServices, { query }: SearchValues, form: FormName) =>
      readSearch(services, site, query, form).ignored,
    question: (services: EndpointServices, { query }: SearchValues, form: FormName) => {
      const { conditions, facets } = readSearch(services, site, query, form);
      const requested = form === 'atom' ? { ...conditions, of: feedCodes(site) } : conditions;
      const search = toNovelQuery(site, requested);
      const { source } = services;
      const counted = facets.length === 0 ? '' : `&facets=${facets.join(',')}`;
      const key = `${SITES[site].list}?${canonicalQuery(search)}${counted}`;
      const question = questionOf(services, key, async (requester) => {
        const counts = facets.length > 0 && {
          facets: await requireLocal(source, 'facets').countNovels(site, search, facets),
        };
        const page = await source.novels[site].search(search, requester);
        const { unknown = [] } = page;
        const lacks = unknown.length > 0 && { unknown };
        return searchAnswer(page, search, source.maxStart, { source: site, ...counts, ...lacks });
      });
      return { ...question, next: nextRows(search, source.maxStart) };
    },
    forms: {
      linesDescription: text(
        'A novel per line. The last line is `{"meta": {source, count, asOf, complete}}`. If an error ended the stream, `complete` is false and `error` follows; after an hour it is `upstream_timeout`. Without this line the connection broke, and novels are missing.',
        '小説 1 件につき 1 行。最後の行は `{"meta": {source, count, asOf, complete}}` です。エラーで終わると `complete` は false になり、`error` が続きます（1 時間を過ぎると `upstream_timeout`）。この行がなければ接続が切れており、小説が欠けています。',
      ),
      hasLines: ({ source }: EndpointServices) => source.novels[site].stream !== undefined,
      ndjson: ({ query }: SearchValues, services: EndpointServices) => {
        const { conditions } = readSearch(services, site, query, 'ndjson');
        return novelLines(services, site, { ...toNovelQuery(site, conditions), lim: query.lim ?? Infinity });
      },
      csv: ({ data }: AnswerToWrite, { query: { of, opt } }: SearchValues) =>
        novelTable(data, site, of, { after: addedFields(opt) }),
      atom: (
        answer: AnswerToWrite,
        { query: { feed = 'novels', ...query } }: SearchValues,
        { isSample }: EndpointServices,
        reader: FeedReader,
      ) => searchFeed(answer, toNovelQuery(site, query), { isAdult, isSample: isSample(), ...reader, feed }),
    },
  };
}

/** A novel of either interface with all its fields. */
export function novelQuestion(services: EndpointServices, site: NovelInterface, ncode: string): Question {
  const { source } = services;
  const { list, record } = SITES[site];
  return questionOf(services, `${list}/${ncode}`, async (requester) => {
    const answer = await source.novels[site].find([ncode], undefined, requester);
    const [novel] = answer.value;
    if (novel?.state === 'unknown') throw novel.reason;
    if (novel?.state !== 'found')
      throw new ServiceError('not_found', { message: `There is no ${record} ${ncode}.` });
    return { data: novel.record, meta: { source: site }, from: [answer] };
  });
}
