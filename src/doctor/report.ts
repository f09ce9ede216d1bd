import { z } from 'zod';
import { VERSION } from '../process/version.ts';
import { GROUPS, STATES } from './check.ts';
import type { CheckOutcome } from './run-checks.ts';

const CHECK = z.object({
  id: z.string().describe('The same in every version of mokuroku.'),
  group: z.enum(GROUPS),
  title: z.string(),
  state: z.enum(STATES),
  finding: z.string(),
  advice: z.string().nullable().describe('What to do about it; null where there is nothing to do.'),
  answered: z.boolean().describe('false: the upstream did not respond, which may be temporary.'),
  answer: z.string().nullable().describe('For an open point of the novel site: the answer, in one word.'),
});

/** The report as JSON, without persons, addresses, folders or machine names. */
export const REPORT = z.object({
  version: z.literal(1).describe('Version of this format.'),
  mokuroku: z.string(),
  node: z.string(),
  platform: z.string(),
  startedAt: z.iso.datetime(),
  seconds: z.number().int(),
  live: z.boolean().describe('Whether the novel site and the registries were queried.'),
  complete: z.boolean().describe('false: interrupted before the last check.'),
  requests: z.number().int().describe('Number of requests to the novel site.'),
  state: z.enum(STATES).describe('The worst state of all checks.'),
  checks: z.array(CHECK),
  skipped: z.array(z.object({ id: z.string(), group: z.enum(GROUPS), reason: z.string() })),
});

export type Report = z.output<typeof REPORT>;

type RunFacts = Pick<Report, 'startedAt' | 'seconds' | 'live' | 'complete' | 'requests'>;

export function makeReport(outcomes: readonly CheckOutcome[], run: RunFacts): Report {
  const checks: Report['checks'] = [];
  const skipped: Report['skipped'] = [];
  for (const { id, group, title, result } of outcomes) {
    if ('skipped' in result) {
      skipped.push({ id, group, reason: result.skipped.en });
      continue;
    }
    const { state, message, advice, answer = null, isUnanswered } = result;
    const texts = { title: title.en, finding: message.en, advice: advice?.en ?? null };
    checks.push({ id, group, ...texts, state, answered: !isUnanswered, answer });
  }
  return {
    version: 1,
    mokuroku: VERSION,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    ...run,
    state: STATES.findLast((state) => checks.some((check) => check.state === state)) ?? 'ok',
    checks,
    skipped,
  };
}
