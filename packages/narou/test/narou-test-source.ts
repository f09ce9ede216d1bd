import { setTimeout as wait } from 'node:timers/promises';
import type { CatalogueSource, SourceProblem } from '../src/source/index.ts';
import { createNarouSource } from '../src/live/narou-source.ts';
import { createNarouGate, createNarouTransport } from '../src/live/transport.ts';
import type { NarouGateOptions, NarouTransport, NarouTransportOptions } from '../src/live/transport.ts';
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

/** The real transport behind the real gate with generous limits; a test narrows the one that it checks. */
export function testTransport(baseUrl: string, limits: TestLimits = {}): NarouTransport {
  const gate = createNarouGate({ ...GATE, ...limits });
  return createNarouTransport({
    baseUrl,
    userAgent: 'mokuroku-test/1.0 (contact: none)',
    connectTimeoutMs: PATIENT_MS,
    headersTimeoutMs: PATIENT_MS,
    bodyTimeoutMs: PATIENT_MS,
    deadlineMs: PATIENT_MS,
    maxBodyBytes: 1_000_000,
    connections: 4,
    gate,
    clock: systemClock,
    countBytes: () => undefined,
    ...limits,
  });
}

/** The real source on a base address, with all its reports. */
export function testSource(
  baseUrl: string,
  limits: TestLimits = {},
): { source: CatalogueSource; problems: SourceProblem[] } {
  const problems: SourceProblem[] = [];
  const source = createNarouSource({
    transport: testTransport(baseUrl, limits),
    report: (problem) => problems.push(problem),
    maxStart: 2_000,
    clock: limits.clock ?? systemClock,
  });
  return { source, problems };
}
