import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { ServiceError } from '@mokuroku/kit';
import { packed, startLoopbackUpstream } from '../../../test/catalogue/loopback-upstream.ts';
import type { LoopbackUpstream, UpstreamHandler } from '../../../test/catalogue/loopback-upstream.ts';
import type { CatalogueSource, SourceProblem } from '../src/source/index.ts';
import { createNarouSource } from '../src/live/narou-source.ts';
import { NarouGate } from '../src/live/gate.ts';
import type { NarouGateOptions } from '../src/live/gate.ts';
import { createNarouTransport } from '../src/live/transport.ts';
import type { NarouTransport, NarouTransportOptions } from '../src/live/transport.ts';
import { systemClock } from '@mokuroku/kit/process';

export type TestLimits = Partial<NarouTransportOptions & NarouGateOptions>;

/** No busy machine reaches it. */
const PATIENT_MS = 600_000;

/** Generous limits of a gate. */
export const GATE: NarouGateOptions = {
  clock: systemClock,
  random: Math.random,
  wait,
  connections: 4,
  maxWaiting: 50,
  tolerableWaitMs: PATIENT_MS,
  budget: undefined,
};

/** A budget without limits, called with the bytes received. */
export const unlimitedBudget = (addBytes: (count: number) => void) => ({
  spend: () => ({ spent: undefined, secondsLeft: 0 }),
  addBytes,
});

/** The real transport behind the real gate with generous limits; a test narrows the one that it checks. */
export function testTransport(baseUrl: string, limits: TestLimits = {}): NarouTransport {
  const gate = new NarouGate({ ...GATE, ...limits });
  return createNarouTransport({
    baseUrl,
    userAgent: 'mokuroku-test/1.0 (contact: none)',
    deadlineMs: PATIENT_MS,
    maxBodyBytes: 1_000_000,
    connections: 4,
    gate,
    clock: systemClock,
    budget: undefined,
    ...limits,
  });
}

export interface AnsweredSource {
  upstream: LoopbackUpstream;
  transport: NarouTransport;
  source: CatalogueSource;
  problems: SourceProblem[];
}

/**
 * Starts the real source on an upstream that answers with these values as JSON, or with a handler, and stops both after
 * the test.
 */
export async function startAnsweredSource(
  answer: UpstreamHandler | readonly unknown[],
  limits: TestLimits = {},
): Promise<AnsweredSource> {
  const upstream = await startLoopbackUpstream(typeof answer === 'function' ? answer : packed(answer));
  const transport = testTransport(upstream.url, limits);
  const problems: SourceProblem[] = [];
  const source = createNarouSource({
    transport,
    report: (problem) => problems.push(problem),
    clock: limits.clock ?? systemClock,
  });
  onTestFinished(() => source.close());
  return { upstream, transport, source, problems };
}

/** The error of a rejected promise. */
export const failureOf = (promise: Promise<unknown>): Promise<ServiceError | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => error as ServiceError,
  );

/** Its code. */
export const codeOf = async (promise: Promise<unknown>) => (await failureOf(promise))?.code;
