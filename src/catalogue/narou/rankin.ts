import type { Asker } from '../../upstream/budget.ts';
import type { RankingHistoryEntry, ReportProblem } from '../catalogue-source.ts';
import { isRecord, readField } from './field-values.ts';
import { collectProblems } from './problems.ts';
import type { Problems } from './problems.ts';
import type { NarouTransport } from './transport.ts';
import { invalid } from './upstream-failure.ts';

/**
 * All rankings in which a novel stood. Manual: https://dev.syosetu.com/man/rankinapi/
 *
 * For a novel that does not exist the upstream says `Error: Novel not found.`, and whether it says the same or gives
 * an empty list for one that was never ranked is not documented. So neither is believed: `exists` decides. A history
 * with entries is one, also of a novel that has been deleted since.
 */
export function createRankin(
  transport: NarouTransport,
  report: ReportProblem,
  exists: (ncode: string, asker?: Asker) => Promise<boolean>,
) {
  return async function getRankingHistory(
    ncode: string,
    asker?: Asker,
  ): Promise<RankingHistoryEntry[] | null> {
    const reply = await transport.get('/rank/rankin/', `ncode=${ncode}`, asker);
    if ('errorText' in reply) {
      const isAbsent = reply.errorText.includes('Novel not found');
      if (!isAbsent) throw invalid(new Error(`upstream said: ${reply.errorText}`));
      return (await exists(ncode, asker)) ? [] : null;
    }
    if (!Array.isArray(reply.json)) throw invalid(new Error('upstream gave no list'));
    const problems = collectProblems('rankin', report);
    const entries: RankingHistoryEntry[] = [];
    for (const raw of reply.json as unknown[]) {
      const entry = readEntry(raw, problems);
      if (entry) entries.push(entry);
      else problems.note('unreadable_record', 'entry');
    }
    problems.flush();
    if (entries.length > 0) return entries;
    if (reply.json.length > 0) throw invalid(new Error('upstream gave no readable entry'));
    return (await exists(ncode, asker)) ? [] : null;
  };
}

function readEntry(raw: unknown, problems: Problems): RankingHistoryEntry | undefined {
  if (!isRecord(raw)) return undefined;
  const rtype = readField(raw['rtype'], 'text', 'rtype', problems);
  const rank = readField(raw['rank'], 'integer', 'rank', problems);
  const pt = readField(raw['pt'], 'integer', 'pt', problems);
  if (typeof rtype !== 'string' || typeof rank !== 'number' || typeof pt !== 'number') return undefined;
  return { rtype, rank, pt };
}
