import { setTimeout as wait } from 'node:timers/promises';
import type { CatalogueSource, SourceProblem } from '../../src/catalogue/catalogue-source.ts';
import { createNarouSource } from '../../src/catalogue/narou/narou-source.ts';
import { createNarouGuard } from '../../src/catalogue/narou/narou-guard.ts';
import type { NarouGuardOptions } from '../../src/catalogue/narou/narou-guard.ts';
import { createNarouTransport } from '../../src/catalogue/narou/transport.ts';
import type { NarouTransport, NarouTransportOptions } from '../../src/catalogue/narou/transport.ts';
import { systemClock } from '../../src/process/clock.ts';

export type TestLimits = Partial<NarouTransportOptions & NarouGuardOptions>;

/** The real transport behind the real guard with patient limits; a test narrows the one that it is about. */
export function testTransport(baseUrl: string, limits: TestLimits = {}): NarouTransport {
  const guard = createNarouGuard({
    clock: systemClock,
    random: Math.random,
    wait,
    connections: 4,
    maxWaiting: 50,
    tolerableWaitMs: 8_000,
    budget: undefined,
    ...limits,
  });
  return createNarouTransport({
    baseUrl,
    userAgent: 'mokuroku-test/1.0 (contact: none)',
    connectTimeoutMs: 5_000,
    headersTimeoutMs: 5_000,
    bodyTimeoutMs: 5_000,
    deadlineMs: 8_000,
    maxBodyBytes: 1_000_000,
    connections: 4,
    guard,
    countBytes: () => undefined,
    ...limits,
  });
}

/** The real source against a base address, with everything that it reported. */
export function testSource(
  baseUrl: string,
  limits: TestLimits = {},
): { source: CatalogueSource; problems: SourceProblem[] } {
  const problems: SourceProblem[] = [];
  const source = createNarouSource({
    transport: testTransport(baseUrl, limits),
    report: (problem) => problems.push(problem),
    maxStart: 2_000,
  });
  return { source, problems };
}
