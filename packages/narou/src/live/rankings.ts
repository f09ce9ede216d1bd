import { crc32 } from 'node:zlib';
import type { Json } from '@mokuroku/kit';
import type { Clock } from '@mokuroku/kit/process';
import type { Requester } from '../upstream/index.ts';
import type { Absence, CatalogueSource, Ranking, ReportProblem, Sourced } from '../source/index.ts';
import { dateOfDay, japanDay } from '../novels/japan-date.ts';
import { NCODE_PATTERN } from '../novels/ncode.ts';
import { MAX_RANKS, isDoubtfulList, isOverdue, toRtype } from '../novels/ranking-date.ts';
import type { ListFacts, RankingEntry, RankingHistoryEntry, RankingType } from '../novels/ranking-date.ts';
import { SECOND_LOOK_SECONDS } from '../novels/upstream-facts.ts';
import { WITNESS_MS, collectProblems, eachOnce, identifierOf, readField, readRows } from './read-rows.ts';
import type { Problems } from './read-rows.ts';
import type { NarouTransport } from './transport.ts';
import { invalidResponse } from './upstream-failure.ts';

const NO_SUCH_RANKING = /^(?:Error: Invalid date|DATE ERROR\[)/;

interface Look extends ListFacts {
  /** Milliseconds UTC. */
  readonly first: number;
  readonly standing: Ranking['standing'];
}

/**
 * What the received lists of this process say of each other. Unconfirmed: no earlier look says the same; doubtful: also
 * shorter than the lists of its type that are not doubtful, or equal to another one.
 */
function createLooks(clock: Clock) {
  const looks = new Map<string, Look>();
  return (rtype: string, list: readonly RankingEntry[]): Ranking['standing'] => {
    const now = clock.now();
    const facts = { count: list.length, sum: crc32(JSON.stringify(list)) };
    const others = [...looks].flatMap(([key, look]) =>
      key !== rtype && key.at(-1) === rtype.at(-1) ? [look] : [],
    );
    // Several lists may be cut in a bad hour.
    const credible = others.filter(({ standing }) => standing !== 'doubtful');
    const isDoubtful =
      others.length === 0
        ? facts.count < MAX_RANKS
        : isDoubtfulList(facts, others, credible.length > 0 ? credible : others);
    const before = looks.get(rtype);
    const first = before?.sum === facts.sum ? before.first : now;
    const isConfirmed = now - first >= SECOND_LOOK_SECONDS * 1_000;
    const standing = isConfirmed ? 'confirmed' : isDoubtful ? 'doubtful' : 'unconfirmed';
    looks.set(rtype, { ...facts, first, standing });
    return standing;
  };
}

/**
 * One ranking: the ranks 1 to n without a hole, each of another novel, at most 300, with points above 0 that do not rise
 * with the rank. Manual: https://dev.syosetu.com/man/rankapi/ Anything else rejects with upstream_invalid.
 *
 * How the upstream reports a missing ranking is undocumented: an empty list, `Error: Invalid date.` and `DATE ERROR[n]`
 * all mean "no such ranking" for one that may be unpublished. For one that was due a day ago they are a fault of the
 * upstream: trackers would record a gap.
 */
export function createRankget(transport: NarouTransport, report: ReportProblem, clock: Clock) {
  const standingOf = createLooks(clock);
  return async function getRanking(
    type: RankingType,
    date: string,
    requester?: Requester,
  ): Promise<Ranking | Absence> {
    const rtype = toRtype(type, date);
    const reply = await transport.get('/rank/rankget/', `rtype=${rtype}`, requester);
    const value = 'json' in reply ? readRanking(reply.json, rtype, report) : [];
    if (value.length > 0) return { value, standing: standingOf(rtype, value) };
    const text = 'errorText' in reply ? reply.errorText : '[]';
    const mayBeUnpublished = text === '[]' || NO_SUCH_RANKING.test(text);
    if (!mayBeUnpublished || isOverdue(type, date, clock.now()))
      throw invalidResponse(`the upstream responded to ${rtype}: ${text}`);
    // Would show a date rule that the upstream does not share.
    if (text.startsWith('DATE ERROR'))
      report({ upstream: 'rank', problem: 'unexpected_error_text', about: text, count: 1 });
    return { absent: text === '[]' ? 'not_returned' : 'stated' };
  };
}

/** The whole ranking, or upstream_invalid: a single lost row is a hole in all histories. */
function readRanking(json: unknown, rtype: string, report: ReportProblem): RankingEntry[] {
  const { items, unreadable } = collectProblems('rank', report, (problems) =>
    readRows(json, problems, rtype, (raw) => readRankingEntry(raw, rtype, problems)),
  );
  const entries = items.sort((a, b) => a.rank - b.rank);
  const novels = new Set(entries.map(({ ncode }) => ncode));
  const isInOrder = entries.every(
    ({ rank, pt }, at) => rank === at + 1 && pt > 0 && pt <= (entries[at - 1]?.pt ?? Infinity),
  );
  if (unreadable > 0 || novels.size < entries.length || !isInOrder)
    throw invalidResponse(`the ranking ${rtype} has holes, a novel twice, or points that no list has`);
  return entries;
}

/** A rank, or points, which are stored in 32 bits. */
function readCount(raw: Json, name: 'rank' | 'pt', problems: Problems): number | undefined {
  const value = readField(raw[name], 'integer', name, problems) as number | undefined;
  return value === Number(value) >>> 0 ? value : undefined;
}

function readRankingEntry(raw: Json, rtype: string, problems: Problems): RankingEntry | undefined {
  const rank = readCount(raw, 'rank', problems);
  const pt = readCount(raw, 'pt', problems);
  const ncode = identifierOf(raw['ncode']);
  // rankget does not state it, but rankin does.
  const isAnother = raw['rtype'] !== undefined && raw['rtype'] !== rtype;
  if (rank === undefined || pt === undefined || !NCODE_PATTERN.test(ncode) || isAnother) return undefined;
  return { rank, pt, ncode };
}

/**
 * All rankings that contain a novel. Manual: https://dev.syosetu.com/man/rankinapi/ For an unknown novel the upstream
 * says `Error: Novel not found.`; whether it says the same or returns an empty list for one that never ranked is
 * undocumented. So `exists` decides in both cases. A history with entries counts, also of a novel that was deleted
 * since. An upstream without any history knows nothing.
 */
export function createRankin(
  transport: NarouTransport,
  report: ReportProblem,
  clock: Clock,
  exists: (ncode: string, requester?: Requester) => Promise<boolean>,
  getRanking: CatalogueSource['getRanking'],
) {
  let witnessUntil = -Infinity;
  async function request(ncode: string, requester?: Requester) {
    const reply = await transport.get('/rank/rankin/', `ncode=${ncode}`, requester);
    if ('errorText' in reply && !reply.errorText.includes('Novel not found'))
      throw invalidResponse(`upstream said: ${reply.errorText}`);
    const rows = 'json' in reply ? reply.json : [];
    const history = collectProblems('rankin', report, (problems) =>
      readRows(
        rows,
        problems,
        'entry',
        (raw) => readHistoryEntry(raw, ncode, problems),
        (entries) => eachOnce(entries, 'rtype').sort((a, b) => (a.rtype < b.rtype ? -1 : 1)),
      ),
    );
    if (history.items.length > 0) witnessUntil = clock.monotonic() + WITNESS_MS;
    return history;
  }
  return async function getRankingHistory(
    ncode: string,
    requester?: Requester,
  ): Promise<Sourced<RankingHistoryEntry[]> | Absence> {
    const { items: value, unreadable } = await request(ncode, requester);
    if (value.length === 0 && !(await exists(ncode, requester))) return { absent: 'not_returned' };
    if (value.length === 0 && clock.monotonic() >= witnessUntil) {
      // Due for a day, so that its absence is a failure.
      const day = dateOfDay(japanDay(clock.now()) - 2);
      const { value: ranked = [] } = await getRanking('daily', day, requester);
      // Some may have been deleted since.
      for (const { ncode: witness } of ranked.slice(0, 3))
        if (clock.monotonic() >= witnessUntil) await request(witness, requester);
      if (clock.monotonic() >= witnessUntil) throw invalidResponse('no ranked novel has a history');
    }
    return { value, ...(unreadable > 0 && { unreadable }) };
  };
}

const RTYPE = /^\d{8}-[dwmq]$/;

function readHistoryEntry(raw: Json, ncode: string, problems: Problems): RankingHistoryEntry | undefined {
  const rtype = readField(raw['rtype'], 'string', 'rtype', problems);
  const rank = readCount(raw, 'rank', problems);
  const pt = readCount(raw, 'pt', problems);
  // rankin does not state it, but rankget does.
  const isAnother = raw['ncode'] !== undefined && identifierOf(raw['ncode']) !== ncode;
  const isNamed = typeof rtype === 'string' && RTYPE.test(rtype);
  return isNamed && rank && pt !== undefined && !isAnother ? { rtype, rank, pt } : undefined;
}
