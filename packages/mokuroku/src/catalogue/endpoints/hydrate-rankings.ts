import { hash } from 'node:crypto';
import { toErrorBody } from '@mokuroku/kit';
import type { ErrorBody, ServiceError } from '@mokuroku/kit';
import { errorOf } from '@mokuroku/kit/cache';
import type { CacheEntry, CachePolicy, Question } from '@mokuroku/kit/cache';
import { MAX_RANKS, SERVED_CODES, rankingDateBefore, rankingPublication } from '@mokuroku/narou';
import type { DatedRanking, RankingEntry, RankingType } from '@mokuroku/narou';
import {
  CONDITION_NAMES,
  canonicalQuery,
  codesRead,
  selectFields,
  withRanges,
} from '@mokuroku/narou/queries';
import type { NovelConditions, RankingFilterValues, SearchCondition } from '@mokuroku/narou/queries';
import { novelJudge } from '@mokuroku/narou/scan';
import type { NovelRecord, OfSelection } from '@mokuroku/narou/source';
import { HYDRATED_RANKING, PAST_HYDRATED_RANKING, RANKING, WITH_UNKNOWN } from './cache-policies.ts';
import { bytesANovel, questionOf, rankingsOf } from './catalogue-answer.ts';
import type { CatalogueAnswer, EndpointMeta, PartReader } from './catalogue-answer.ts';
import type { EndpointServices } from './endpoint.ts';
import { datesOf, dueRanking, rankingsBetween, requestedRanking } from './ranking-questions.ts';

// One walk over one or several rankings: each novel is read, judged and written once, then each ranking is put together
// from these texts. Every batch of novels and every ranking is a turn of the event loop.

/** The ranking of a date, the newest, or those of a span; filters and order, which no source needs to have. */
interface RankingQuery extends RankingFilterValues {
  date?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Maximum number of entries of each ranking. */
  lim?: number | undefined;
}

/** Reads the filters among the values of a request. `key`: the same for equal ones; empty if all entries remain, by rank. */
export function readNarrowing({ lim, order, worktype, ...values }: RankingQuery) {
  const given = Object.entries(values).filter(([name]) => CONDITION_NAMES.has(name));
  const conditions: NovelConditions = { ...withRanges(Object.fromEntries(given)), type: worktype };
  const hasFilter = Object.values(conditions).some((value) => value !== undefined);
  const isByRise = order === 'rise';
  const key = canonicalQuery({ ...conditions, order: isByRise ? order : undefined });
  return { conditions, hasFilter, isByRise, lim, key };
}

type Narrowing = ReturnType<typeof readNarrowing>;

/** The raw rankings, and what to make of them. */
interface Walk {
  readonly services: EndpointServices;
  readonly type: RankingType;
  readonly raw: Question;
  readonly isSpan: boolean;
  readonly of: OfSelection;
  readonly narrowing: Narrowing;
}

/** What the walk needs of a novel. */
interface JudgedNovel {
  /** The JSON of the members that the entry gets, with the comma before them and the bracket behind. */
  readonly members: Buffer;
  readonly isMatch: boolean;
}

const NO_MEMBERS = Buffer.from('}');

/** Maximum Ncodes of one `find`, see NovelSource. */
const BATCH = 500;

/** What is known of a novel: its record, nothing if the upstream denied it, or why it is unknown. */
interface RankedNovel {
  record?: NovelRecord;
  unknown?: ErrorBody & { status: number };
}

function novelsOf(services: EndpointServices, ncodes: readonly string[], of: OfSelection): Question {
  const key = `novels-of-rankings/${hash('sha1', ncodes.join(), 'base64url')}?of=${of?.join('-') ?? '*'}`;
  return questionOf(
    services,
    { key, memoryBytes: ncodes.length * bytesANovel(of).record },
    async (requester) => {
      const found = await services.source.novels.novelapi.find(ncodes, of, requester);
      const data = found.value.map((novel): RankedNovel => {
        if (novel.state === 'found') return { record: novel.record };
        if (novel.state === 'denied') return {};
        return { unknown: { ...toErrorBody(novel.reason), status: novel.reason.status } };
      });
      const policy = data.some(({ unknown }) => unknown !== undefined) ? WITH_UNKNOWN : undefined;
      return { data, meta: { source: 'hydrated' }, policy, from: [found] };
    },
  );
}

/**
 * Reads all novels of some rankings, a batch a turn of the event loop, and judges each once. Throws the reason if nothing is
 * known of any of them.
 */
async function judgeNovels(
  { services, narrowing, of }: Walk,
  rankings: readonly DatedRanking[],
  policy: CachePolicy,
  { cache, nextTurn }: PartReader,
) {
  const { conditions, hasFilter } = narrowing;
  const judge = hasFilter ? novelJudge(conditions, services.clock.now()) : undefined;
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const codes = [...(of ?? []), ...given.flatMap(([name]) => codesRead(name as SearchCondition))];
  // The entry of a ranking has the Ncode.
  const found = of && SERVED_CODES.novelapi.filter((code) => code !== 'n' && codes.includes(code));
  const isOfFields = of?.some((code) => found?.includes(code));
  const novels = new Map<string, JudgedNovel>();
  const unknownNcodes: string[] = [];
  const parts: CacheEntry[] = [];
  let reason: ServiceError | undefined;
  const ncodes = [...new Set(rankings.flatMap(({ entries }) => entries.map(({ ncode }) => ncode)))];
  for (let start = 0; start < ncodes.length; start += BATCH) {
    const batch = ncodes.slice(start, start + BATCH);
    const part = await cache.get(novelsOf(services, batch, found), policy);
    parts.push(part);
    await nextTurn();
    const data = JSON.parse(part.data.toString()) as RankedNovel[];
    const records = data.map(({ record = {} }) => record);
    const selected = selectFields(records, { of });
    for (const [at, ncode] of batch.entries()) {
      const { record, unknown } = data[at] ?? {};
      const { ncode: _ncode, ...fields } = selected[at] ?? {};
      // A record without any of the requested fields would look withdrawn.
      const isUnread = record !== undefined && isOfFields && Object.keys(fields).length === 0;
      const code = isUnread ? 'upstream_invalid' : unknown?.error.code;
      const json = JSON.stringify(code ? { unknown: code } : fields);
      const members = json === '{}' ? NO_MEMBERS : Buffer.from(`,${json.slice(1)}`);
      const verdict = judge === undefined || (record !== undefined && judge({ ...record, ncode }));
      novels.set(ncode, { members, isMatch: verdict === true });
      if (unknown) reason ??= errorOf(unknown, { status: unknown.status });
      if (unknown || verdict === undefined) unknownNcodes.push(ncode);
    }
  }
  if (reason && unknownNcodes.length === novels.size) throw reason;
  return { parts, novels, unknown: unknownNcodes };
}

/** A novel that the ranking before lacks, if there is one, rose from below its last rank. */
function sortByRise(entries: readonly RankingEntry[], before: CacheEntry | undefined): RankingEntry[] {
  const listed = before ? (JSON.parse(before.data.toString()) as RankingEntry[]) : [];
  const earlier = new Map(listed.map(({ ncode, rank }) => [ncode, rank]));
  const gained = ({ ncode, rank }: RankingEntry) => (earlier.get(ncode) ?? MAX_RANKS + 1) - rank;
  return entries.toSorted((a, b) => gained(b) - gained(a) || a.rank - b.rank);
}

/**
 * The JSON of the rankings, how many entries match, and the cache entries of the rankings before, which `order=rise`
 * reads.
 */
async function writeRankings(
  { services, type, isSpan, narrowing: { isByRise, lim } }: Walk,
  rankings: readonly DatedRanking[],
  novels: ReadonlyMap<string, JudgedNovel>,
  reader: PartReader,
) {
  const written: Buffer[] = [];
  const earlier: CacheEntry[] = [];
  let matches = 0;
  for (const { date, entries } of rankings) {
    const dateBefore = isByRise ? rankingDateBefore(type, date) : null;
    const before = dateBefore === null ? undefined : await dueRanking(services, type, dateBefore, reader);
    if (before) earlier.push(before);
    await reader.nextTurn();
    const matching = entries.filter(({ ncode }) => novels.get(ncode)?.isMatch);
    matches += matching.length;
    const sorted = isByRise ? sortByRise(matching, before) : matching;
    const opening = isSpan ? `${written.length === 0 ? '[' : ','}{"date":"${date}","entries":[` : '[';
    // The bytes of a novel are the same in all rankings.
    const texts = sorted.slice(0, lim).flatMap((entry, at) => {
      const own = `${at === 0 ? '' : ','}${JSON.stringify(entry).slice(0, -1)}`;
      return [Buffer.from(own), novels.get(entry.ncode)?.members ?? NO_MEMBERS];
    });
    written.push(Buffer.from(opening), ...texts, Buffer.from(isSpan ? ']}' : ']'));
  }
  if (isSpan) written.push(Buffer.from(written.length === 0 ? '[]' : ']'));
  return { data: Buffer.concat(written), matches, earlier };
}

async function loadRankings(walk: Walk, reader: PartReader): Promise<CatalogueAnswer> {
  const { services, type, raw, isSpan, narrowing } = walk;
  const rawEntry = await reader.cache.get(raw, RANKING);
  // Others may have waited for the same rankings.
  await reader.nextTurn();
  const meta = rawEntry.meta as EndpointMeta;
  const rankings = rankingsOf(JSON.parse(rawEntry.data.toString()), meta, isSpan);
  const publication = isSpan ? undefined : rankingPublication(type, meta.date ?? '', services.clock.now());
  const policy = publication === 'published' ? PAST_HYDRATED_RANKING : HYDRATED_RANKING;
  const { parts, novels, unknown } = await judgeNovels(walk, rankings, policy, reader);
  const { data, matches, earlier } = await writeRankings(walk, rankings, novels, reader);
  await reader.nextTurn();
  const isNarrowed = narrowing.key !== '';
  const narrowed = {
    ranked: rankings.reduce((sum, { entries }) => sum + entries.length, 0),
    matches,
    ...(narrowing.hasFilter && unknown.length > 0 && { unknown }),
  };
  return {
    data,
    total: isSpan ? rankings.length : matches,
    meta: {
      ...meta,
      source: 'hydrated',
      ...(isNarrowed && narrowed),
    },
    policy: isNarrowed ? undefined : policy,
    from: [],
    madeOf: [rawEntry, ...parts, ...earlier],
  };
}

/** The question for the requested rankings with their novels, whole or narrowed. */
export function hydratedRankings(
  services: EndpointServices,
  type: RankingType,
  query: RankingQuery,
  selected: OfSelection,
): Question {
  const { date, from, to } = query;
  const narrowing = readNarrowing(query);
  const { isByRise, lim, key } = narrowing;
  const isSpan = from !== undefined;
  const raw = isSpan
    ? rankingsBetween(services, type, { from, to }, key === '' ? lim : undefined)
    : requestedRanking(services, type, date);
  // The entry has the Ncode.
  const of = selected?.filter((code) => code !== 'n');
  const walk: Walk = { services, type, raw, isSpan, of, narrowing };
  const ownKey = `${raw.key}/hydrated?of=${of?.join('-') ?? '*'}&lim=${lim ?? ''}&${key}`;
  const count = isSpan ? datesOf(services, type, { from, to }).dates.length : 1;
  const bytes = bytesANovel(of);
  // The entries, and one batch of their novels.
  const memoryBytes =
    count * (lim ?? MAX_RANKS) * bytes.entry + Math.min(BATCH, count * MAX_RANKS) * bytes.record;
  return {
    ...questionOf(services, { key: ownKey, memoryBytes }, (_requester, reader) => loadRankings(walk, reader)),
    isComposed: isSpan || isByRise,
  };
}
