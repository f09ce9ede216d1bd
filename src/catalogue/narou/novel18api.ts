import type { AdultNovelQuery } from '../novels/search-query.ts';
import type { ReportProblem } from '../catalogue-source.ts';
import { createNovelInterface } from './novel-interface.ts';
import type { NovelInterfaceClient } from './novel-interface.ts';
import type { NarouTransport } from './transport.ts';

/** Adult novels, metadata only. Manual: https://dev.syosetu.com/xman/api/ */
export function createNovel18api(
  transport: NarouTransport,
  report: ReportProblem,
): NovelInterfaceClient<AdultNovelQuery> {
  return createNovelInterface('novel18api', '/novel18api/api/', transport, report);
}
