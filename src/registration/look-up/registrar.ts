import type { Journey } from './journey.ts';
import type { LookUpResult } from './look-up-result.ts';
import type { ParsedRegistration } from './registration-record.ts';
import type { RegistryAnswer, RegistryAsker } from './registry-answer.ts';
import { isAbout } from './registry-answer.ts';
import { isPublicHostName, readServerAddress } from '../whois/referral.ts';

/**
 * One hop more, to the registrar. Its text becomes `raw` and fills what the registry leaves blank; the registry's
 * values stand, and its text goes to `registry`. A registrar that is dead, says nothing of the name or says much
 * less than the registry changes nothing but the hops.
 */
export async function withRegistrar(
  asker: RegistryAsker,
  result: LookUpResult,
  registry: RegistryAnswer,
  name: string,
  journey: Journey,
): Promise<LookUpResult> {
  if (result.state !== 'registered') return result;
  const answer = await askRegistrar(asker, registry, name, journey).catch(() => undefined);
  if (answer === undefined || isWorse(answer, registry, name)) return { ...result, hops: journey.hops };
  const { whoisServer, raw, protocol } = result;
  return {
    ...result,
    whoisServer: answer.server,
    raw: answer.raw,
    protocol: answer.protocol,
    parsed: fillBlanks(result.parsed, answer.reading.parsed),
    hops: journey.hops,
    registry: { whoisServer, raw, protocol },
  };
}

async function askRegistrar(
  asker: RegistryAsker,
  { registrar, protocol, server }: RegistryAnswer,
  name: string,
  journey: Journey,
): Promise<RegistryAnswer | undefined> {
  if (registrar === null) return undefined;
  if (protocol === 'rdap') {
    const url = readRegistrarUrl(registrar);
    return url === undefined ? undefined : asker.rdap(journey, 'registrar', url, name, journey.deadline);
  }
  const endpoint = readServerAddress(registrar);
  if (endpoint === undefined || endpoint.host === server) return undefined;
  return asker.whois(journey, 'registrar', endpoint, name, journey.deadline);
}

/** A link in an RDAP answer is a stranger's: https on its usual port at a public name, or not at all. */
function readRegistrarUrl(stated: string): string | undefined {
  const url = URL.canParse(stated) ? new URL(stated) : undefined;
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '') return undefined;
  return isPublicHostName(url.hostname) ? url.href : undefined;
}

function isWorse(answer: RegistryAnswer, registry: RegistryAnswer, name: string): boolean {
  if (answer.isTruncated || answer.reading.state !== 'registered' || !isAbout(answer.reading, name))
    return true;
  return countStated(answer.reading.parsed) * 2 < countStated(registry.reading.parsed);
}

function countStated(parsed: ParsedRegistration): number {
  return Object.values<string | string[] | null>({ ...parsed }).filter(
    (value) => value !== null && value.length > 0,
  ).length;
}

/** Never a union: a list is the registry's, or the registrar's where the registry has none. */
function fillBlanks(registry: ParsedRegistration, registrar: ParsedRegistration): ParsedRegistration {
  const { nameServers, status } = registry;
  return {
    domainName: registry.domainName ?? registrar.domainName,
    registrar: registry.registrar ?? registrar.registrar,
    creationDate: registry.creationDate ?? registrar.creationDate,
    expirationDate: registry.expirationDate ?? registrar.expirationDate,
    updatedDate: registry.updatedDate ?? registrar.updatedDate,
    nameServers: nameServers.length > 0 ? nameServers : registrar.nameServers,
    status: status.length > 0 ? status : registrar.status,
  };
}
