import { toRtype } from '../novels/ranking-date.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import type { RankingEntry, ReportProblem } from '../catalogue-source.ts';
import { isRecord, readField } from './field-values.ts';
import { collectProblems } from './problems.ts';
import type { Problems } from './problems.ts';
import type { NarouTransport } from './transport.ts';
import { invalid } from './upstream-failure.ts';

function readEntry(raw: unknown, problems: Problems): RankingEntry | undefined {
  if (!isRecord(raw)) return undefined;
  const rank = readField(raw['rank'], 'integer', 'rank', problems);
  const pt = readField(raw['pt'], 'integer', 'pt', problems);
  const ncode = readField(raw['ncode'], 'text', 'ncode', problems);
  if (typeof rank !== 'number' || typeof pt !== 'number' || typeof ncode !== 'string') return undefined;
  return { rank, pt, ncode: ncode.toUpperCase() };
}

/**
 * One ranking, at most 300 entries. Manual: https://dev.syosetu.com/man/rankapi/
 *
 * How the upstream answers for a ranking that is not there is not documented: an empty list, `Error: Invalid date.`
 * and `DATE ERROR[n]` are all taken as "no such ranking", because only valid dates are asked for.
 */
export function createRank(transport: NarouTransport, report: ReportProblem) {
  return async function getRanking(type: RankingType, date: string): Promise<RankingEntry[] | null> {
    const problems = collectProblems('rank', report);
    const rtype = toRtype(type, date);
    const reply = await transport.get('/rank/rankget/', `rtype=${rtype}`);
    if ('errorText' in reply) {
      // A date rule that the upstream does not share with us would show as this.
      if (reply.errorText.startsWith('DATE ERROR')) problems.note('unexpected_error_text', reply.errorText);
      problems.flush();
      return null;
    }
    if (!Array.isArray(reply.json)) throw invalid(new Error('upstream gave no list'));
    const entries: RankingEntry[] = [];
    for (const raw of reply.json as unknown[]) {
      const entry = readEntry(raw, problems);
      if (entry) entries.push(entry);
      else problems.note('unreadable_record', rtype);
    }
    problems.flush();
    if (entries.length === 0 && reply.json.length > 0)
      throw invalid(new Error('upstream gave no readable entry'));
    return entries.length === 0 ? null : entries;
  };
}
