import type { ReadinessFacts } from '@mokuroku/kit/http';
import type { ServiceMetrics } from '@mokuroku/kit/process';
import type { OutgoingBudget } from '@mokuroku/narou/upstream';
import type { LocalPart, LocalSource, PartState } from '@mokuroku/local-catalogue';
import { budgetState } from '@mokuroku/narou/live';
import type { NarouGate } from '@mokuroku/narou/live';

/** The sources of the service: a local catalogue, an upstream, or both. */
interface ServiceSources {
  readonly local?: Pick<LocalSource, 'facts' | 'states'> | undefined;
  readonly gate: NarouGate | undefined;
  readonly budget: OutgoingBudget | undefined;
}

const REASONS: Readonly<Record<Exclude<PartState, 'served'>, string>> = {
  behind: 'the folder or a newer generation cannot be read at present; retried every two seconds',
  damaged: 'a file is damaged or cannot be read at present, and some requests fail',
  outdated: 'fetched more than 14 days ago; run mokuroku harvest',
  empty: 'the catalogue contains none',
  broken: 'no complete generation in the folder',
  unreadable: 'its files cannot be read at present; retried every two seconds',
  absent: 'there is no such folder',
};

/** States in which a part answers requests. */
const ANSWERING: ReadonlySet<PartState> = new Set(['served', 'behind', 'damaged']);

/** The parts that are not served, with the reason. Novels are required, other parts only if their folder exists. */
function missingParts(states: Readonly<Record<LocalPart, PartState>>): Partial<Record<LocalPart, string>> {
  const missing: Partial<Record<LocalPart, string>> = {};
  for (const part of ['novels', 'adult', 'rankings'] as const) {
    const state = states[part];
    if (state !== 'served' && (part === 'novels' || state !== 'absent')) missing[part] = REASONS[state];
  }
  return missing;
}

function statusOf(states: Readonly<Record<LocalPart, PartState>>, hasUpstream: boolean): ReadinessFacts {
  const missing = missingParts(states);
  if (Object.keys(missing).length === 0) return { status: 'ready' };
  const isAnyServed = hasUpstream || Object.values(states).some((state) => ANSWERING.has(state));
  return { status: isAnyServed ? 'degraded' : 'not ready', missing };
}

/** The parts of a local catalogue without an upstream from which nothing can be answered at present. */
export function partsLacking({ local, gate }: Pick<ServiceSources, 'local' | 'gate'>): LocalPart[] {
  const states = gate === undefined ? local?.states() : undefined;
  return (['adult', 'rankings'] as const).filter((part) => states && !ANSWERING.has(states[part]));
}

/** The source's part of /readyz. A failing upstream does not affect readiness: cached responses are still served. */
export function readinessOf({ local, gate, budget }: ServiceSources): ReadinessFacts {
  const { status, ...why } = local
    ? statusOf(local.states(), gate !== undefined)
    : { status: 'ready' as const };
  return {
    status,
    ...why,
    ...(gate !== undefined && gate.stats().isFailing && { upstream: 'failing' }),
    ...(budget && { upstreamBudget: budgetState(budget) }),
    ...(local && { catalogue: local.facts() }),
  };
}

/** Adds metrics of a local catalogue: its generation, counts and age. */
export function addCatalogueMetrics(
  metrics: ServiceMetrics,
  { facts }: Pick<LocalSource, 'facts'>,
  now: () => number,
): void {
  metrics.addGauge(
    'catalogue_generation',
    'Number of the generation of novels in use, 0 without one',
    () => facts().generation,
  );
  metrics.addGauge('catalogue_novels', 'Novels of the local catalogue that are served', () => facts().novels);
  metrics.addGauge(
    'catalogue_rankings',
    'Rankings of the local catalogue that are served',
    () => facts().rankings,
  );
  const outdated = 'Novels and rankings not served because they are older than 14 days';
  metrics.addGauge('catalogue_outdated', outdated, () => facts().outdated);
  const age = 'Age of the oldest novel served, in seconds (14 days at most); NaN without one';
  metrics.addGauge('catalogue_age_seconds', age, () => (now() - Date.parse(facts().asOf ?? '')) / 1000);
}

/** Adds metrics of the requests to an upstream, and of its quota. */
export function addGateStats(
  metrics: ServiceMetrics,
  gate: NarouGate,
  budget: OutgoingBudget | undefined,
): void {
  const open = 'Above 0 while the upstream is failing';
  metrics.addGauge('upstream_circuit_open', open, () => (gate.stats().isFailing ? 1 : 0));
  metrics.addGauge('upstream_calls_under_way', 'Requests to the upstream', () => gate.stats().running);
  const waiting = 'Requests waiting for the upstream';
  metrics.addGauge('upstream_calls_waiting', waiting, () => gate.stats().waiting);
  const calls = 'Requests to the upstream by kind';
  metrics.addCounter('upstream_calls_total', calls, 'kind', () => {
    const { calls: sent, retries, refused } = gate.stats();
    return Object.entries({ sent, repeated: retries, refused });
  });
  if (!budget) return;
  const part = 'Used part of the upstream quota, requests or bytes, whichever is greater: low from 0.8';
  metrics.addGauge('upstream_budget_used_ratio', part, () => budget.usedPart);
  const requests = 'Requests that are not refilled yet, of all replicas of this address';
  metrics.addGauge('upstream_budget_requests', requests, () => budget.used.requests);
  const bytes = 'Received bytes that are not refilled yet, of all replicas of this address';
  metrics.addGauge('upstream_budget_bytes', bytes, () => budget.used.bytes);
}
