import type { Clock } from '../../process/clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../process/logger.ts';
import { askUntilSettled } from './ask-services.ts';
import type { DomainName } from './domain-name.ts';
import { startJourney } from './journey.ts';
import type { Hop, Journey } from './journey.ts';
import { conclude, inconclusive } from './look-up-result.ts';
import type { LookUpResult } from './look-up-result.ts';
import { withRegistrar } from './registrar.ts';
import type { RegistryAsker } from './registry-answer.ts';
import type { RegistryFault } from './registry-fault.ts';
import { toRegistryFault } from './registry-fault.ts';
import { servicesFor } from './registry-services.ts';
import type { RegistryService } from './registry-services.ts';
import type { RegistryTable } from './registry-table.ts';
import type { RootAnswer, RootDirectory } from './root-directory.ts';
import type { SlowServers } from './slow-servers.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';

export interface LookUpParts {
  clock: Clock;
  log: Logger;
  root: RootDirectory;
  asker: RegistryAsker;
  slow: SlowServers;
  table: RegistryTable;
  /** RDAP base URLs for the longest zone that ends the name; waits for a bootstrap that is being fetched. */
  rdapBasesFor: (name: string, deadline: number) => Promise<readonly string[]>;
  /** For a whole look-up, all hops together. */
  timeoutMs: number;
  /** Told of every server asked. */
  observeHop: (hop: Hop) => void;
}

export type Follow = 'registry' | 'registrar';

/** Looks a name up. Rejects with a ServiceError: see the registration service's errors. */
export type LookUp = (name: DomainName, follow: Follow) => Promise<LookUpResult>;

/** From the root to the registry, and on to the registrar when asked: the whole story. */
export function createLookUp(parts: LookUpParts): LookUp {
  const { root, asker, slow, table } = parts;

  async function walk(name: DomainName, follow: Follow): Promise<LookUpResult> {
    const journey = startJourney(parts.clock, parts.log, name.name, parts.timeoutMs, parts.observeHop);
    if (name.zone === '') return topLevelDomain(name, journey);
    const hasOwnRegistry = table.hasOwnRegistry(name.zone);
    const rootAnswer = hasOwnRegistry ? undefined : await root.find(name.tld, journey).catch(toRegistryFault);
    if (isUnknown(rootAnswer)) throw unknownTld(name, journey);
    const services = await servicesOf(name, rootAnswer, journey);
    const answer = await askUntilSettled(asker, slow.lastOf(services), name.name, journey);
    const result = conclude(name, answer, journey.hops);
    return follow === 'registry' ? result : withRegistrar(asker, result, answer, name.name, journey);
  }

  /** The root is the registry of top-level domains. */
  async function topLevelDomain(name: DomainName, journey: Journey): Promise<LookUpResult> {
    const record = await root.read(name.tld, journey).catch(toRegistryFault);
    if (record instanceof Error) throw inconclusive([record], journey.hops);
    if (isUnknown(record.answer)) throw unknownTld(name, journey);
    const reading = parseWhoisText(record.raw, { server: root.server, domain: name.tld });
    const from = { protocol: 'whois', server: root.server, registrar: null, isTruncated: false } as const;
    return conclude(name, { ...from, raw: record.raw, reading }, journey.hops);
  }

  async function servicesOf(
    name: DomainName,
    rootAnswer: RootAnswer | RegistryFault | undefined,
    journey: Journey,
  ): Promise<RegistryService[]> {
    const bases = await parts.rdapBasesFor(name.name, journey.shareOfTime(0.3));
    const services = servicesFor(name, rootAnswer, table, bases);
    if (services.length > 0) return services;
    if (rootAnswer instanceof Error) throw inconclusive([rootAnswer], journey.hops);
    const website = rootAnswer?.website ?? table.factsOf(name.zone).web ?? table.factsOf(name.tld).web;
    throw noRegistryService(name, website, journey);
  }

  return shareWalks(walk);
}

/** Callers of the same name share one walk. */
function shareWalks(walk: LookUp): LookUp {
  const underWay = new Map<string, Promise<LookUpResult>>();
  return (name, follow) => {
    const key = `${name.name} ${follow}`;
    let shared = underWay.get(key);
    if (shared === undefined) {
      shared = walk(name, follow).finally(() => underWay.delete(key));
      underWay.set(key, shared);
    }
    return shared;
  };
}

function isUnknown(answer: RootAnswer | RegistryFault | undefined): boolean {
  return answer !== undefined && !(answer instanceof Error) && answer.outcome === 'unknown_tld';
}

function unknownTld(name: DomainName, journey: Journey): ServiceError {
  return new ServiceError('unknown_tld', {
    message: `There is no top-level domain .${name.tld}.`,
    details: { tld: name.tld, hops: journey.hops },
  });
}

function noRegistryService(name: DomainName, website: string | undefined, journey: Journey): ServiceError {
  const hint = website === undefined ? '' : ` It answers on the web: ${website}`;
  return new ServiceError('no_registry_service', {
    message: `The registry of .${name.zone} publishes neither WHOIS nor RDAP.${hint}`,
    details: { zone: name.zone, registryWebsite: website ?? null, hops: journey.hops },
  });
}
