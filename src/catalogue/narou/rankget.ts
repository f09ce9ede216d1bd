import type { Requester } from '../../upstream/budget.ts';
import type { Absence, ReportProblem, Sourced } from '../source/catalogue-source.ts';
import type { Clock } from '../../process/clock.ts';
import { isOverdue, toRtype } from '../novels/ranking-date.ts';
import type { RankingEntry, RankingType } from '../novels/ranking-date.ts';
import { readField } from './field-values.ts';
import type { Json } from '../../process/json.ts';
import { collectProblems, readPlainList } from './read-list.ts';
import type { Problems } from './read-list.ts';
import type { NarouTransport } from './transport.ts';
import { invalidResponse } from './upstream-failure.ts';

const NO_SUCH_RANKING = /^(?:Error: Invalid date|DATE ERROR\[)/;

/**
 * One ranking, at most 300 entries. Manual: https://dev.syosetu.com/man/rankapi/ How the upstream reports a missing
 * ranking is undocumented: an empty list, `Error: Invalid date.` and `DATE ERROR[n]` all mean "no such ranking"
 * for one that may be unpublished. For one that was due a day ago, an error text is a fault of the upstream, as
 * is any other text: trackers would record a gap.
 */
export function createRankget(transport: NarouTransport, report: ReportProblem, clock: Clock) {
  return async function getRanking(
    type: RankingType,
    date: string,
    requester?: Requester,
  ): Promise<Sourced<RankingEntry[]> | Absence> {
    const rtype = toRtype(type, date);
    const reply = await transport.get('/rank/rankget/', `rtype=${rtype}`, requester);
    if ('errorText' in reply) {
      if (!NO_SUCH_RANKING.test(reply.errorText) || isOverdue(type, date, clock.now()))
        throw invalidResponse(new Error(`the upstream responded to ${rtype}: ${reply.errorText}`));
      // Would show a date rule that the upstream does not share.
      if (reply.errorText.startsWith('DATE ERROR')) {
        report({ upstream: 'rank', problem: 'unexpected_error_text', about: reply.errorText, count: 1 });
      }
      return { absent: 'stated' };
    }
    const entries = collectProblems('rank', report, (problems) =>
      readPlainList(reply.json, problems, rtype, (raw) => readRankingEntry(raw, problems)),
    );
    return entries.length > 0 ? { value: entries } : { absent: 'not_returned' };
  };
}

function readRankingEntry(raw: Json, problems: Problems): RankingEntry | undefined {
  const rank = readField(raw['rank'], 'integer', 'rank', problems);
  const pt = readField(raw['pt'], 'integer', 'pt', problems);
  const ncode = readField(raw['ncode'], 'text', 'ncode', problems);
  if (typeof rank !== 'number' || typeof pt !== 'number' || typeof ncode !== 'string') return undefined;
  return { rank, pt, ncode: ncode.toUpperCase() };
}
