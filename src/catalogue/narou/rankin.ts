import type { Requester } from '../../upstream/budget.ts';
import type { RankingHistoryEntry, ReportProblem } from '../source/catalogue-source.ts';
import { readField } from './field-values.ts';
import type { Json } from '../../process/json.ts';
import { collectProblems } from './problems.ts';
import type { Problems } from './problems.ts';
import { readPlainList } from './read-list.ts';
import type { NarouTransport } from './transport.ts';
import { invalidResponse } from './upstream-failure.ts';

/**
 * All rankings that contain a novel. Manual: https://dev.syosetu.com/man/rankinapi/ For an unknown novel the upstream
 * says `Error: Novel not found.`; whether it says the same or returns an empty list for one that never ranked is
 * undocumented. So `exists` decides in both cases. A history with entries counts, also of a novel that was deleted
 * since.
 */
export function createRankin(
  transport: NarouTransport,
  report: ReportProblem,
  exists: (ncode: string, requester?: Requester) => Promise<boolean>,
) {
  return async function getRankingHistory(
    ncode: string,
    requester?: Requester,
  ): Promise<RankingHistoryEntry[] | null> {
    const reply = await transport.get('/rank/rankin/', `ncode=${ncode}`, requester);
    if ('errorText' in reply) {
      const isAbsent = reply.errorText.includes('Novel not found');
      if (!isAbsent) throw invalidResponse(new Error(`upstream said: ${reply.errorText}`));
      return (await exists(ncode, requester)) ? [] : null;
    }
    const entries = collectProblems('rankin', report, (problems) =>
      readPlainList(reply.json, problems, 'entry', (raw) => readHistoryEntry(raw, problems)),
    );
    if (entries.length > 0) return entries;
    return (await exists(ncode, requester)) ? [] : null;
  };
}

function readHistoryEntry(raw: Json, problems: Problems): RankingHistoryEntry | undefined {
  const rtype = readField(raw['rtype'], 'text', 'rtype', problems);
  const rank = readField(raw['rank'], 'integer', 'rank', problems);
  const pt = readField(raw['pt'], 'integer', 'pt', problems);
  if (typeof rtype !== 'string' || typeof rank !== 'number' || typeof pt !== 'number') return undefined;
  return { rtype, rank, pt };
}
