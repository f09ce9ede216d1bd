import { isAbout } from '../whois/parsers/same-name.ts';
import { isPublicHostName, readServerAddress } from '../whois/referral.ts';
import type { AskServer, ServerAnswer } from './ask-server.ts';
import type { LookUpContext } from './hops.ts';
import type { ParsedRegistration } from '../record/registration-record.ts';
import type { Conclusion } from './result.ts';
import type { RegistryService } from './services.ts';

/** What the registrar's port 43 may use of the remaining time while its RDAP could still be asked. */
const SHARE_OF_TIME = 0.5;

/**
 * One hop more, to the registrar. Its text becomes `raw` and fills what the registry leaves blank; the registry's
 * values stand, and its text goes to `registry`. A registrar that is dead, says nothing of the name or says much
 * less than the registry changes nothing but the hops.
 */
export async function withRegistrar(
  ask: AskServer,
  result: Conclusion,
  registry: ServerAnswer,
  services: readonly RegistryService[],
  name: string,
  context: LookUpContext,
): Promise<Conclusion> {
  if (result.state !== 'registered') return result;
  const answer = await askRegistrar(ask, registry, services, name, context);
  if (answer === undefined) return { ...result, hops: context.hops };
  const { whoisServer, raw, protocol } = result;
  return {
    ...result,
    whoisServer: answer.server,
    raw: answer.raw,
    protocol: answer.protocol,
    parsed: fillBlanks(result.parsed, answer.reading.parsed),
    hops: context.hops,
    registry: { whoisServer, raw, protocol },
  };
}

/** By the protocol that the registry answered in; where a registrar's WHOIS server gives nothing, by RDAP. */
async function askRegistrar(
  ask: AskServer,
  registry: ServerAnswer,
  services: readonly RegistryService[],
  name: string,
  context: LookUpContext,
): Promise<ServerAnswer | undefined> {
  async function good(
    service: RegistryService | undefined,
    share: number,
  ): Promise<ServerAnswer | undefined> {
    if (service === undefined) return undefined;
    const asked = ask(context, 'registrar', service, name, context.shareOfTime(share));
    const answer = await asked.catch(() => undefined);
    return answer && !isWorse(answer, registry, name) ? answer : undefined;
  }

  if (registry.protocol === 'rdap') return good(rdapOf(registry), 1);
  const rdap = services.find(({ protocol }) => protocol === 'rdap');
  const answer = await good(whoisOf(registry), rdap === undefined ? 1 : SHARE_OF_TIME);
  if (answer !== undefined || rdap === undefined) return answer;
  // Only the registry's RDAP record links to the registrar's.
  const deadline = context.shareOfTime(SHARE_OF_TIME);
  const record = await ask(context, 'registry', rdap, name, deadline).catch(() => undefined);
  return good(record && rdapOf(record), 1);
}

function whoisOf({ registrar, server }: ServerAnswer): RegistryService | undefined {
  const endpoint = registrar === null ? undefined : readServerAddress(registrar);
  return endpoint === undefined || endpoint.host === server ? undefined : { protocol: 'whois', endpoint };
}

/** A link in an RDAP answer is a stranger's: https on its usual port at a public name, or not at all. */
function rdapOf({ registrar }: ServerAnswer): RegistryService | undefined {
  const url = registrar !== null && URL.canParse(registrar) ? new URL(registrar) : undefined;
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '') return undefined;
  return isPublicHostName(url.hostname) ? { protocol: 'rdap', url: url.href, isListed: false } : undefined;
}

function isWorse(answer: ServerAnswer, registry: ServerAnswer, name: string): boolean {
  const { state, parsed } = answer.reading;
  if (answer.isTruncated || state !== 'registered' || !isAbout(parsed.domainName, name)) return true;
  return countStated(parsed) * 2 < countStated(registry.reading.parsed);
}

function countStated(parsed: ParsedRegistration): number {
  const { domainName, registrar, creationDate, expirationDate, updatedDate, nameServers, status } = parsed;
  const texts = [domainName, registrar, creationDate, expirationDate, updatedDate];
  const lists = [nameServers, status];
  return texts.filter((value) => value !== null).length + lists.filter((values) => values.length > 0).length;
}

/** Never a union: a list is the registry's, or the registrar's where the registry has none. */
function fillBlanks(registry: ParsedRegistration, registrar: ParsedRegistration): ParsedRegistration {
  const filled = Object.entries(registry).map(([field, value]: [string, unknown]) => {
    const isBlank = value === null || (Array.isArray(value) && value.length === 0);
    return [field, isBlank ? registrar[field as keyof ParsedRegistration] : value];
  });
  return Object.fromEntries(filled) as ParsedRegistration;
}
