import type { Requester } from '../upstream/index.ts';
import type { Clock } from '@mokuroku/kit/process';
import { LAST_START } from '../novels/upstream-facts.ts';
import type { CatalogueSource, ReportProblem } from '../source/index.ts';
import { createNovelapi } from './novelapi.ts';
import { createRankget, createRankin } from './rankings.ts';
import type { NarouTransport } from './transport.ts';
import { createUserapi } from './userapi.ts';

/** Each history costs a request or two. */
const MAX_HISTORIES = 50;

/** The upstream's five interfaces as one source. Closing it closes the transport. */
export function createNarouSource(options: {
  transport: NarouTransport;
  report: ReportProblem;
  clock: Clock;
  /** See NovelapiOptions. */
  keepsEveryRow?: boolean;
}): CatalogueSource {
  const { transport, report, clock } = options;
  const novels = {
    novelapi: createNovelapi('novelapi', options),
    novel18api: createNovelapi('novel18api', options),
  };
  const exists = async (ncode: string, requester?: Requester) => {
    const [novel] = (await novels.novelapi.find([ncode], ['n'], requester)).value;
    if (novel?.state === 'unknown') throw novel.reason;
    return novel?.state === 'found';
  };
  const getRanking = createRankget(transport, report, clock);
  return {
    isSample: transport.isSample,
    maxStart: LAST_START,
    maxHistories: () => MAX_HISTORIES,
    novels,
    getRanking,
    getRankingHistory: createRankin(transport, report, clock, exists, getRanking),
    searchUsers: createUserapi(transport, report),
    close: () => transport.close(),
  };
}
