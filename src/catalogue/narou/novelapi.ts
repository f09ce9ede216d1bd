import type { NovelQuery } from '../novels/search-query.ts';
import type { ReportProblem } from '../catalogue-source.ts';
import { createNovelInterface } from './novel-interface.ts';
import type { NovelInterfaceClient } from './novel-interface.ts';
import type { NarouTransport } from './transport.ts';

/** Novels for all ages. Manual: https://dev.syosetu.com/man/api/ */
export function createNovelapi(
  transport: NarouTransport,
  report: ReportProblem,
): NovelInterfaceClient<NovelQuery> {
  return createNovelInterface('novelapi', '/novelapi/api/', transport, report);
}
