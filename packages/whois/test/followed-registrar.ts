import type { ServerAnswer } from '../src/look-up/query-server.ts';
import { rdapRecord, withRegistrar } from '../src/look-up/registrar.ts';
import type { QueryWithin } from '../src/look-up/registrar.ts';
import { conclude } from '../src/look-up/result.ts';
import type { RegistryService } from '../src/look-up/services.ts';
import { ServerFault } from '../src/net/server-fault.ts';
import { parseWhoisText } from '../src/whois/parsers/parse-whois-text.ts';
import { record } from './loopback-world.ts';

export const NAME = 'example.test';

/** A server's text for the name: a complete record, or the given one. */
export function answerFrom(
  protocol: 'whois' | 'rdap',
  server: string,
  registrar: string | null,
  raw = record(NAME, [`Note: from ${server}`]),
): ServerAnswer {
  const { state, retryAfterSeconds, ...reading } = parseWhoisText(raw, { server, domain: NAME });
  const service: RegistryService =
    protocol === 'rdap'
      ? { protocol, source: 'bootstrap', base: `https://${server}/` }
      : { protocol, source: 'root', endpoint: { host: server, port: 43 } };
  return {
    service,
    isOwn: true,
    server,
    raw,
    state,
    retryAfterSeconds,
    reading,
    registrar,
    isTruncated: false,
  };
}

/** Follows to the registrar with these servers only; others are unreachable. Returns the queried servers. */
export async function followRegistrar(
  registry: ServerAnswer,
  services: RegistryService[],
  servers: Record<string, ServerAnswer>,
) {
  const requests: string[] = [];
  const shares: number[] = [];
  const query: QueryWithin = (role, service, share) => {
    shares.push(share);
    const server = service.protocol === 'whois' ? service.endpoint.host : new URL(service.base).hostname;
    requests.push(`${role} ${server}`);
    const result = servers[server];
    return result ? Promise.resolve(result) : Promise.reject(new ServerFault('unreachable'));
  };
  const name = { spelling: NAME, name: NAME, tld: 'test', zone: 'test' };
  const result = conclude(name, registry, []);
  const rdap = rdapRecord(query, { services, isRdapKnown: true });
  return { result: await withRegistrar(query, result, registry, rdap), requests, shares };
}
