import type { Requester } from '@mokuroku/kit/upstream';
import type { Absence, ReportProblem, Sourced } from '../source/catalogue-source.ts';
import { readField } from './field-values.ts';
import type { Json } from '@mokuroku/kit';
import { collectProblems, readPlainList } from './read-list.ts';
import type { Problems } from './read-list.ts';
import type { NarouTransport } from './transport.ts';
import { invalidResponse } from './upstream-failure.ts';
import type { RankingHistoryEntry } from '../novels/ranking-date.ts';

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
  ): Promise<Sourced<RankingHistoryEntry[]> | Absence> {
    const reply = await transport.get('/rank/rankin/', `ncode=${ncode}`, requester);
    if ('errorText' in reply && !reply.errorText.includes('Novel not found'))
      throw invalidResponse(new Error(`upstream said: ${reply.errorText}`));
    const rows = 'json' in reply ? reply.json : [];
    const { items: value, unreadable } = collectProblems('rankin', report, (problems) =>
      readPlainList(rows, problems, 'entry', (raw) => readHistoryEntry(raw, problems)),
    );
    const isNovel = value.length > 0 || (await exists(ncode, requester));
    return isNovel ? { value, ...(unreadable > 0 && { unreadable }) } : { absent: 'not_returned' };
  };
}

function readHistoryEntry(raw: Json, problems: Problems): RankingHistoryEntry | undefined {
  const rtype = readField(raw['rtype'], 'text', 'rtype', problems);
  const rank = readField(raw['rank'], 'integer', 'rank', problems);
  const pt = readField(raw['pt'], 'integer', 'pt', problems);
  if (typeof rtype !== 'string' || typeof rank !== 'number' || typeof pt !== 'number') return undefined;
  return { rtype, rank, pt };
}
