import { z } from 'zod';
import { VERSION } from '../process/version.ts';
import { GROUPS, STATES, worstOf } from './check.ts';
import type { FilledPhrase } from './check.ts';
import type { CheckOutcome } from './run-checks.ts';

const CHECK = z.object({
  id: z.string().describe('The same in every version of mokuroku.'),
  group: z.enum(GROUPS),
  title: z.string(),
  state: z.enum(STATES),
  finding: z.string(),
  advice: z.string().nullable().describe('What to do about it; null where there is nothing to do.'),
  answered: z.boolean().describe('false: the upstream did not respond, which may be temporary.'),
  answer: z
    .string()
    .nullable()
    .describe('For an open point of the novel site: the answer found, in one word.'),
  assumed: z.string().nullable().describe('Answer of the embedded sample.'),
  expected: z
    .array(z.string())
    .nullable()
    .describe('The answers that the service handles correctly; null: any.'),
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

/** Texts in English. */
const inEnglish = ({ phrase, values }: FilledPhrase): string =>
  phrase.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

interface ReportFacts {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isLive: boolean;
  readonly isComplete: boolean;
  readonly requests: number;
}

export function makeReport(outcomes: readonly CheckOutcome[], facts: ReportFacts): Report {
  const checks = outcomes.flatMap((outcome) => ('finding' in outcome ? [reportedCheck(outcome)] : []));
  return {
    version: 1,
    mokuroku: VERSION,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    startedAt: new Date(facts.startedAt).toISOString(),
    seconds: Math.round((facts.endedAt - facts.startedAt) / 1_000),
    live: facts.isLive,
    complete: facts.isComplete,
    requests: facts.requests,
    state: worstOf(checks.map(({ state }) => state)),
    checks,
    skipped: outcomes.flatMap((outcome) =>
      'reason' in outcome
        ? [{ id: outcome.id, group: outcome.group, reason: inEnglish(outcome.reason) }]
        : [],
    ),
  };
}

type CheckWithFinding = Extract<CheckOutcome, { finding: unknown }>;

function reportedCheck({ id, group, title, finding }: CheckWithFinding): Report['checks'][number] {
  const { state, message, advice, point, isUnanswered = false } = finding;
  return {
    id,
    group,
    title: inEnglish(title),
    state,
    finding: inEnglish(message),
    advice: advice ? inEnglish(advice) : null,
    answered: !isUnanswered,
    answer: point?.answer ?? null,
    assumed: point?.assumed ?? null,
    expected: point?.expected ? [...point.expected] : null,
  };
}
