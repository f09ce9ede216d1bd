import type { Endpoint } from '../net/host-map.ts';
import type { Journey } from './journey.ts';
import { inconclusive } from './look-up-result.ts';
import type { RegistryAnswer, RegistryAsker } from './registry-answer.ts';
import { isAbout } from './registry-answer.ts';
import type { RegistryFault } from './registry-fault.ts';
import { toRegistryFault } from './registry-fault.ts';
import type { RegistryService } from './registry-services.ts';
import { readReferral } from '../whois/referral.ts';

/** What a service may use of the remaining time while another one could still be asked. */
const SHARE_OF_TIME = 0.6;

/**
 * Asks a registry's services one after the other until one settles the question. A registry that asks us to slow
 * down has settled it too: its other service is not used to get around that.
 */
export async function askUntilSettled(
  asker: RegistryAsker,
  services: readonly RegistryService[],
  name: string,
  journey: Journey,
): Promise<RegistryAnswer> {
  const attempts: (RegistryAnswer | RegistryFault)[] = [];
  for (const [index, service] of services.entries()) {
    const deadline = journey.shareOfTime(index === services.length - 1 ? 1 : SHARE_OF_TIME);
    const attempt = await askService(asker, service, name, journey, deadline).catch(toRegistryFault);
    attempts.push(attempt);
    if (isSettled(attempt)) return attempt;
    if (attempt instanceof Error && attempt.reason === 'busy') break;
  }
  const answers = attempts.filter((attempt): attempt is RegistryAnswer => !(attempt instanceof Error));
  const part = answers.find(({ isTruncated }) => isTruncated);
  if (part !== undefined) return part;
  // "Invalid" is believed when nobody was out of reach who could have known better.
  const invalid = answers.find(({ reading }) => reading.state === 'invalid');
  if (invalid !== undefined && answers.length === attempts.length) return invalid;
  throw inconclusive(attempts, journey.hops);
}

function isSettled(attempt: RegistryAnswer | RegistryFault): attempt is RegistryAnswer {
  if (attempt instanceof Error || attempt.isTruncated) return false;
  return ['registered', 'not_registered', 'reserved', 'throttled'].includes(attempt.reading.state);
}

function askService(
  asker: RegistryAsker,
  service: RegistryService,
  name: string,
  journey: Journey,
  deadline: number,
): Promise<RegistryAnswer> {
  return service.protocol === 'rdap'
    ? asker.rdap(journey, 'registry', service.url, name, deadline)
    : followReferrals(asker, service.endpoint, name, journey, deadline);
}

/** The root may name a server that knows only which server to ask. */
async function followReferrals(
  asker: RegistryAsker,
  first: Endpoint,
  name: string,
  journey: Journey,
  deadline: number,
): Promise<RegistryAnswer> {
  let endpoint = first;
  for (;;) {
    const answer = await asker.whois(journey, 'registry', endpoint, name, deadline);
    const next = mayRefer(answer, name) ? readReferral(answer.raw)?.endpoint : undefined;
    if (next === undefined) return answer;
    endpoint = next;
  }
}

/** An answer that settles nothing, or one about something else: the TLD's own record beside a `refer:` line. */
function mayRefer({ reading }: RegistryAnswer, name: string): boolean {
  if (reading.state === 'registered') return reading.parsed.domainName !== null && !isAbout(reading, name);
  return ['broken', 'refused', 'invalid'].includes(reading.state);
}
